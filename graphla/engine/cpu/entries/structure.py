"""Kernels that read only the structure of matrices, or copy values without an operator: compiled once for a dtype.

Each takes a range of rows. Positions are unsigned, because a signed index could be negative, which NumPy counts from
the end.
"""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.sort import sort_part

ONE = np.uint64(1)
SHORT = np.uint64(32)
"""Entries among which looking at each beats another bisection."""
SKEWED = np.uint64(16)
"""A row that is longer by this factor is bisected: a step of the walk takes 2 ns, a bisection 20 to 40."""


@njit(inline="always")
def span(indptr, row):  # type: ignore[no-untyped-def]
    """Return the first position of a row, and the position after its last."""
    return np.uint64(indptr[row]), np.uint64(indptr[row + 1])


@njit(inline="always")
def skew(a_entries, b_entries):  # type: ignore[no-untyped-def]
    """Return whether row A is so much longer than row B that bisecting it beats walking over it, and the converse."""
    return a_entries > SKEWED * b_entries, b_entries > SKEWED * a_entries


@njit()
def find(indices, low, high, column):  # type: ignore[no-untyped-def]
    """Return the first position from `low` on whose column is not less than `column`; `high` if there is none."""
    while low < high:
        middle = (low + high) >> ONE
        if indices[middle] < column:
            low = middle + ONE
        else:
            high = middle
    return low


@njit()
def count_union(first, last, ap, bp, aj, bj, counts):  # type: ignore[no-untyped-def]
    """Count the columns that A or B has in each row."""
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        entries = np.uint64(0)
        while p < a_end and q < b_end:
            i, j = aj[p], bj[q]
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            entries += ONE
        counts[row] = np.int64(entries + (a_end - p) + (b_end - q))
    return 0


@njit()
def count_intersection(first, last, ap, bp, aj, bj, counts):  # type: ignore[no-untyped-def]
    """Count the columns that both A and B have in each row."""
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        bisect_a, bisect_b = skew(a_end - p, b_end - q)
        entries = np.uint64(0)
        while p < a_end and q < b_end:
            if bisect_a:
                p = find(aj, p, a_end - ONE, bj[q])
            elif bisect_b:
                q = find(bj, q, b_end - ONE, aj[p])
            i, j = aj[p], bj[q]
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            entries += np.uint64(i == j)
        counts[row] = np.int64(entries)
    return 0


@njit()
def copy_inside(first, last, ap, bp, aj, ax, bj, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of A at columns that B has."""
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        bisect_a, bisect_b = skew(a_end - p, b_end - q)
        n, end = np.uint64(cp[row]), np.uint64(cp[row + 1])
        while n < end:
            if bisect_a:
                p = find(aj, p, a_end, bj[q])
            elif bisect_b:
                q = find(bj, q, b_end, aj[p])
            i, j = aj[p], bj[q]
            cj[n] = i
            cx[n] = ax[p]
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            n += np.uint64(i == j)
    return 0


@njit()
def overlay(first, last, ap, bp, aj, ax, bj, bx, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of B, and those of A at columns that B does not have."""
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        for n in range(np.uint64(cp[row]), np.uint64(cp[row + 1])):
            if q >= b_end or (p < a_end and aj[p] < bj[q]):
                cj[n] = aj[p]
                cx[n] = ax[p]
                p += ONE
            else:
                p += np.uint64(p < a_end and aj[p] == bj[q])
                cj[n] = bj[q]
                cx[n] = bx[q]
                q += ONE
    return 0


@njit()
def copy_outside(first, last, ap, bp, aj, ax, bj, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of A at columns that B does not have."""
    for row in range(first, last):
        p = np.uint64(ap[row])
        q, b_end = span(bp, row)
        n, end = np.uint64(cp[row]), np.uint64(cp[row + 1])
        while n < end and q < b_end:
            i, j = aj[p], bj[q]
            cj[n] = i
            cx[n] = ax[p]
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            n += np.uint64(i < j)
        while n < end:
            cj[n] = aj[p]
            cx[n] = ax[p]
            p += ONE
            n += ONE
    return 0


@njit()
def count_flagged(first, last, indptr, flags, counts):  # type: ignore[no-untyped-def]
    """Count the flagged entries of each row."""
    for row in range(first, last):
        p, end = span(indptr, row)
        entries = np.uint64(0)
        while p < end:
            entries += np.uint64(flags[p])
            p += ONE
        counts[row] = np.int64(entries)
    return 0


@njit()
def copy_flagged(first, last, indptr, flags, indices, values, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the flagged entries of each row."""
    for row in range(first, last):
        p = np.uint64(indptr[row])
        n, end = np.uint64(cp[row]), np.uint64(cp[row + 1])
        while n < end:
            cj[n] = indices[p]
            cx[n] = values[p]
            n += np.uint64(flags[p])
            p += ONE
    return 0


@njit()
def count_prefix(first, last, indptr, indices, slope, offset, counts):  # type: ignore[no-untyped-def]
    """Count the columns up to ``slope * row + offset`` in each row."""
    for row in range(first, last):
        bound = slope * row + offset
        low, high = span(indptr, row)
        begin = low
        while low < high:
            middle = (low + high) >> ONE
            if indices[middle] <= bound:
                low = middle + ONE
            else:
                high = middle
        counts[row] = np.int64(low - begin)
    return 0


@njit()
def count_outside(first, last, indptr, indices, rows, columns, counts):  # type: ignore[no-untyped-def]
    """Count the entries of each row that are not both in a flagged row and in a flagged column."""
    for row in range(first, last):
        p, end = span(indptr, row)
        entries = end - p
        while rows[row] and p < end:
            entries -= np.uint64(columns[indices[p]])
            p += ONE
        counts[row] = np.int64(entries)
    return 0


@njit()
def replace_part(first, last, ap, bp, aj, ax, bj, bx, rows, columns, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of A that are not both in a flagged row and in a flagged column, and those of B, which are."""
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        n, end = np.uint64(cp[row]), np.uint64(cp[row + 1])
        while not rows[row] and n < end:
            cj[n] = aj[p]
            cx[n] = ax[p]
            p += ONE
            n += ONE
        while n < end:
            while p < a_end and columns[aj[p]]:
                p += ONE
            if q >= b_end or (p < a_end and aj[p] < bj[q]):
                cj[n] = aj[p]
                cx[n] = ax[p]
                p += ONE
            else:
                cj[n] = bj[q]
                cx[n] = bx[q]
                q += ONE
            n += ONE
    return 0


@njit()
def count_numbered(first, last, rows, indptr, indices, number, counts):  # type: ignore[no-untyped-def]
    """Count the entries of the rows ``rows[first:last]`` whose column has a number."""
    for k in range(first, last):
        p, end = span(indptr, rows[k])
        entries = np.uint64(0)
        while p < end:
            entries += np.uint64(number[indices[p]] >= 0)
            p += ONE
        counts[k] = np.int64(entries)
    return 0


@njit()
def copy_numbered(first, last, rows, indptr, indices, values, number, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of ``rows[first:last]`` whose column has a number, under that number; the numbers rise."""
    for k in range(first, last):
        p = np.uint64(indptr[rows[k]])
        n, end = np.uint64(cp[k]), np.uint64(cp[k + 1])
        while n < end:
            column = number[indices[p]]
            cj[n] = column
            cx[n] = values[p]
            n += np.uint64(column >= 0)
            p += ONE
    return 0


@njit()
def copy_renumbered(first, last, rows, indptr, indices, values, number, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of ``rows[first:last]`` whose column has a number, sorted by that number."""
    longest = 0
    for k in range(first, last):
        longest = max(longest, cp[k + 1] - cp[k])
    keys = np.empty(longest, np.int64)
    for k in range(first, last):
        begin, entries, p = cp[k], cp[k + 1] - cp[k], np.int64(indptr[rows[k]])
        n = 0
        while n < entries:
            column = np.int64(number[indices[p]])
            keys[n] = (column << 32) | (p - np.int64(indptr[rows[k]]))
            n += column >= 0
            p += 1
        sort_part(keys, np.int64(0), entries)
        for n in range(entries):
            cj[begin + n] = keys[n] >> 32
            cx[begin + n] = values[np.int64(indptr[rows[k]]) + (keys[n] & 0xFFFFFFFF)]
    return 0


@njit()
def find_columns(first, last, rows, indptr, indices, wanted, found):  # type: ignore[no-untyped-def]
    """Find the position of each wanted column in the rows ``rows[first:last]``; -1 where there is no entry."""
    for k in range(first, last):
        begin, end = span(indptr, rows[k])
        for w in range(wanted.shape[0]):
            p = find(indices, begin, end, wanted[w])
            found[k, w] = np.int64(p) if p < end and indices[p] == wanted[w] else -1
    return 0


@njit()
def list_column(first, last, indptr, indices, column, out_rows, out_positions, counts):  # type: ignore[no-untyped-def]
    """List the rows from `first` on that have an entry in a column, from out_rows[first] on, and its position."""
    n = first
    for row in range(first, last):
        low, end = span(indptr, row)
        high = end
        while high - low > SHORT:
            middle = (low + high) >> ONE
            if indices[middle] < column:
                low = middle + ONE
            else:
                high = middle
        while low < high and indices[low] < column:
            low += ONE
        if low < end and indices[low] == column:
            out_rows[n] = row
            out_positions[n] = low
            n += 1
    counts[first] = n - first
    return 0


@njit()
def copy_runs(first, last, starts, indices, values, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy to each row a run of entries that begins at its start."""
    for k in range(first, last):
        p, n = np.uint64(starts[k]), np.uint64(cp[k])
        end = np.uint64(cp[k + 1])
        while n < end:
            cj[n] = indices[p]
            cx[n] = values[p]
            p += ONE
            n += ONE
    return 0


@njit()
def pair_entries(first, last, ap, bp, aj, bj, b_rows, b_columns, cp, cj, of_a, of_b):  # type: ignore[no-untyped-def]
    """List the pairs of entries of A and B that make the entries of each row of their Kronecker product."""
    for row in range(first, last):
        p, a_end = span(ap, row // b_rows)
        b_begin, b_end = span(bp, row % b_rows)
        n = np.uint64(cp[row])
        while p < a_end:
            begin, q = np.int64(aj[p]) * b_columns, b_begin
            while q < b_end:
                cj[n] = begin + bj[q]
                of_a[n] = p
                of_b[n] = q
                q += ONE
                n += ONE
            p += ONE
    return 0
