"""Kernels that read only the structure of matrices, or copy values without an operator: compiled once for a dtype.

Each takes a range of rows. Positions are unsigned, because a signed index could be negative, which NumPy counts from
the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.sort import sort_part

ONE = np.uint64(1)
SHORT = np.uint64(32)
"""Entries among which looking at each beats another bisection."""
SKEWED = np.uint64(16)
"""A row that is longer by this factor is bisected: a step of the walk takes 2 ns, a bisection 20 to 40."""


def measure(first: int, last: int, begin: int, indptr: Any, *_: Any) -> float:
    """The microseconds, about, that Python takes to walk over rows."""
    return last - first + 0.3 * int(indptr[last] - indptr[first])


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
def copy_inside(first, last, begin, ap, bp, aj, ax, bj, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of A at columns that B has."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        bisect_a, bisect_b = skew(a_end - p, b_end - q)
        while p < a_end and q < b_end:
            if bisect_a:
                p = find(aj, p, a_end - ONE, bj[q])
            elif bisect_b:
                q = find(bj, q, b_end - ONE, aj[p])
            i, j = aj[p], bj[q]
            cj[n] = i
            cx[n] = ax[p]
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            n += np.uint64(i == j)
        cp[row + 1] = n
    return np.int64(n)


@compile_late(
    0.2,
    lambda first, last, begin, ap, bp, *_: 2 * (measure(first, last, 0, ap) + measure(first, last, 0, bp)),
    views=True,
)
def overlay(first, last, begin, ap, bp, aj, ax, bj, bx, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of B, and those of A at columns that B does not have."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        while p < a_end and q < b_end:
            i, j = aj[p], bj[q]
            x, y = ax[p], bx[q]
            cj[n] = i if i < j else j
            cx[n] = x if i < j else y
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            n += ONE
        while p < a_end:
            cj[n] = aj[p]
            cx[n] = ax[p]
            p += ONE
            n += ONE
        while q < b_end:
            cj[n] = bj[q]
            cx[n] = bx[q]
            q += ONE
            n += ONE
        cp[row + 1] = n
    return np.int64(n)


@njit()
def copy_outside(first, last, begin, ap, bp, aj, ax, bj, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of A at columns that B does not have."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        while p < a_end and q < b_end:
            i, j = aj[p], bj[q]
            cj[n] = i
            cx[n] = ax[p]
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            n += np.uint64(i < j)
        while p < a_end:
            cj[n] = aj[p]
            cx[n] = ax[p]
            p += ONE
            n += ONE
        cp[row + 1] = n
    return np.int64(n)


@compile_late(0.1, measure, views=True)
def copy_flagged(first, last, begin, indptr, flags, indices, values, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the flagged entries of each row."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, end = span(indptr, row)
        while p < end:
            cj[n] = indices[p]
            cx[n] = values[p]
            n += np.uint64(flags[p])
            p += ONE
        cp[row + 1] = n
    return np.int64(n)


@njit()
def copy_window(first, last, begin, indptr, indices, values, slope, low, high, shift, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the columns from ``low + slope * row`` to before ``high + slope * row``, moved to the left by `shift`."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, end = span(indptr, row)
        left, right = low + slope * row, high + slope * row
        if end - p > SHORT:
            p = find(indices, p, end, left)
        while p < end and indices[p] < left:
            p += ONE
        while p < end and indices[p] < right:
            cj[n] = indices[p] - shift
            cx[n] = values[p]
            p += ONE
            n += ONE
        cp[row + 1] = n
    return np.int64(n)


@compile_late(0.1, measure, views=True)
def copy_off_diagonal(first, last, begin, indptr, indices, values, offset, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of each row but that in the column ``row + offset``."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, end = span(indptr, row)
        while p < end:
            cj[n] = indices[p]
            cx[n] = values[p]
            n += np.uint64(indices[p] != row + offset)
            p += ONE
        cp[row + 1] = n
    return np.int64(n)


@njit()
def replace_part(first, last, begin, ap, bp, aj, ax, bj, bx, rows, columns, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of A that are not both in a flagged row and in a flagged column, and those of B, which are."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        inside = rows[row]
        while q < b_end and p < a_end:
            i, j = aj[p], bj[q]
            taken = i < j
            cj[n] = i if taken else j
            cx[n] = ax[p] if taken else bx[q]
            dropped = inside and columns[i]
            p += np.uint64(taken or dropped)
            n += np.uint64(not (taken and dropped))
            q += np.uint64(not taken)
        while p < a_end:
            cj[n] = aj[p]
            cx[n] = ax[p]
            n += np.uint64(not (inside and columns[aj[p]]))
            p += ONE
        while q < b_end:
            cj[n] = bj[q]
            cx[n] = bx[q]
            q += ONE
            n += ONE
        cp[row + 1] = n
    return np.int64(n)


@njit()
def copy_numbered(first, last, begin, rows, indptr, indices, values, number, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of ``rows[first:last]`` whose column has a number, under that number; the numbers rise."""
    n = np.uint64(begin)
    for k in range(first, last):
        p, end = span(indptr, rows[k])
        while p < end:
            column = number[indices[p]]
            cj[n] = column
            cx[n] = values[p]
            n += np.uint64(column >= 0)
            p += ONE
        cp[k + 1] = n
    return np.int64(n)


@njit()
def copy_renumbered(first, last, begin, rows, indptr, indices, values, number, cp, cj, cx):  # type: ignore[no-untyped-def]
    """Copy the entries of ``rows[first:last]`` whose column has a number, sorted by that number."""
    longest = 0
    for k in range(first, last):
        length = np.int64(indptr[rows[k] + 1]) - np.int64(indptr[rows[k]])
        longest = length if length > longest else longest
    keys = np.empty(longest, np.int64)
    end = begin
    for k in range(first, last):
        start, entries = np.int64(indptr[rows[k]]), np.int64(0)
        for p in range(start, np.int64(indptr[rows[k] + 1])):
            column = np.int64(number[indices[p]])
            keys[entries] = (column << 32) | (p - start)
            entries += np.int64(column >= 0)
        sort_part(keys, np.int64(0), entries)
        for n in range(entries):
            cj[end + n] = keys[n] >> 32
            cx[end + n] = values[start + (keys[n] & 0xFFFFFFFF)]
        end += entries
        cp[k + 1] = end
    return end


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
def read_cells(first, last, indptr, indices, full, out):  # type: ignore[no-untyped-def]
    """Read the value of a full matrix at each entry."""
    for row in range(first, last):
        values = full[row]
        p, end = span(indptr, row)
        while p < end:
            out[p] = values[np.uint64(indices[p])]
            p += ONE
    return 0
