"""Many searches in one: a word of 64 bits a vertex, one bit a source.

All 64 searches share each look at an arc, and each bit has its own direction: pushed while few strong vertices have
seen it, then pulled. The words of each level are kept, and the level matrix is written from them in one pass.

Source: Then, Kaufmann, Chirigati et al., "The More the Merrier: Efficient Multi-Source Graph Traversal",
PVLDB 8(4), 2014; as algebra, a product of the adjacency matrix with a bit matrix over (OR, AND).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs import fused
from graphla.algorithms.bfs._device import BLOCK, blocks, kernel
from graphla.algorithms.bfs._renumbered import Renumbered, renumbered

WORD = 64  # sources searched at once
FEW = 3  # sources up to which one search after the other is faster, on Kronecker graphs and on roads
THREADS = 1024  # of a block of a cooperative grid
COMMON_SHARE = 16  # a bit is pulled once hubs with 1 / COMMON_SHARE of the hubs' arcs have seen it
LITTLE_SHARE = 64  # a queue takes over once a level found and pushed less than 1 / LITTLE_SHARE of all arcs

LEVELS = 15  # _multi_source.cuh: levels whose words are kept
NUMBERS = 4 + 64  # _multi_source.cuh: words of a level's Numbers
OUTCOME = 5  # _packs.cuh: words of an Outcome

Array = Any


@dataclass(frozen=True, eq=False)
class Scratch:
    """What a search works with, kept with the graph; no result is in it."""

    graph: Renumbered
    history: Array
    planes: Array
    words: Array  # zero between searches where it matters: _multi_finish.cuh
    entries: Array
    barrier: Array


def multi_source(G: Any, sources: Sequence[int]) -> Array:
    """Levels from each source: an int32 array [len(sources), n] of the graph's engine, -1 where unreached.

    O(ceil(k / 64) · (V + E) · levels shared) work at most, and 4·k·n bytes of result. On a GPU nothing comes back to
    the host; the scratch memory is kept with the graph, so searches of one graph must not overlap on two streams.
    """
    chosen = np.asarray(sources, np.int32)
    if G.engine.name == "cpu":
        from graphla.algorithms.bfs._words import search_words

        levels = np.full((len(chosen), G.n), -1, np.int32)
        search_words(G.csr.indptr, G.csr.indices, chosen, levels)
        return levels
    levels = G.engine.xp.empty((len(chosen), G.n), np.int32)
    on_device = G.engine.xp.asarray(chosen)
    for first in range(0, len(chosen), WORD):
        word = slice(first, first + WORD)
        if len(chosen[word]) > FEW:
            _search(G, on_device[word], levels[word])
            continue
        for row, source in zip(levels[word], chosen[word].tolist(), strict=True):
            row[:] = fused.run(G, source)[0]
    return levels


def _scratch(G: Any) -> Scratch:
    """212 bytes for each vertex with an arc, beside the rows; the levels of 64 sources take 256."""
    xp, graph = G.engine.xp, renumbered(G)
    return Scratch(
        graph,
        history=xp.empty(LEVELS * graph.n, np.uint64),
        planes=xp.empty(4 * graph.n, np.uint64),
        words=xp.zeros(3 * graph.n, np.uint64),
        entries=xp.empty(9 * graph.n, np.int32),
        barrier=xp.zeros(16, np.uint32),
    )


def _resident(G: Any, search: Any, name: str, shared: int = 0) -> int:
    """The blocks that the device holds at once."""
    return G.cached(f"bfs.{name}.grid", lambda _: search.resident_blocks(THREADS, shared))


def _search(G: Any, sources: Array, levels: Array) -> None:
    """One word of sources: the heavy levels, the matrix of levels, then what is left of the search."""
    s: Scratch = G.cached("bfs.many", _scratch)
    xp, g, count = G.engine.xp, s.graph, np.int32(sources.size)
    numbers = xp.zeros(LEVELS * NUMBERS + OUTCOME, np.uint64)
    outcome = numbers[LEVELS * NUMBERS :]
    out, n = (g.out.pointers, g.out.packs), np.int32(g.n)
    queue = (s.entries[: 3 * g.n], s.entries[3 * g.n : 6 * g.n], s.entries[6 * g.n :])
    limits = [np.int32(x) for x in (g.hubs, COMMON_SHARE, LITTLE_SHARE)]
    search = kernel(G, "_multi_source", "search_words", cooperative=True)
    begun = (g.into.pointers, g.into.packs, g.first, g.number, sources, count, s.history, *queue, s.planes, s.words)
    grid = _resident(G, search, "search_words", 8 * g.hubs)
    search(grid, THREADS, (n, *out, *begun, numbers, outcome, s.barrier, *limits), 8 * g.hubs)
    write = kernel(G, "_multi_levels", "write_levels")
    write(blocks(-(-G.n // 4)), BLOCK, (np.int32(G.n), count, g.number, s.planes, levels))
    finish = kernel(G, "_multi_finish", "finish_words", cooperative=True)
    rest = (sources, count, np.int32(G.n), s.history, s.words, s.entries, levels, outcome, s.barrier)
    finish(_resident(G, finish, "finish_words"), THREADS, (n, *out, g.vertex, *rest))


def closeness(G: Any, sources: Sequence[int] | None = None) -> Array:
    """Closeness centrality of each source: (r - 1)² / ((n - 1) · sum of distances), r vertices being reached.

    The formula of Wasserman and Faust for graphs that may fall apart, with the distances *from* the source;
    0 where nothing else is reached.

    Parameters
    ----------
    G : Graph
        Its weights are not looked at.
    sources : sequence of int, optional
        All vertices by default, in words of 64.

    Returns
    -------
    array of float64 of the graph's engine
    """
    xp = G.engine.xp
    chosen = list(range(G.n)) if sources is None else list(sources)
    result = xp.zeros(len(chosen), np.float64)
    for first in range(0, len(chosen), WORD):
        levels = multi_source(G, chosen[first : first + WORD])
        others = (levels >= 0).sum(axis=1) - 1
        total = xp.maximum(xp.where(levels > 0, levels, 0).sum(axis=1, dtype=np.int64), 1)
        result[first : first + WORD] = others.astype(np.float64) ** 2 / (max(G.n - 1, 1) * total)
    return result
