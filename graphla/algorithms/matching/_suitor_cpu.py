"""Vertices propose to the best neighbour that has no better proposal: in blocks, or one by one if weights count.

The keys of two edges differ, so a key that a vertex holds already is its own edge's: no comparison need be strict, and
the least key stands for no proposal. What indexes is unsigned: of other numbers Numba tests the sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.matching._keys import FIRST, INNER_SHIFT, OUTER_SHIFT, SECOND, make_salt
from graphla.engine.cpu.jit import njit

A, B = np.uint64(FIRST), np.uint64(SECOND)
OVER_A, OVER_B = np.uint64(pow(FIRST, -1, 1 << 64)), np.uint64(pow(SECOND, -1, 1 << 64))
"""What undoes a product with the multipliers, modulo 2^64."""
OUTER, INNER, HALF = np.uint64(OUTER_SHIFT), np.uint64(INNER_SHIFT), np.uint64(32)
LEAST = np.int64(-(1 << 63))
BLOCK = 64
"""Vertices that propose at once: enough that no look waits for another, few enough that they rarely clash."""


@njit()
def find_key(u, v, salt):  # type: ignore[no-untyped-def]
    """The hash of an edge, as in _keys.py; of unsigned ends."""
    x = (np.uint64(min(u, v)) << HALF | np.uint64(max(u, v))) ^ salt
    x = (x ^ (x >> OUTER)) * A
    x = (x ^ (x >> INNER)) * B
    return np.int64(x ^ (x >> OUTER))


@njit()
def find_other_end(key, v, salt):  # type: ignore[no-untyped-def]
    """The end of an edge that is not v, from the key of the edge: the steps of the hash are undone."""
    x = np.uint64(key)
    x = (x ^ (x >> OUTER) ^ (x >> (OUTER + OUTER))) * OVER_B
    x = (x ^ (x >> INNER)) * OVER_A
    x = x ^ (x >> OUTER) ^ (x >> (OUTER + OUTER)) ^ salt
    return np.int32((x >> HALF) + np.uint64(np.uint32(x)) - np.uint64(v))


@njit(inline="always")
def find_best(v, indptr, indices, salt, best_keys):  # type: ignore[no-untyped-def]
    """The greatest key of an arc to a neighbour that has no better proposal, and this neighbour or -1.

    Nothing but a maximum goes from arc to arc, so those of a long row are read side by side.
    """
    best, there = LEAST, False
    for k in range(np.uint64(indptr[v]), np.uint64(indptr[v + np.uint32(1)])):
        u = np.uint32(indices[k])
        key = find_key(u, v, salt)
        allowed = (key >= best_keys[u]) & (u != v)
        best, there = max(best, key if allowed else LEAST), there | allowed
    target = np.int32(-1)
    if there:
        target = find_other_end(best, v, salt)
    return best, target


@njit()
def propose_in_blocks(indptr, indices, salt, suitors, best_keys, waiting, targets, keys):  # type: ignore[no-untyped-def]
    """Fill in, for each vertex, who proposes to it in the end, if weights do not count.

    All vertices of a block look for their best neighbour before the first of them proposes; who is late or ousted waits
    for the next block. What is the best of more neighbours is so of fewer, if it is among them.
    """
    count, fresh = np.uint64(0), 0
    while count or fresh < suitors.size:
        while count < waiting.size and fresh < suitors.size:
            waiting[count] = fresh
            count, fresh = count + np.uint64(1), fresh + 1
        for i in range(count):
            keys[i], targets[i] = find_best(np.uint32(waiting[i]), indptr, indices, salt, best_keys)
        size, count = count, np.uint64(0)
        for i in range(size):
            if targets[i] >= 0:
                v, u, key = waiting[i], np.uint32(targets[i]), keys[i]
                other, wins = suitors[u], key >= best_keys[u]
                suitors[u], best_keys[u] = v if wins else other, max(key, best_keys[u])
                loser = other if wins else v
                waiting[count] = loser
                count += np.uint64(loser >= 0)


@njit()
def propose_in_turn(indptr, indices, heights, salt, suitors, best_heights, best_keys):  # type: ignore[no-untyped-def]
    """Fill in, for each vertex, who proposes to it in the end; only arcs as heavy as the best are hashed."""
    for first in range(suitors.size):
        proposer = np.int32(first)
        while proposer >= 0:
            v, target, height, key = np.uint32(proposer), np.int32(-1), np.uint32(0), LEAST
            for k in range(np.uint64(indptr[v]), np.uint64(indptr[v + np.uint32(1)])):
                u, h = np.uint32(indices[k]), heights[k]
                if h < height or h < best_heights[u] or u == v:
                    continue
                mine = find_key(u, v, salt)
                if (h > height or mine >= key) and (h > best_heights[u] or mine >= best_keys[u]):
                    target, height, key = np.int32(u), h, mine
            if target < 0:
                break
            u = np.uint32(target)
            proposer, suitors[u] = suitors[u], proposer
            best_heights[u], best_keys[u] = height, key


def match_edges(csr: Any, heights: Any, seed: int) -> Any:
    """The mate of each vertex, or -1: int32; `heights` are None if weights do not count."""
    n, salt = csr.nrows, make_salt(seed)
    suitors, best_keys = np.full(n, -1, np.int32), np.full(n, LEAST)
    if heights is None:
        block = np.empty(BLOCK, np.int32), np.empty(BLOCK, np.int32), np.empty(BLOCK, np.int64)
        propose_in_blocks(csr.indptr, csr.indices, salt, suitors, best_keys, *block)
    else:
        propose_in_turn(csr.indptr, csr.indices, heights, salt, suitors, np.zeros(n, np.uint32), best_keys)
    return suitors
