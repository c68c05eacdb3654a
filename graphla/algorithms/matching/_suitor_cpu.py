"""One vertex after the other proposes to the best neighbour that has no better proposal."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.matching._keys import FIRST, INNER_SHIFT, OUTER_SHIFT, SECOND, make_salt
from graphla.engine.cpu.jit import njit

A, B = np.uint64(FIRST), np.uint64(SECOND)
OUTER, INNER, HALF = np.uint64(OUTER_SHIFT), np.uint64(INNER_SHIFT), np.uint64(32)


@njit()
def find_key(u, v, salt):  # type: ignore[no-untyped-def]
    """The hash of an edge, as in _keys.py."""
    x = (np.uint64(min(u, v)) << HALF | np.uint64(max(u, v))) ^ salt
    x = (x ^ (x >> OUTER)) * A
    x = (x ^ (x >> INNER)) * B
    return np.int64(x ^ (x >> OUTER))


@njit()
def propose_all(indptr, indices, heights, salt, suitors, best_heights, best_keys):  # type: ignore[no-untyped-def]
    """Fill in, for each vertex, who proposes to it in the end; `heights` is empty if weights do not count."""
    for first in range(suitors.size):
        v = first
        while v >= 0:
            target, height, key = -1, np.uint32(0), np.int64(0)
            for k in range(indptr[v], indptr[v + 1]):
                u, h = indices[k], heights[k] if heights.size else np.uint32(0)
                if u == v or h < height or (heights.size and h < best_heights[u]):
                    continue
                mine = find_key(u, v, salt)
                if target >= 0 and h == height and mine < key:
                    continue  # without weights before a look at u, which is far away in memory
                if suitors[u] < 0 or h > best_heights[u] or mine > best_keys[u]:
                    target, height, key = u, h, mine
            if target < 0:
                break
            v, suitors[target] = suitors[target], v
            best_heights[target], best_keys[target] = height, key


def match_edges(csr: Any, heights: Any, seed: int) -> Any:
    """The mate of each vertex, or -1: int32."""
    n = csr.nrows
    suitors, best_heights, best_keys = np.full(n, -1, np.int32), np.zeros(n, np.uint32), np.zeros(n, np.int64)
    heights = np.zeros(0, np.uint32) if heights is None else heights
    propose_all(csr.indptr, csr.indices, heights, make_salt(seed), suitors, best_heights, best_keys)
    return suitors
