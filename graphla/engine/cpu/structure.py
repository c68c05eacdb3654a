"""Functions on the structure of a matrix product. They read no values, so they are compiled once for all semirings."""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.entries.structure import ONE, span
from graphla.engine.cpu.jit import inner, njit


@inner()
def mark_mask(i, mode, mask_indptr, mask_indices, marks):  # type: ignore[no-untyped-def]
    """Mark the columns of row i of the mask with i + 1."""
    if mode != 0:
        for q in range(mask_indptr[i], mask_indptr[i + 1]):
            marks[mask_indices[q]] = i + 1


@njit()
def count_entries(first, last, ap, aj, bp, bj, mode, mask_indptr, mask_indices, counts, seen, marks):  # type: ignore[no-untyped-def]
    """Count the entries of each row of C = A ⊕.⊗ B; `seen` and `marks` are zero for each column."""
    for i in range(first, last):
        stamp, entries = np.int32(i + 1), np.uint64(0)
        mark_mask(i, mode, mask_indptr, mask_indices, marks)
        p, row_end = span(ap, i)
        while p < row_end:
            q, other_end = span(bp, np.uint64(aj[p]))
            while q < other_end:
                j = np.uint64(bj[q])
                if mode == 0 or (marks[j] == stamp) == (mode == 1):
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
