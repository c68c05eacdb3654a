"""Eigenvectors of the small eigenvalues, by Lanczos on the inverse that a factor gives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination.equations import read_symmetric
from graphla.algorithms.apsp.elimination.factor import factorize
from graphla.algorithms.spectrum.laplacian import Laplacian, get_laplacian, require_host
from graphla.common.arguments import show, to_bool, to_int, to_real
from graphla.common.errors import InvalidOption, NotConverged, SingularMatrix
from graphla.common.interrupts import show_interrupts
from graphla.graphs.graph import Graph

DENSE = 300
"""Rows up to which LAPACK finds all eigenvectors sooner than Lanczos some."""
TOLERANCE = 1e-10
"""Relative change of the eigenvalues of the inverse at which Lanczos ends: a sixth fewer solutions than to rounding."""
RESIDUAL = 1e-8
"""‖A v − λ v‖ over the norm of A, which every eigenvector must stay below."""


class Eigenpairs(NamedTuple):
    """Eigenvalues and their eigenvectors.

    Parameters
    ----------
    values : ndarray
        float64[k], in ascending order.
    vectors : ndarray
        float64[n, k]: a column of length 1 for each; the entry of largest magnitude is positive.

    Examples
    --------
    >>> import graphla as gl
    >>> values, vectors = gl.laplacian_eigenvectors(gl.generate.path(3, engine="cpu"), 2)
    >>> values.round(9).tolist(), abs(vectors[:, 1]).round(3).tolist()
    ([0.0, 1.0], [0.707, 0.0, 0.707])
    """

    values: Any
    vectors: Any


@show_interrupts
def laplacian_eigenvectors(G: Graph, k: int, *, normalized: bool = False) -> Eigenpairs:
    """Find the eigenvectors of the k smallest eigenvalues of a Laplacian.

    Parameters
    ----------
    G : Graph
        An undirected graph on the CPU, with weights of zero or more, the same both ways; loops do not count.
    k : int
        How many, from 1 to n.
    normalized : bool
        Whether of D^-½ (D − W) D^-½ rather than of D − W; W are the weights, D the degrees.

    Returns
    -------
    Eigenpairs
        ``values`` and ``vectors``. There is an eigenvalue 0 for each component, whose vector is constant there (of the
        normalized Laplacian the roots of the degrees).

    Raises
    ------
    InvalidGraph
        If the graph is directed, or a weight is negative or infinite.
    InvalidOption
        If `k` is not from 1 to n.
    NotConverged
        If Lanczos does not end, or an eigenvector is not one to 1e-8.
    NotSupported
        If the graph is not on the CPU, or pymetis is not installed.

    See Also
    --------
    smallest_eigenvectors : The same of any symmetric matrix.
    spectral_embedding : Positions of vertices by these vectors.

    Notes
    -----
    The eigenvalues of the pseudoinverse L⁺ are the inverses, the smallest largest, so that Lanczos with implicit
    restarts (ARPACK) needs some tens of products L⁺ x. Each is a solution with the factor L D Lᵀ in an order by nested
    dissection: O(n log n) of a planar graph. R. B. Lehoucq, D. C. Sorensen, C. Yang, *ARPACK Users' Guide*, 1998.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.grid2d(8, 5, engine="cpu")
    >>> gl.laplacian_eigenvectors(G, 3).values.round(4).tolist()
    [0.0, 0.1522, 0.382]
    """
    return find_pairs(get_laplacian(G, "laplacian_eigenvectors", to_bool(normalized, "normalized")), k)


def find_pairs(L: Laplacian, k: Any) -> Eigenpairs:
    """Find the k smallest eigenvalues of a Laplacian, and their eigenvectors."""
    count = to_int(k, "k", 1, L.n)
    zeros = L.list_null_vectors(count)
    if count <= L.components:
        values, vectors = np.zeros(0), zeros[:, :0]
    elif L.n <= DENSE or count > L.n // 3:
        values, vectors = (part[..., L.components :] for part in np.linalg.eigh(L.matrix.toarray()))
    else:
        mu, vectors = run_lanczos(lambda x: L.apply_inverse(x, refine=False), L.n, count - L.components)
        values = 1 / mu
    values = np.concatenate([np.zeros(zeros.shape[1]), values])
    return order_pairs(values, np.concatenate([zeros, vectors], axis=1), count, L.matrix)


@show_interrupts
def smallest_eigenvectors(A: Any, k: int, *, sigma: float = 0.0) -> Eigenpairs:
    """Find the eigenvectors of the eigenvalues nearest to a number, by default to zero.

    Parameters
    ----------
    A : Graph, Matrix or sparse matrix
        A symmetric matrix on the CPU.
    k : int
        How many, from 1 to n.
    sigma : float
        The number.

    Returns
    -------
    Eigenpairs
        ``values`` in ascending order, and ``vectors``.

    Raises
    ------
    InvalidGraph
        If the matrix is not square or not symmetric.
    InvalidOption
        If `k` is not from 1 to n, `sigma` is not finite, or `sigma` is an eigenvalue to rounding.
    NotConverged
        If Lanczos does not end, or an eigenvector is not one to 1e-8.
    NotSupported
        If the matrix is not on the CPU, or pymetis is not installed.

    See Also
    --------
    laplacian_eigenvectors : Those of a graph's Laplacian, which is singular.

    Notes
    -----
    Lanczos with (A − σ I)⁻¹ by its factor, as ``scipy.sparse.linalg.eigsh(A, k, sigma=sigma)``, whose factor is that of
    SuperLU. T. Ericsson, A. Ruhe, "The spectral transformation Lanczos method", Math. Comp. 35, 1980.

    Examples
    --------
    >>> import graphla as gl
    >>> from scipy.sparse import diags_array
    >>> gl.smallest_eigenvectors(diags_array([5.0, -1.0, 2.0, 9.0]), 2).values.tolist()
    [-1.0, 2.0]
    """
    from scipy.sparse import eye_array

    G = A if isinstance(A, Graph) else Graph(A)
    require_host(G)
    S, near = read_symmetric(G), to_real(sigma, "sigma")
    if not np.isfinite(near):
        raise InvalidOption(f"sigma={show(sigma)}: give a finite number")
    count = to_int(k, "k", 1, G.n)
    if G.n <= DENSE or count > G.n // 3:
        values, vectors = np.linalg.eigh(S.toarray())
        nearest = np.sort(np.argsort(abs(values - near), kind="stable")[:count])
        return order_pairs(values[nearest], vectors[:, nearest], count, S)
    try:
        F = factorize(Graph((S - near * eye_array(G.n)).tocsr(), engine="cpu"), semiring="plus_times")
    except SingularMatrix as error:
        fault = f"sigma={show(sigma)}: it is an eigenvalue to rounding: give one a little below"
        raise InvalidOption(fault) from error
    mu, vectors = run_lanczos(lambda x: F.solve(x, refine=False), G.n, count)
    return order_pairs(near + 1 / mu, vectors, count, S)


def run_lanczos(apply: Any, n: int, k: int) -> tuple[Any, Any]:
    """Return the k eigenvalues of largest magnitude of an operator, and their eigenvectors."""
    import scipy.sparse.linalg

    linalg: Any = scipy.sparse.linalg
    start = np.random.default_rng(0).standard_normal(n)
    operator = linalg.LinearOperator((n, n), matvec=apply, dtype=np.float64)
    try:
        return linalg.eigsh(operator, k, which="LM", v0=start, tol=TOLERANCE)
    except linalg.ArpackNoConvergence as error:
        raise NotConverged(f"k={k}: Lanczos has found {len(error.eigenvalues)} of them only: ask for fewer") from None


def order_pairs(values: Any, vectors: Any, k: int, A: Any) -> Eigenpairs:
    """Sort eigenpairs, choose the signs of the vectors, and check them against the matrix."""
    order = np.argsort(values, kind="stable")[:k]
    values, vectors = values[order], vectors[:, order]
    largest = np.argmax(abs(vectors), axis=0) if vectors.size else np.zeros(0, int)
    vectors = vectors * np.where(vectors[largest, np.arange(values.size)] < 0, -1.0, 1.0)
    size = float(abs(A).sum(axis=1).max(initial=0)) or 1.0
    residual = float(np.linalg.norm(A @ vectors - vectors * values, axis=0).max(initial=0)) / size
    if not residual < RESIDUAL:
        raise NotConverged(f"k={k}: an eigenvector is off by {residual:.1e} of the matrix: ask for fewer", residual)
    return Eigenpairs(values, vectors)
