"""Row ranges over all cores: kernels let go of the interpreter lock, so plain threads will do."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

WORTH_A_THREAD = 100_000
"""Entries below which a second thread costs more than it saves (about 50 µs to start, 0.5 ns an entry)."""


@cache
def workers() -> int:
    """Threads to use: GRAPHLA_THREADS, or the cores this process may use."""
    return max(1, int(os.environ.get("GRAPHLA_THREADS") or len(os.sched_getaffinity(0))))


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers(), thread_name_prefix="graphla")


def ranges(indptr: Any, parts: int) -> list[tuple[int, int]]:
    """Row ranges with about as many entries each."""
    rows = indptr.shape[0] - 1
    goals = np.linspace(0, int(indptr[-1]) + rows, parts + 1)[1:-1]
    cuts = [bisect_left(range(rows), goal, key=lambda row: int(indptr[row]) + row) for goal in goals]
    edges = [0, *cuts, rows]
    return list(pairwise(edges))


def over_rows(kernel: Callable[..., Any], indptr: Any, entries: int, *args: Any) -> list[Any]:
    """kernel(first, last, indptr, ...) for row ranges that together are all rows; the results in order."""
    parts = 1 if entries < WORTH_A_THREAD else workers()
    if parts == 1:
        return [kernel(0, indptr.shape[0] - 1, indptr, *args)]
    pieces = ranges(indptr, 4 * parts)
    return list(_pool().map(lambda piece: kernel(*piece, indptr, *args), pieces))
