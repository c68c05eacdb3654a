"""Breadth-first search from many sources on the CPU: 64 to a word, a core to a word, or each alone on a core.

Sources share a look at an arc if they meet at it in one level. On roads and grids they rarely do: words that have seen
little after some levels are given up.
"""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs._direction_optimized_cpu import fill_levels
from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.popcount import popcount
from graphla.engine.cpu.threads import WORTH_A_THREAD, count_workers, run_for_each

DEEP = 32  # levels after which a word goes on if it has seen a share of what it may see:
SHARE = 2
ALONE = 8  # sources of each core up to which each alone is faster, on Kronecker graphs; pulls save more than sharing
WORD = 64
ONE, NONE = np.uint64(1), np.uint64(0)


@inner()
def _settle(queue, size, fresh, seen, frontier, levels, depth):  # type: ignore[no-untyped-def]
    """What came to the vertices of the queue becomes seen and is the frontier; returns how many bits these are."""
    count = np.int64(0)
    for i in range(size):
        v = np.uint32(queue[i])
        bits = fresh[v]
        fresh[v] = NONE
        seen[v] |= bits
        frontier[v] = bits
        while bits != NONE:
            below = bits - ONE
            levels[popcount(below & ~bits), v] = depth
            bits &= below
            count += 1
    return count


@njit()
def _search_word(  # type: ignore[no-untyped-def]
    indptr, indices, sources, levels, seen, frontier, fresh, queue, following, least
):
    """Up to 64 sources: push from the vertices whose word changed; all words are 0 before.

    Returns whether the searches ended. They are given up if they are deep and have seen less than `least`.
    """
    size, depth = np.uint64(0), np.int64(0)  # 0 would be a type of its own, and `_settle` compiled for it, too
    for s in range(sources.size):
        v = np.uint32(sources[s])
        if fresh[v] == NONE:
            queue[size] = v
            size += ONE
        fresh[v] |= ONE << np.uint64(s)
    count = _settle(queue, size, fresh, seen, frontier, levels, depth)
    while size and (depth != DEEP or count >= least):
        found = np.uint64(0)
        for i in range(size):
            u = np.uint32(queue[i])
            for k in range(np.uint64(indptr[u]), np.uint64(indptr[u + np.uint32(1)])):
                v = np.uint32(indices[k])
                bits = frontier[u] & ~seen[v]
                if bits:
                    if fresh[v] == NONE:
                        following[found] = v
                        found += ONE
                    fresh[v] |= bits
        depth += 1
        queue, following, size = following, queue, found
        count += _settle(queue, size, fresh, seen, frontier, levels, depth)
    return size == NONE


def search_words(G: Any, sources: Any, levels: Any) -> None:
    """Fill levels[s, v], -1 before, for all sources; they, or the words of 64, are shared among the cores."""
    large = G.nvals >= WORTH_A_THREAD
    if large and sources.size <= ALONE * count_workers():
        search_alone(G, sources, levels)
        return

    def search(first: int) -> Any:
        words, queues = np.zeros((3, G.n), np.uint64), np.empty((2, G.n), np.int32)
        some = sources[first : first + WORD]
        least = some.size * G.n // SHARE if large else 0
        return _search_word(*rows, some, levels[first : first + WORD], *words, *queues, least)

    rows, firsts = (G.csr.indptr, G.csr.indices), range(0, sources.size, WORD)
    for first, ended in zip(firsts, run_for_each(search, firsts), strict=True):
        if not ended:
            search_alone(G, sources[first : first + WORD], levels[first : first + WORD])


def search_alone(G: Any, sources: Any, levels: Any) -> None:
    """Fill the levels of each source by a search of its own; the cores share the sources."""
    out, into = G.csr, G.csc
    run_for_each(lambda s: fill_levels(out, into, int(sources[s]), levels[s]), range(sources.size))
