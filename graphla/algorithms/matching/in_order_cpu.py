"""A maximal matching by one loop over the edges as they come."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def match(indptr, indices, mates):  # type: ignore[no-untyped-def]
    """Match each vertex with the first later one of its row that is free."""
    for u in range(mates.size):
        k = indptr[u]
        while mates[u] < 0 and k < indptr[u + 1]:
            v = indices[k]
            if v > u and mates[v] < 0:
                mates[u], mates[v] = v, u
            k += 1


def match_in_order(rows: Any) -> tuple[Any, Any]:
    """The edges: their earlier ends and their later ones."""
    mates = np.full(rows.indptr.size - 1, -1, np.int32)
    match(rows.indptr, rows.indices, mates)
    tails = np.flatnonzero(mates > np.arange(mates.size))
    return tails, mates[tails]
