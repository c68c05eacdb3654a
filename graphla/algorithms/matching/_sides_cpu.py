"""The two sides of a bipartite graph by one search with a queue."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def split(indptr, indices, sides, queue):  # type: ignore[no-untyped-def]
    """Fill in the sides, which are -1 at first; return the first arc within a side, or -1 twice."""
    for root in range(sides.size):
        if sides[root] >= 0:
            continue
        sides[root], queue[0], first, last = 1, root, 0, 1
        while first < last:
            u = queue[first]
            first += 1
            for k in range(indptr[u], indptr[u + 1]):
                v = indices[k]
                if sides[v] < 0:
                    sides[v], queue[last] = 1 - sides[u], v
                    last += 1
                elif sides[v] == sides[u] and u != v:
                    return u, v
    return -1, -1


def split_sides(csr: Any) -> tuple[Any, tuple[int, int] | None]:
    """Whether each vertex is on the side of the smallest one of its component; an arc within a side, or None."""
    sides = np.full(csr.nrows, -1, np.int8)
    u, v = split(csr.indptr, csr.indices, sides, np.empty(csr.nrows, np.int32))
    return sides == 1, None if u < 0 else (int(u), int(v))
