"""Searches from one source each, on every core, that touch only what they reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.eccentricity._bounds_cpu import search
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import count_workers, run_for_each


@njit()
def _measure(indptr, indices, sources, none, found):  # type: ignore[no-untyped-def]
    """Fill in the eccentricities of some sources."""
    n = indptr.size - 1
    distance, queue = np.full(n, -1, np.int32), np.empty(n, np.int32)
    for i in range(sources.size):
        count = search(indptr, indices, sources[i], none, np.bool_(False), distance, queue)
        found[i] = distance[queue[count - 1]]
        for k in range(count):
            distance[queue[k]] = -1


def search_each(csr: Any, sources: list[int]) -> Any:
    """The eccentricity of each source: int32."""
    chosen, found, none = np.asarray(sources, np.int32), np.empty(len(sources), np.int32), np.zeros(csr.nrows, np.int32)
    parts = np.array_split(np.arange(chosen.size), max(1, min(chosen.size, 4 * count_workers())))
    pieces = [slice(part[0], part[-1] + 1) for part in parts if part.size]
    run_for_each(lambda p: _measure(csr.indptr, csr.indices, chosen[p], none, found[p]), pieces)
    return found
