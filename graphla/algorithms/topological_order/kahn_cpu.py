"""A queue of the vertices that no arc enters any more."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def remove(indptr, indices, waits, levels, queue):  # type: ignore[no-untyped-def]
    """Fill in the levels, and return the number of vertices that were removed; `waits` begins with zeros."""
    n, size = levels.size, 0
    for k in range(indptr[n]):
        waits[indices[k]] += 1
    for v in range(n):
        levels[v] = -1
        if waits[v] == 0:
            levels[v], queue[size] = 0, v
            size += 1
    place = 0
    while place < size:
        u = queue[place]
        place += 1
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            waits[v] -= 1
            if waits[v] == 0:
                levels[v], queue[size] = levels[u] + 1, v
                size += 1
    return size


@njit()
def sort_levels(levels, begin, order):  # type: ignore[no-untyped-def]
    """The vertices by their levels; `begin` holds as many zeros as there are levels, and one more."""
    for v in range(levels.size):
        if levels[v] >= 0:
            begin[levels[v] + 1] += 1
    for k in range(begin.size - 1):
        begin[k + 1] += begin[k]
    for v in range(levels.size):
        if levels[v] >= 0:
            order[begin[levels[v]]] = v
            begin[levels[v]] += 1


def find_order(csr: Any) -> tuple[Any, Any]:
    """The order, shorter if there is a cycle, and the levels, -1 of vertices that are left: int32."""
    waits, levels, queue = np.zeros(csr.nrows, np.int32), np.empty(csr.nrows, np.int32), np.empty(csr.nrows, np.int32)
    size = remove(csr.indptr, csr.indices, waits, levels, queue)
    order, deepest = np.empty(size, np.int32), levels[queue[size - 1]] if size else -1
    sort_levels(levels, np.zeros(deepest + 2, np.int32), order)
    return order, levels
