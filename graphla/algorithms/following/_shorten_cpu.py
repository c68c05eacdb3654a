"""Distances that fall, by Dijkstra's algorithm from the heads of the arcs that are new or shorter."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.nearby_cpu import pop, push
from graphla.engine.cpu.jit import inner, njit

Array = Any


@inner()
def relax(v, d, w, infinity, distance, heap, size):  # type: ignore[no-untyped-def]
    """Let a vertex have a shorter distance, and wait for its turn; how many wait, -1 if it leaves the dtype."""
    if not w < infinity - d:
        return -1
    far = distance.dtype.type(d + w)
    if far >= distance[v]:
        return size
    distance[v] = far
    push(heap[0], heap[1], size, far, v)
    return size + 1


@njit()
def shorten(indptr, indices, weights, tails, heads, changed, infinity, distance, heap, most):  # type: ignore[no-untyped-def]
    """Bring distances up to date, unless one leaves the dtype or it takes more than `most` arcs; whether that is done.

    `changed` are the weights of the arcs that changed. Weights of one number are those of all arcs.
    """
    size = 0
    for e in range(tails.size):
        d = distance[tails[e]]
        if d < infinity:
            size = relax(heads[e], d, changed[e if changed.size > 1 else 0], infinity, distance, heap, size)
            if size < 0:
                return False
    while size > 0:
        d, u = heap[0][0], heap[1][0]
        pop(heap[0], heap[1], size)
        size -= 1
        if d > distance[u]:
            continue
        most -= indptr[u + 1] - indptr[u]
        if most < 0:
            return False
        for e in range(indptr[u], indptr[u + 1]):
            size = relax(indices[e], d, weights[e if weights.size > 1 else 0], infinity, distance, heap, size)
            if size < 0:
                return False
    return True


def shorten_on_cpu(
    csr: Any, weights: Array, arcs: Any, changed: Array, infinity: Any, distance: Array, most: int
) -> bool:
    """Bring distances up to date in their array, as `shorten` does. A vertex waits once for each arc."""
    room = csr.nvals + arcs.rows.size + 1
    heap = np.empty(room, distance.dtype), np.empty(room, np.int32)
    return shorten(csr.indptr, csr.indices, weights, arcs.rows, arcs.cols, changed, infinity, distance, heap, most)
