"""Functions on the structure of a matrix product. They read no values, so they are compiled once for all semirings."""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.entries.structure import ONE, SKEWED, find, span
from graphla.engine.cpu.jit import inner, njit


@inner()
def mark_row(i, indptr, indices, marks):  # type: ignore[no-untyped-def]
    """Mark the columns of row i with i + 1."""
    p, end = span(indptr, i)
    while p < end:
        marks[np.uint64(indices[p])] = i + 1
        p += ONE


@inner()
def leave_out(columns, begin, end, i, indptr, indices, marks):  # type: ignore[no-untyped-def]
    """Drop the columns that row i of a mask has; return where the others end.

    The mask's row is marked, or bisected for each column if it is far longer.
    """
    n, (low, high) = begin, span(indptr, i)
    bisects = high - low > SKEWED * np.uint64(end - begin)
    if not bisects:
        mark_row(i, indptr, indices, marks)
    for m in range(begin, end):
        j = columns[m]
        columns[n] = j
        if bisects:
            q = find(indices, low, high, j)
            n += np.int64(q == high or indices[q] != j)
        else:
            n += np.int64(marks[j] != i + 1)
    return n


@njit()
def count_entries(first, last, ap, aj, bp, bj, counts, seen):  # type: ignore[no-untyped-def]
    """Count the entries of each row of C = A ⊕.⊗ B before any mask; `seen` is zero for each column."""
    for i in range(first, last):
        stamp, entries = np.int32(i + 1), np.uint64(0)
        p, row_end = span(ap, i)
        while p < row_end:
            q, other_end = span(bp, np.uint64(aj[p]))
            while q < other_end:
                j = np.uint64(bj[q])
                entries += np.uint64(seen[j] != stamp)
                seen[j] = stamp
                q += ONE
            p += ONE
        counts[i] = np.int64(entries)
    return 0


@inner()
def mark_positions(indptr, indices, row, marks, positions):  # type: ignore[no-untyped-def]
    """Mark the columns of a row with ``row + 1``, and keep the position of each."""
    p, end = span(indptr, row)
    while p < end:
        marks[np.uint64(indices[p])] = row + 1
        positions[np.uint64(indices[p])] = p
        p += ONE
