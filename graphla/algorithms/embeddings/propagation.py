"""ProNE's spectral propagation: X ↦ Σᵢ cᵢ Tᵢ(M) X, a Gaussian of the walk's Laplacian by Chebyshev polynomials.

With DA = (D + I)⁻¹ (W + I) and M = (1 − μ) I − DA, the polynomials of M² / 2 − I are taken, and c are Bessel functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.embeddings.averages import Averages, get_averages, require_room, scale_rows, to_vectors
from graphla.common.arguments import show, to_bool, to_int, to_real
from graphla.common.errors import InvalidOption
from graphla.common.typing import ArrayLike
from graphla.containers.execute import report_out_of_memory
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage.convert import cast_indices

Array = Any
SMALLEST_SHARE = 1e-14
"""Of the largest square of a singular value, below which axes are left out."""


@report_out_of_memory
def propagate(
    G: Graph,
    X: ArrayLike | Matrix,
    *,
    order: int = 10,
    mu: float = 0.2,
    theta: float = 0.5,
    weights: bool = False,
    rotate: bool = True,
) -> Any:
    """Enhanced embeddings by ProNE's spectral propagation: vectors of vertices are filtered along the arcs.

    Parameters
    ----------
    G : Graph
        The graph; ProNE is about undirected ones.
    X : array or Matrix
        Of shape (n, d): a vector for each vertex, from `fastrp`, from node2vec, or from elsewhere.
    order : int
        How many polynomials are added up, from 1 on.
    mu : float
        The middle of the band of eigenvalues that is kept.
    theta : float
        How narrow the band is, from 0 on.
    weights : bool
        Whether averages are by the weights of arcs; none may be negative or infinite then.
    rotate : bool
        Whether vectors are turned to their principal axes, each divided by the root of its singular value, and scaled
        to length 1 at the end, as ProNE does.

    Returns
    -------
    array
        Of shape (n, d) and the dtype of X, float32 or float64, on the engine of G.

    Raises
    ------
    InvalidGraph
        If weights count and one is negative or infinite.
    InvalidOption
        If an argument is out of range.
    DimensionMismatch
        If X has no row for each vertex.
    DomainMismatch
        If X holds something else than finite numbers.
    NotSupported
        If the graph is spread over ranks.
    OutOfMemory
        If the vectors do not fit in memory.

    See Also
    --------
    fastrp : Vectors by random projection.
    similar : The vectors that are most alike.

    Notes
    -----
    2 `order` − 1 products of the graph with d full columns.

    References
    ----------
    .. [1] J. Zhang, Y. Dong, Y. Wang, J. Tang, M. Ding, "ProNE: Fast and Scalable Network Representation Learning",
       IJCAI 2019.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.path(6, engine="cpu")
    >>> gl.propagate(G, gl.fastrp(G, 4)).shape
    (6, 4)
    """
    held = get_averages(G, weights, "propagate")
    given = to_vectors(G.engine, X, G.n)
    turned, middle, width = to_bool(rotate, "rotate"), to_real(mu, "mu"), to_real(theta, "theta", 0)
    if not np.isfinite([middle, width]).all():
        raise InvalidOption(f"mu={show(mu)}, theta={show(theta)}: give finite numbers")
    require_within(theta, width, given.dtype)
    require_room(G.engine, G.n, 2 * given.shape[1])
    found = filter_vectors(held, given, to_int(order, "order", 1, 1000), middle, width)
    return scale_rows(G.engine, turn(G.engine, found)) if turned else found


def require_within(theta: Any, width: float, dtype: Any) -> None:
    """Refuse a width whose largest coefficient, I₀(θ), has no square in the dtype."""
    from scipy.special import iv

    if not iv(0, width) <= float(np.finfo(dtype).max) ** 0.5:
        raise InvalidOption(f"theta={show(theta)}: Bessel's I₀ of it leaves {dtype}; give a smaller one, as 0.5")


def filter_vectors(held: Averages, X: Array, order: int, mu: float, theta: float) -> Array:
    """(W + I) (X − Σᵢ cᵢ Tᵢ X), with c₀ = I₀(θ) and cᵢ = 2 (−1)ⁱ Iᵢ(θ); X itself of order 1."""
    if order == 1:
        return X
    from scipy.special import iv

    def shift(V: Array) -> Array:
        """M V."""
        return held.walk(V, 1 - mu)

    engine, last, now = held.G.engine, X, shift(shift(X))
    now = combine(engine, (0.5, now), (-1, X))
    factors = [float(2 * (-1) ** i * iv(i, theta)) for i in range(order)]
    total = combine(engine, (factors[0] / 2, last), (factors[1], now))
    for i in range(2, order):
        last, now = now, combine(engine, (1, shift(shift(now))), (-2, now), (-1, last))
        total = combine(engine, (1, total), (factors[i], now))
    return combine(engine, (1, held.add_up(combine(engine, (1, X), (-1, total)))), (1, X), (-1, total))


def combine(engine: Any, *terms: tuple[float, Array]) -> Array:
    """The sum of two or three factors times vectors, in an array of its own."""
    if engine.name == "cuda":
        from graphla.algorithms.embeddings._vectors_cuda import combine as combine_on_device

        return combine_on_device(engine, *terms)
    found: Any = None
    for factor, X in terms:
        if found is None:
            found = factor * X if factor != 1 else X
        else:
            found = found - X if factor == -1 else found + (factor * X if factor != 1 else X)
    return found


def turn(engine: Any, X: Array) -> Array:
    """U √S of the decomposition X = U S Vᵀ, the largest value first, by the eigenvectors of Xᵀ X."""
    wide = cast_indices(X.reshape(-1), "float64").reshape(X.shape)
    squares, V = engine.xp.linalg.eigh(wide.T @ wide)
    if not squares.size:
        return X
    if engine.name == "cuda":
        from graphla.algorithms.embeddings._vectors_cuda import orient

        return orient(engine, wide @ V, squares, X.dtype)
    squares, V = squares[::-1], V[:, ::-1]
    kept = squares > squares[0] * SMALLEST_SHARE
    factors = np.where(kept, np.where(kept, squares, 1) ** -0.25, 0)
    found = (wide @ V) * factors
    signs = np.where(found[np.argmax(abs(found), axis=0), np.arange(V.shape[1])] < 0, -1, 1) if X.shape[0] else 1
    return (found * signs).astype(X.dtype)
