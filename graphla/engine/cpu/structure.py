"""Functions on the structure of a matrix product. They read no values, so they are compiled once for all semirings."""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.entries.structure import ONE, span
from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.sort import sort_part


@inner()
def mark_mask(i, mode, mask_indptr, mask_indices, marks):  # type: ignore[no-untyped-def]
    """Mark the columns of row i of a mask that leaves them out (mode 2) with i + 1."""
    if mode == 2:
        for q in range(mask_indptr[i], mask_indptr[i + 1]):
            marks[mask_indices[q]] = i + 1


@inner()
def sort_row(columns, begin, end, mode, marks, stamp):  # type: ignore[no-untyped-def]
    """Sort the columns of a row, without those that are marked if there is a mask; return where they end."""
    n = begin
    if mode == 2:
        for m in range(begin, end):
            columns[n] = columns[m]
            n += np.int64(marks[columns[m]] != stamp)
    else:
        n = end
    sort_part(columns, begin, n)
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
