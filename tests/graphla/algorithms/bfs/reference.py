"""The search that the methods are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.storage import Array


def compute_reference_levels(csr: Any, source: int) -> Array:
    """Levels by the plain queue of the textbook, one vertex at a time; -1 where unreached."""
    levels = np.full(csr.nrows, -1, np.int32)
    levels[source] = 0
    queue = [source]
    for u in queue:
        for v in csr.indices[csr.indptr[u] : csr.indptr[u + 1]].tolist():
            if levels[v] < 0:
                levels[v] = levels[u] + 1
                queue.append(v)
    return levels
