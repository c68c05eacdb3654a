"""Many searches in one: a word of 64 bits a vertex, one bit a source.

All 64 searches share each look at an arc, so they cost little more than one on graphs of few levels.

Source: Then, Kaufmann, Chirigati et al., "The More the Merrier: Efficient Multi-Source Graph Traversal",
PVLDB 8(4), 2014; as algebra, a product of the adjacency matrix with a bit matrix over (OR, AND).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import BLOCK, blocks, kernel, offset

WORD = 64  # sources searched at once
PULL_SHARE = 1 / 16  # of the arcs: a frontier with more of them is pulled

Array = Any


def multi_source(G: Any, sources: Sequence[int]) -> Array:
    """Levels from each source: an int32 array [len(sources), n] of the graph's engine, -1 where unreached.

    O(ceil(k / 64) · (V + E) · levels shared) work and 4·k·n bytes of result.
    """
    chosen = np.asarray(sources, np.int32)
    levels = G.engine.xp.full((len(chosen), G.n), -1, np.int32)
    if G.engine.name == "cpu":
        from graphla.algorithms.bfs._words import search_words

        search_words(G.csr.indptr, G.csr.indices, chosen, levels)
        return levels
    for first in range(0, len(chosen), WORD):
        _search(G, chosen[first : first + WORD], levels[first : first + WORD])
    return levels


def _start(G: Any, sources: Array, levels: Array) -> Array:
    """The first frontier: bit s at source s, several bits where sources coincide."""
    xp = G.engine.xp
    words = np.zeros(G.n, np.uint64)
    for s, v in enumerate(sources):
        words[v] |= np.uint64(1) << np.uint64(s)
    levels[xp.arange(len(sources)), xp.asarray(sources)] = 0
    return xp.asarray(words)


def _search(G: Any, sources: Array, levels: Array) -> None:
    """One word of sources: push or pull, level by level, with one read-back each."""
    xp, out, into = G.engine.xp, G.csr, G.csc
    push, settle, pull = (
        kernel(G, "_multi_source", f"{name}<{offset(out)}>") for name in ("push_words", "settle_words", "pull_words")
    )
    frontier = _start(G, sources, levels)
    seen, following = frontier.copy(), xp.empty(G.n, np.uint64)
    n, whole, by_warp = np.int32(G.n), blocks(G.n), blocks(G.n, BLOCK // 32)
    vertices, arcs, wanted = len(sources), 0, np.uint64(2 ** len(sources) - 1)
    depth = np.int32(0)
    while vertices:
        counts = xp.zeros(3, np.uint64)
        if arcs > PULL_SHARE * G.nvals:
            rows = (out.indptr, into.indptr, into.indices)
            pull(whole, BLOCK, (n, *rows, seen, frontier, following, levels, depth, wanted, counts))
        else:
            following.fill(0)
            push(by_warp, BLOCK, (n, out.indptr, out.indices, seen, frontier, following))
            settle(whole, BLOCK, (n, out.indptr, seen, following, levels, depth, counts))
        vertices, arcs, active = (int(x) for x in counts.tolist())
        frontier, following, wanted = following, frontier, np.uint64(active)
        depth += np.int32(1)


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
