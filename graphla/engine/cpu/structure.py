"""Functions on the structure of a matrix product. They read no values, so they are compiled once for all semirings."""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.entries.structure import ONE, span
from graphla.engine.cpu.jit import inner, njit

FEW = 24
"""Columns up to which insertion sorts faster than quicksort."""


@inner()
def make_marks(width):  # type: ignore[no-untyped-def]
    """Allocate a mark for each column, which no row has set: row i sets i + 1."""
    marks = np.empty(width, np.int32)
    for j in range(width):
        marks[j] = 0
    return marks


@inner()
def mark_mask(i, mode, mask_indptr, mask_indices, marks):  # type: ignore[no-untyped-def]
    """Mark the columns of row i of the mask with i + 1."""
    if mode != 0:
        for q in range(mask_indptr[i], mask_indptr[i + 1]):
            marks[mask_indices[q]] = i + 1


@inner()
def insert_sorted(columns, begin, end):  # type: ignore[no-untyped-def]
    """Sort ``columns[begin:end]`` in place by insertion, which is the fastest for a few."""
    for i in range(begin + 1, end):
        column, j = columns[i], i
        while j > begin and columns[j - 1] > column:
            columns[j] = columns[j - 1]
            j -= 1
        columns[j] = column


@inner()
def split_part(columns, begin, end):  # type: ignore[no-untyped-def]
    """Part ``columns[begin:end]`` in two by the median of three of them; return where the second part begins."""
    a, b, c = columns[begin], columns[(begin + end) // 2], columns[end - 1]
    pivot = max(min(a, b), min(max(a, b), c))
    i, j = begin, end - 1
    while True:
        while columns[i] < pivot:
            i += 1
        while columns[j] > pivot:
            j -= 1
        if i >= j:
            return j + 1
        columns[i], columns[j] = columns[j], columns[i]
        i += 1
        j -= 1


@inner()
def sort_part(columns, begin, end):  # type: ignore[no-untyped-def]
    """Sort ``columns[begin:end]`` in place: Hoare's quicksort, which compiles in half the time of Numba's."""
    begins, ends, parts = np.empty(64, np.int64), np.empty(64, np.int64), 0
    while True:
        if end - begin <= FEW:
            insert_sorted(columns, begin, end)
            if parts == 0:
                return
            parts -= 1
            begin, end = begins[parts], ends[parts]
        else:
            middle = split_part(columns, begin, end)
            if middle - begin > end - middle:
                begins[parts], ends[parts], begin = begin, middle, middle
            else:
                begins[parts], ends[parts], end = middle, end, middle
            parts += 1


@njit()
def count_entries(first, last, ap, aj, bp, bj, width, mode, mask_indptr, mask_indices, counts):  # type: ignore[no-untyped-def]
    """Count the entries of each row of C = A ⊕.⊗ B."""
    seen, marks = make_marks(width), make_marks(width if mode else 1)
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
