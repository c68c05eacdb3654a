"""Triangles on every core by merging sorted rows; see `merge`. A thread takes some vertices at a time."""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.atomic import fetch_and_add
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import WORTH_A_THREAD, count_workers, run_for_each

TAKEN = 4096  # vertices that a thread takes at a time


@njit(inline="always")
def _merge_rows(a, a_end, b, b_end, indices, counts):  # type: ignore[no-untyped-def]
    """The heads that two parts of rows have in common."""
    found = np.int64(0)
    while a < a_end and b < b_end:
        x, y = indices[a], indices[b]
        if x == y:
            found += 1
            if counts.size:
                counts[x] += 1
        a += x <= y
        b += y <= x
    return found


@njit()
def _merge(taken, indptr, indices, counts):  # type: ignore[no-untyped-def]
    """The triangles of which some vertices, those that this thread takes, are the smallest; `counts` may be empty."""
    n, total = indptr.size - 1, np.int64(0)
    while True:
        start = fetch_and_add(taken, 0, TAKEN)
        if start >= n:
            return total
        for u in range(start, min(n, start + TAKEN)):
            for k in range(indptr[u], indptr[u + 1] - 1):
                v = indices[k]
                if v <= u:
                    continue
                found = _merge_rows(k + 1, indptr[u + 1], indptr[v], indptr[v + 1], indices, counts)
                total += found
                if counts.size and found:
                    counts[u] += found
                    counts[v] += found


def count_merged(csr: Any, per_vertex: bool) -> Any:
    """The number of triangles, or those of each vertex."""
    workers, taken = count_workers() if csr.nvals >= WORTH_A_THREAD else 1, np.zeros(1, np.int64)
    counts = np.zeros((workers, csr.nrows if per_vertex else 0), np.int64)
    found = run_for_each(lambda worker: _merge(taken, csr.indptr, csr.indices, counts[worker]), range(workers))
    return counts.sum(axis=0) if per_vertex else sum(found)
