"""Breadth-first search from many sources on the CPU: 64 to a word, a core to a word."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.threads import run_for_each


@inner()
def _settle(queue, size, fresh, seen, frontier, levels, depth):  # type: ignore[no-untyped-def]
    """What came to the vertices of the queue becomes seen and is the frontier."""
    for i in range(size):
        v = queue[i]
        bits = fresh[v]
        fresh[v] = np.uint64(0)
        seen[v] |= bits
        frontier[v] = bits
        for s in range(levels.shape[0]):
            if (bits >> np.uint64(s)) & np.uint64(1):
                levels[s, v] = depth


@njit()
def _search_word(  # type: ignore[no-untyped-def]
    indptr, indices, sources, levels, seen, frontier, fresh, queue, following
):
    """Up to 64 sources: push from the vertices whose word changed; all words are 0 before."""
    zero = np.uint64(0)
    size, depth = np.int64(0), np.int64(0)  # 0 would be a type of its own, and `_settle` compiled for it, too
    for s in range(sources.size):
        v = sources[s]
        if fresh[v] == zero:
            queue[size] = v
            size += 1
        fresh[v] |= np.uint64(1) << np.uint64(s)
    _settle(queue, size, fresh, seen, frontier, levels, depth)
    while size:
        found = np.int64(0)
        for i in range(size):
            u = queue[i]
            for k in range(indptr[u], indptr[u + 1]):
                v = indices[k]
                bits = frontier[u] & ~seen[v]
                if bits:
                    if fresh[v] == zero:
                        following[found] = v
                        found += 1
                    fresh[v] |= bits
        depth += 1
        queue, following, size = following, queue, found
        _settle(queue, size, fresh, seen, frontier, levels, depth)


def search_words(indptr: Any, indices: Any, sources: Any, levels: Any) -> None:
    """Fill levels[s, v] for all sources; the words of 64 sources are shared among the cores."""

    def search(s: int) -> None:
        words, queues = np.zeros((3, levels.shape[1]), np.uint64), np.empty((2, levels.shape[1]), np.int32)
        _search_word(indptr, indices, sources[s : s + 64], levels[s : s + 64], *words, *queues)

    run_for_each(search, range(0, len(sources), 64))
