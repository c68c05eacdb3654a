"""Negative edges: pairs of vertices that no arc joins, drawn by their rank among all such pairs.

Of row u the pairs are v ≠ u without an entry; the q-th of them is q + p, where p is the number of entries before it:
the least with A's p-th column less p above q. So a draw is one whole number, and no pair is rejected.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.random_words import draw, make_keys, multiply_high
from graphla.common.arguments import to_bool, to_int
from graphla.common.errors import InvalidOption, NotSupported
from graphla.common.memory import require
from graphla.common.typing import Vertices
from graphla.containers.execute import report_out_of_memory
from graphla.graphs.changes import Arcs, locate
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.convert import expand_pointers, make_pointers, order_stably

Array = Any


@report_out_of_memory
def sample_negative_edges(
    G: Graph, count: int, sources: Vertices | None = None, *, replace: bool = False, seed: int = 0
) -> tuple[Any, Any]:
    """Negative edges for link prediction: pairs of different vertices that no arc joins, each as likely as another.

    Parameters
    ----------
    G : Graph
        The graph; a pair counts in the direction of arcs.
    count : int
        How many, in all or for each source.
    sources : sequence of vertices, optional
        The vertices at which pairs begin.
    replace : bool
        Whether a pair may be drawn more than once. If not, a source with fewer pairs gives all.
    seed : int
        Which pairs. They are the same on both engines.

    Returns
    -------
    tuple of array
        int64[k] each, on the engine of G: the vertices that the pairs begin and end at, by number; those of one source
        after those of another.

    Raises
    ------
    InvalidGraph
        If a source is no vertex of G.
    InvalidOption
        If there are fewer such pairs in all, or an argument is out of range.
    NotSupported
        If the graph is spread over ranks.
    OutOfMemory
        If the pairs do not fit in memory.

    See Also
    --------
    sample_neighbors : Arcs of vertices, hop by hop.

    Notes
    -----
    O(log n) work for each pair, and O(n) once for the number of pairs of each vertex. Pairs that came before are drawn
    again; where more than half of all are wanted, all are listed and put into a random order instead.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=4)
    >>> row, col = gl.sample_negative_edges(G, 2, [0, 3])
    >>> row.tolist(), sorted(col[:2].tolist())
    ([0, 0, 3, 3], [2, 3])
    """
    require_graph(G)
    wanted, again, number = to_int(count, "count", 0, 2**40), to_bool(replace, "replace"), to_int(seed, "seed", 0)
    chosen = None if sources is None else np.asarray(G.vertices(sources, "sources"), np.int64)
    if G.engine.name == "mpi":
        raise NotSupported("sample_negative_edges: this graph is spread over ranks: G.to('cpu') collects it")
    starts, sizes, counts, dense = measure_sources(G, chosen, wanted, again)
    if chosen is None and wanted > (int(sizes[0]) if not again else wanted * min(1, int(sizes[0]))):
        raise InvalidOption(f"count={wanted}: no arc joins {int(sizes[0]):,} pairs of different vertices")
    require(100 * wanted * int(sizes.size), "the pairs", G.engine.xp, "ask for fewer")
    if G.engine.name == "cpu":
        group, local = draw_ranks(np, number, sizes, counts, again)
        return find_pairs(G, starts[group] + local)
    from graphla.algorithms.sampling import _negative_cuda  # here, because a machine without a GPU needs none of it

    given = number, sizes, counts, again
    group, local = draw_ranks(G.engine.xp, *given) if dense else _negative_cuda.draw_ranks(G.engine, *given)
    return _negative_cuda.find_pairs(G.engine, G.csr, count_absent(G), group, starts, local)


def count_absent(G: Graph) -> Array:
    """How many pairs begin at vertices before each, and in all: int64[n + 1]."""

    def make(G: Graph) -> Array:
        if G.engine.name != "cpu":
            from graphla.algorithms.sampling import _negative_cuda  # here, because a machine without a GPU needs none

            return make_pointers(G.engine.xp, _negative_cuda.count_pairs(G.engine, G.csr))
        everyone = np.arange(G.n)
        _, loops = locate(G.engine, G.csr, Arcs(everyone, everyone))
        return make_pointers(np, G.n - 1 - G.degrees.astype("int64") + loops)

    return G.cached("sampling.absent", make)


def measure_sources(G: Graph, chosen: Any, wanted: int, again: bool) -> tuple[Array, Array, Array, int]:
    """The number of the first pair of each source, how many there are and are drawn; and of how many sources most.

    If none are chosen, all vertices together are one source.
    """
    sources, span = (np.zeros(1, np.int64), G.n) if chosen is None else (chosen, 1)
    absent = count_absent(G)
    if G.engine.name != "cpu":
        from graphla.algorithms.sampling import _negative_cuda  # here, because a machine without a GPU needs none of it

        return _negative_cuda.measure_sources(G.engine, absent, sources, span, wanted, again)
    starts, sizes = absent[sources], absent[sources + span] - absent[sources]
    counts = np.where(sizes > 0, wanted, 0) if again else np.minimum(sizes, wanted)
    return starts, sizes, counts, 0 if again else int(np.count_nonzero(2 * counts > sizes))


def draw_ranks(xp: Any, seed: int, sizes: Array, counts: Array, replace: bool) -> tuple[Array, Array]:
    """Numbers below the size of each group, so many of each: the group and the number."""
    pointers = make_pointers(xp, counts)
    total = int(pointers[-1])
    group = expand_pointers(xp, pointers, total)
    keys, below = make_keys(seed, xp.arange(total, dtype=np.uint64)), sizes.astype(np.uint64)[group]
    local = multiply_high(draw(keys, 0), below).astype("int64")
    if replace or not total:
        return group, local
    dense = 2 * counts > sizes
    local[dense[group]] = list_dense(xp, seed, sizes[dense], counts[dense])
    first = make_pointers(xp, sizes)[group]
    for attempt in range(1, 2**31):
        repeated = find_repeats(xp, first + local)
        if not repeated.size:
            break
        local[repeated] = multiply_high(draw(keys[repeated], attempt), below[repeated]).astype("int64")
    return group, local


def list_dense(xp: Any, seed: int, sizes: Array, counts: Array) -> Array:
    """The first numbers of a random order of all of each group."""
    pointers = make_pointers(xp, sizes)
    total = int(pointers[-1])
    group, every = expand_pointers(xp, pointers, total), xp.arange(total, dtype="int64")
    order = order_stably(draw(make_keys(seed, every.astype(np.uint64)), 1 << 40))
    order = order[order_stably(group[order])]
    return (order - pointers[group])[every - pointers[group] < counts[group]]


def find_repeats(xp: Any, keys: Array) -> Array:
    """The places of keys that stand at an earlier place already."""
    order = order_stably(keys)
    return order[1:][keys[order[1:]] == keys[order[:-1]]]


def find_pairs(G: Graph, ranks: Array) -> tuple[Array, Array]:
    """The pairs of some ranks."""
    xp, csr, absent = G.engine.xp, G.csr, count_absent(G)
    rows = xp.searchsorted(absent, ranks, side="right") - 1
    begin, end = csr.indptr[rows].astype("int64"), csr.indptr[rows + 1].astype("int64")
    places, loops = locate(G.engine, csr, Arcs(rows, rows))
    left = ranks - absent[rows]
    left += ~loops & (left >= rows - (places - begin))
    low, high = begin.copy(), end.copy()
    for _ in range(G.max_degree.bit_length()):
        middle = (low + high) // 2
        before = (low < high) & (csr.indices[xp.minimum(middle, csr.nvals - 1)] - (middle - begin) <= left)
        low, high = xp.where(before, middle + 1, low), xp.where(before, high, middle)
    return rows, left + (low - begin)
