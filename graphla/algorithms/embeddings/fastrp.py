"""Fast random projection: X = Σᵢ wᵢ ‖(D⁻¹ W)ⁱ L R‖, where R holds random signs and ‖·‖ scales rows to length 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphla.algorithms.embeddings.averages import add_scaled_rows, get_averages, require_room
from graphla.algorithms.shared.random_words import draw, make_keys
from graphla.common.arguments import show, to_int, to_list, to_real
from graphla.common.errors import InvalidOption
from graphla.containers.execute import report_out_of_memory
from graphla.graphs.graph import Graph

Array = Any


@report_out_of_memory
def fastrp(
    G: Graph,
    dimensions: int = 128,
    iteration_weights: Sequence[float] = (0.0, 1.0, 1.0, 1.0),
    *,
    strength: float = 0.0,
    weights: bool = False,
    seed: int = 0,
) -> Any:
    """Embedding of vertices by fast random projection (FastRP): vertices with alike neighbourhoods are near.

    Parameters
    ----------
    G : Graph
        The graph. A vertex looks along the arcs that leave it.
    dimensions : int
        The length of each vector.
    iteration_weights : sequence of float
        How much the vertices after one arc, two arcs, … count; as many rounds are made.
    strength : float
        The exponent β of L = diag((d / Σ d)^β), by which the signs of a vertex of degree d are scaled: below 0 hubs
        count less.
    weights : bool
        Whether averages are by the weights of arcs; none may be negative or infinite then.
    seed : int
        Which signs; they are the same on both engines.

    Returns
    -------
    array
        float32[n, dimensions], on the engine of G: ``torch.from_dlpack`` takes it without a copy. A vertex without an
        arc has zeros.

    Raises
    ------
    InvalidGraph
        If weights count and one is negative or infinite.
    InvalidOption
        If an argument is out of range.
    NotSupported
        If the graph is spread over ranks.
    OutOfMemory
        If the vectors do not fit in memory.

    See Also
    --------
    propagate : ProNE's filter, which makes any vectors better.
    similar : The vectors that are most alike.
    random_walks : Walks of node2vec, from which skip-gram learns vectors.

    Notes
    -----
    A product of the graph with `dimensions` full columns for each round. The engines add in other orders, so their
    vectors differ by rounding.

    References
    ----------
    .. [1] H. Chen, S. Sultan, Y. Tian, M. Chen, S. Skiena, "Fast and Accurate Network Embeddings via Very Sparse Random
       Projection", CIKM 2019.
    .. [2] D. Achlioptas, "Database-friendly random projections", Journal of Computer and System Sciences 66(4), 2003.

    Examples
    --------
    >>> import graphla as gl
    >>> X = gl.fastrp(gl.generate.path(6, engine="cpu"), 64)
    >>> X.shape, bool(X[0] @ X[1] > X[0] @ X[5])
    ((6, 64), True)
    """
    held = get_averages(G, weights, "fastrp")
    columns, exponent = to_int(dimensions, "dimensions", 1, 2**20), to_real(strength, "strength")
    shares = [
        to_real(each, "iteration_weights")
        for each in to_list(iteration_weights, "iteration_weights", "numbers", InvalidOption)
    ]
    if not np.isfinite([exponent, *shares]).all():
        raise InvalidOption(
            f"strength={show(strength)}, iteration_weights={show(iteration_weights)}: give finite numbers"
        )
    require_room(G.engine, G.n, columns)
    xp = G.engine.xp
    X = draw_signs(G.engine, to_int(seed, "seed", 0), G.n, columns)
    if exponent:
        degrees = xp.where(held.sums > 0, held.sums, 1)
        X *= ((degrees / max(1.0, float(held.sums.sum()))) ** exponent)[:, None].astype("float32")
    total = xp.zeros((G.n, columns), "float32")
    for share in shares:
        X = held.average(X)
        if share:
            add_scaled_rows(G.engine, total, share, X)
    return total


def draw_signs(engine: Any, seed: int, n: int, columns: int) -> Array:
    """A random sign for each cell: float32[n, columns]."""
    if engine.name == "cuda":
        from graphla.algorithms.embeddings._vectors_cuda import draw_signs as draw_on_device

        return draw_on_device(engine, seed, n, columns)
    words = draw(make_keys(seed, np.arange(-(-n * columns // 64), dtype=np.uint64)), 0)
    bits = np.unpackbits(words.view(np.uint8))[: n * columns]
    return (2 * bits.astype("float32") - 1).reshape(n, columns)
