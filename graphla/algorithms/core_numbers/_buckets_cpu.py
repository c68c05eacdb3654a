"""Vertices in an array by the number of neighbours they have left; one that loses a neighbour moves one bucket down."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def peel(indptr, indices, core, begin, order, place):  # type: ignore[no-untyped-def]
    """Fill in the core numbers of a graph, whose loops do not count; `begin` is 0 before, a bucket for each degree.

    A vertex that is the first of its bucket changes places with itself, for no branch could foresee it; what indexes
    is unsigned: of other numbers Numba tests the sign.
    """
    n, most = core.size, np.int32(0)
    for v in range(n):
        loops = 0
        for k in range(indptr[v], indptr[v + 1]):
            loops += indices[k] == v
        core[v] = indptr[v + 1] - indptr[v] - loops
        most = max(most, core[v])
    for v in range(n):
        begin[core[v] + 1] += 1
    for d in range(most + 1):
        begin[d + 1] += begin[d]
    for v in range(n):
        place[v] = begin[core[v]]
        order[place[v]] = v
        begin[core[v]] += 1
    for d in range(most, 0, -1):
        begin[d] = begin[d - 1]
    begin[0] = 0
    for i in range(n):
        v = np.uint32(order[i])
        least = core[v]
        for k in range(np.uint64(indptr[v]), np.uint64(indptr[v + np.uint32(1)])):
            u = np.uint32(indices[k])
            degree = core[u]
            if degree > least:
                first, behind = np.uint32(begin[np.uint32(degree)]), np.uint32(place[u])
                w = np.uint32(order[first])
                order[first], order[behind] = u, w
                place[w], place[u] = behind, first
                begin[np.uint32(degree)] = first + np.uint32(1)
                core[u] = degree - np.int32(1)


def find_cores(csr: Any) -> Any:
    """The core number of each vertex: int32."""
    core, order, place = (np.empty(csr.nrows, np.int32) for _ in range(3))
    begin = np.zeros(int(np.diff(csr.indptr).max(initial=0)) + 2, np.int32)
    peel(csr.indptr, csr.indices, core, begin, order, place)
    return core
