"""Functions on the structure of a matrix product. They read no values, so they are compiled once for all semirings."""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def make_marks(width):  # type: ignore[no-untyped-def]
    """Allocate a mark for each column, which no row has set."""
    return np.full(width, -1, np.int64)


@njit()
def stamp_mask(i, mode, mask_indptr, mask_indices, marks):  # type: ignore[no-untyped-def]
    """Mark the columns of row i of the mask with i."""
    if mode != 0:
        for q in range(mask_indptr[i], mask_indptr[i + 1]):
            marks[mask_indices[q]] = i


@njit()
def sort_part(columns, begin, end):  # type: ignore[no-untyped-def]
    """Sort ``columns[begin:end]`` in place."""
    columns[begin:end].sort()


@njit()
def count_entries(first, last, ap, aj, bp, bj, width, mode, mask_indptr, mask_indices, counts):  # type: ignore[no-untyped-def]
    """Count the entries of each row of C = A ⊕.⊗ B."""
    seen, marks = make_marks(width), make_marks(width if mode else 1)
    for i in range(first, last):
        stamp_mask(i, mode, mask_indptr, mask_indices, marks)
        entries = 0
        for p in range(ap[i], ap[i + 1]):
            for q in range(bp[aj[p]], bp[aj[p] + 1]):
                j = bj[q]
                if seen[j] != i and (mode == 0 or (marks[j] == i) == (mode == 1)):
                    seen[j] = i
                    entries += 1
        counts[i] = entries
    return 0
