"""One pass over the vertices by falling priority."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def choose(order, indptr, indices, chosen, beside):  # type: ignore[no-untyped-def]
    """Choose each vertex, in order, that has no chosen neighbour."""
    for i in range(order.size - 1, -1, -1):
        v = order[i]
        if not beside[v]:
            chosen[v] = True
            for k in range(indptr[v], indptr[v + 1]):
                beside[indices[k]] = True


def choose_all(csr: Any, priorities: Any) -> Any:
    """Whether each vertex is chosen."""
    chosen, beside = np.zeros(csr.nrows, bool), np.zeros(csr.nrows, bool)
    low = np.int64((1 << 31) - 1)
    choose((np.sort(priorities) & low).astype(np.int32), csr.indptr, csr.indices, chosen, beside)
    return chosen
