"""Eigenvectors of the small eigenvalues, by Lanczos on the inverse that a factor gives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination.equations import read_finite, require_symmetric
from graphla.algorithms.apsp.elimination.factor import factorize
from graphla.algorithms.apsp.elimination.linear_factor import LinearFactor
from graphla.algorithms.spectrum.lanczos import Basis, HostBasis, choose_signs, measure_errors, run_lanczos
from graphla.algorithms.spectrum.laplacian import Laplacian, get_laplacian, make_operator
from graphla.common.arguments import show, to_bool, to_int, to_real
from graphla.common.errors import InvalidOption, NotConverged, SingularMatrix
from graphla.common.interrupts import show_interrupts
from graphla.graphs.graph import Graph

DENSE = 300
"""Rows up to which LAPACK finds all eigenvectors sooner than Lanczos some."""
RESIDUAL = 1e-8
"""‖A v − λ v‖ over the norm of A, which every eigenvector must stay below."""
ACCURATE = 1e-12
"""Backward error of a solution up to which it is not refined."""


class Eigenpairs(NamedTuple):
    """Eigenvalues and their eigenvectors.

    Parameters
    ----------
    values : array
        float64[k], in ascending order, on the engine of the graph.
    vectors : array
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
        An undirected graph, with weights of zero or more, the same both ways; loops do not count.
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
    SingularMatrix
        If weights are too far apart for FP64.

    See Also
    --------
    smallest_eigenvectors : The same of any symmetric matrix.
    spectral_embedding : Positions of vertices by these vectors.

    Notes
    -----
    The eigenvalues of the pseudoinverse L⁺ are the inverses, the smallest largest, so that Lanczos with thick
    restarts needs some tens of products L⁺ x. Each is a solution with the factor L D Lᵀ in an order by nested
    dissection: O(n log n) of a planar graph. K. Wu, H. Simon, "Thick-restart Lanczos method for large symmetric
    eigenvalue problems", SIAM J. Matrix Anal. Appl. 22(2), 2000.

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
    rest = count - zeros.shape[1]
    if rest and L.n > DENSE and count <= L.n // 3:
        basis = make_basis(L.factor, L.factor._equations.apply, L.project)
        return find_by_lanczos(basis, rest, L.n - L.components, lambda mu: 1 / mu, L.operator, zeros)
    values, vectors = np.zeros(0), zeros[:, :0]
    if rest:
        values, vectors = (part[..., L.components :][..., :rest] for part in np.linalg.eigh(L.matrix.toarray()))
    values = np.concatenate([np.zeros(zeros.shape[1]), values])
    return send_pairs(L.engine, values, np.concatenate([zeros, vectors], axis=1), L.matrix)


@show_interrupts
def smallest_eigenvectors(A: Any, k: int, *, sigma: float = 0.0) -> Eigenpairs:
    """Find the eigenvectors of the eigenvalues nearest to a number, by default to zero.

    Parameters
    ----------
    A : Graph, Matrix or sparse matrix
        A symmetric matrix.
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
    require_symmetric(G)
    S, near = read_finite(G), to_real(sigma, "sigma")
    if not np.isfinite(near):
        raise InvalidOption(f"sigma={show(sigma)}: give a finite number")
    count = to_int(k, "k", 1, G.n)
    if G.n <= DENSE or count > G.n // 3:
        values, vectors = np.linalg.eigh(S.toarray())
        nearest = np.sort(np.argsort(abs(values - near), kind="stable")[:count])
        return send_pairs(G.engine, values[nearest], vectors[:, nearest], S)
    try:
        shifted = Graph((S - near * eye_array(G.n)).tocsr(), engine="cpu").to(G.engine)
        F = factorize(shifted, semiring="plus_times")
    except SingularMatrix as error:
        fault = f"sigma={show(sigma)}: it is an eigenvalue to rounding: give one a little below"
        raise InvalidOption(fault) from error
    facts = make_operator(S, G.engine), np.zeros((G.n, 0))
    return find_by_lanczos(make_basis(F, choose_inverse(F)), count, G.n, lambda mu: near + 1 / mu, *facts)


def choose_inverse(F: LinearFactor) -> Any:
    """Return x ↦ A⁻¹ x: refined if pivots of an indefinite matrix, which are taken as they come, have cost accuracy."""
    E = F._equations
    _, error = F._measure_error(E.apply(E.probe), E.probe)
    return E.apply if error < ACCURATE else F.solve


def make_basis(F: LinearFactor, apply: Any, project: Any = lambda x: x) -> Basis:
    """Return the vectors of Lanczos with an inverse, where its factor is."""
    engine: Any = F._graph.engine
    if engine.name == "cpu":
        return HostBasis(F.n, apply, project)
    from graphla.algorithms.spectrum.lanczos_cuda import DeviceBasis

    return DeviceBasis(engine, F.n, apply, project)


def find_by_lanczos(basis: Basis, k: int, rank: int, value: Any, A: Any, zeros: Any) -> Eigenpairs:
    """Find the k pairs of an operator with the largest eigenvalues μ; those of A are ``value(μ)``, after zeros."""
    values = np.concatenate([np.zeros(zeros.shape[1]), run_lanczos(basis, k, rank, value)])
    vectors = basis.lay_out(zeros, k)
    require_small(basis.measure_errors(A, values, vectors))
    return Eigenpairs(basis.send(values), vectors)


def send_pairs(engine: Any, values: Any, vectors: Any, A: Any) -> Eigenpairs:
    """Check pairs of the host, choose the signs of the vectors, and copy both to an engine."""
    vectors = choose_signs(vectors)
    require_small(measure_errors(A, values, vectors))
    return Eigenpairs(engine.asarray(values), engine.asarray(vectors))


def require_small(residual: float) -> None:
    """Refuse eigenvectors that are none."""
    if not residual < RESIDUAL:
        raise NotConverged(f"an eigenvector is off by {residual:.1e} of the matrix: ask for fewer", residual)
