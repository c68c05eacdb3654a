"""Numba kernels of the blocked Floyd–Warshall: D[i, j] = min(D[i, j], D[i, k] + D[k, j]) for a block of k at a time.

The loops combine two rows of D with four k, so that a row of the block is read once for two results; the compiler
vectorises the loop over j. `limits` says how numbers add: None means machine arithmetic (floats, and non-negative
integers viewed as unsigned, where twice the largest signed number fits); (lowest, infinity) saturates sums there.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import infinity as largest
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import count_workers

STEP = 4  # vertices that one pass over a row combines
BLOCK = 64  # vertices of a pivot block: its rows of a tile and two rows of results stay in the second-level cache
PARTS = 4  # row ranges per thread
WIDTH = 512  # columns of a tile: two rows of results and four rows of the block stay in the first-level cache


@njit()
def add(a, x, limits):  # type: ignore[no-untyped-def]
    """Return a + x; with limits infinity absorbs, and sums saturate."""
    if limits is None:
        return a + x
    lowest, infinity = limits
    zero = lowest - lowest
    floor, room = lowest - min(a, zero), infinity - max(a, zero)
    return infinity if (x == infinity) or (a == infinity) else min(max(x, floor), room) + a


@njit()
def relax(C, A, B, limits):  # type: ignore[no-untyped-def]
    """Compute C = min(C, A min.plus B); the number of columns of A is a multiple of four."""
    T = C.dtype.type
    for left in range(0, C.shape[1], WIDTH):
        right = min(left + WIDTH, C.shape[1])
        for i in range(0, C.shape[0], 2):
            h = min(i + 1, C.shape[0] - 1)
            c, d = C[i, left:right], C[h, left:right]
            for k in range(0, A.shape[1], STEP):
                w, x, y, z = B[k, left:right], B[k + 1, left:right], B[k + 2, left:right], B[k + 3, left:right]
                p, q, r, s = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
                e, f, g, u = A[h, k], A[h, k + 1], A[h, k + 2], A[h, k + 3]
                for j in range(right - left):
                    near = min(T(add(p, w[j], limits)), T(add(q, x[j], limits)))
                    far = min(T(add(r, y[j], limits)), T(add(s, z[j], limits)))
                    c[j] = min(c[j], min(near, far))
                    near = min(T(add(e, w[j], limits)), T(add(f, x[j], limits)))
                    far = min(T(add(g, y[j], limits)), T(add(u, z[j], limits)))
                    d[j] = min(d[j], min(near, far))


@njit()
def close(D, limits):  # type: ignore[no-untyped-def]
    """Run Floyd–Warshall on a small square; return a vertex with a negative distance to itself, or −1."""
    T = D.dtype.type
    for k in range(D.shape[0]):
        if D[k, k] < T(0):
            return k
        row = D[k]
        for i in range(D.shape[0]):
            a, d = D[i, k], D[i]
            if i == k:
                continue
            for j in range(D.shape[0]):
                through = T(add(a, row[j], limits))
                if through < d[j]:
                    d[j] = through
    return -1


def pad(side: int) -> int:
    """Round up to a multiple of `STEP`."""
    return -(-side // STEP) * STEP


def copy_padded(part: Any, rows: int, columns: int, fill: Any) -> Any:
    """Copy a part of a matrix, padded with `fill` to the given numbers of rows and columns."""
    out = np.full((rows, columns), fill, part.dtype)
    out[: part.shape[0], : part.shape[1]] = part
    return out


def close_pivot(D: Any, low: int, high: int, infinity: Any, limits: Any, first: int | None = None) -> tuple[Any, int]:
    """Close the square of a block, then its rows; return the rows, padded, and a vertex on a negative cycle or −1.

    The rows are `low` to ``high - 1`` of D; their vertices are numbered from `first` on, which is `low` if D is whole.
    """
    first = low if first is None else first
    rows, depth = D[low:high], pad(high - low)
    square = np.ascontiguousarray(rows[:, first : first + high - low])
    found = close(square, limits)
    if found < 0:
        before = copy_padded(rows, depth, D.shape[1], infinity)
        relax(rows, copy_padded(square, high - low, depth, infinity), before, limits)
    return copy_padded(rows, depth, D.shape[1], infinity), first + found if found >= 0 else -1


def relax_rest(first: int, last: int, D: Any, B: Any, low: int, high: int, infinity: Any, limits: Any) -> None:
    """Relax the rows `first` to ``last - 1``: first the columns of the block, then all columns."""
    rows, depth = D[first:last], B.shape[0]
    columns = copy_padded(rows[:, low:high], last - first, depth, infinity)
    relax(columns, columns.copy(), copy_padded(B[:, low:high], depth, depth, infinity), limits)
    relax(rows, columns, B, limits)


@njit()
def replace_beyond(D, last, value):  # type: ignore[no-untyped-def]
    """Replace every value greater than `last` by `value`."""
    for i in range(D.shape[0]):
        row = D[i]
        for j in range(D.shape[1]):
            row[j] = value if row[j] > last else row[j]


Done = Callable[[int, int], None]


def solve(
    D: Any, non_negative: bool, begin: int = 0, done: Done | None = None, narrow: tuple[int, int] | None = None
) -> int:
    """Close D in place; return a vertex on a negative cycle, or −1.

    Parameters
    ----------
    D : ndarray
        Weights, 0 on the diagonal, infinity where there is no arc.
    non_negative : bool
        Whether no weight is less than 0.
    begin : int
        The number of vertices that have been pivots already.
    done : callable, optional
        Called after each block with the number of vertices that have been pivots, and the number of all vertices.
    narrow : tuple of int, optional
        The largest possible distance, and a value that represents infinity during the run, so that sums need no check.
    """
    if narrow is None:
        return close_blocks(*choose_arithmetic(D, non_negative), begin, done)
    last, far = (D.dtype.type(value) for value in narrow)
    replace_beyond(D, last, far)
    cycle = close_blocks(D, far, None, begin, done)
    replace_beyond(D, last, largest(D.dtype))
    return cycle


def close_blocks(work: Any, infinity: Any, limits: Any, begin: int, done: Done | None) -> int:
    """Close the matrix block by block; return a vertex on a negative cycle, or −1."""
    with ThreadPoolExecutor(count_workers()) as pool:
        for low in range(begin, work.shape[0], BLOCK):
            high = min(low + BLOCK, work.shape[0])
            B, found = close_pivot(work, low, high, infinity, limits)
            if found >= 0:
                return int(found)
            shared = (work, B, low, high, infinity, limits)
            tasks = [pool.submit(relax_rest, *part, *shared) for part in list_other_rows(work.shape[0], low, high)]
            for task in tasks:
                task.result()
            if done is not None:
                done(high, work.shape[0])
    return -1


def choose_arithmetic(D: Any, non_negative: bool) -> tuple[Any, Any, Any]:
    """Return the matrix as the kernels view it, its infinity, and the limits for sums."""
    infinity = largest(D.dtype)
    if D.dtype.kind == "i" and non_negative:
        work = D.view(f"u{D.dtype.itemsize}")
        return work, work.dtype.type(infinity), None
    return D, infinity, None if D.dtype.kind == "f" else (D.dtype.type(np.iinfo(D.dtype).min), infinity)


def list_other_rows(n: int, low: int, high: int) -> list[tuple[int, int]]:
    """Return row ranges that cover all rows except those of the block."""
    step = max(8, -(-n // (PARTS * count_workers())))
    return [
        (first, min(first + step, end)) for begin, end in ((0, low), (high, n)) for first in range(begin, end, step)
    ]
