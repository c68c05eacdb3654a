"""Sums over the entering arcs of each vertex, on every core."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import run_over_rows

FOUR, ONE = np.uint64(4), np.uint64(1)
TWO, THREE = np.uint64(2), np.uint64(3)


@njit(inline="always")
def sum_alike(first, last, indices, x):  # type: ignore[no-untyped-def]
    """The sum of x over the columns of a row: four at a time, for an addition waits longer than a load.

    Unsigned numbers, because signed indices could count from the end and Numba looks at each; and no gathers of the
    processor, which take twice as long here.
    """
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    k, end = np.uint64(first), np.uint64(last)
    while k + THREE < end:
        a += x[np.uint32(indices[k])]
        b += x[np.uint32(indices[k + ONE])]
        c += x[np.uint32(indices[k + TWO])]
        d += x[np.uint32(indices[k + THREE])]
        k += FOUR
    while k < end:
        a += x[np.uint32(indices[k])]
        k += ONE
    return (a + b) + (c + d)


@njit(inline="always")
def sum_weighted(first, last, indices, values, x):  # type: ignore[no-untyped-def]
    """The same by the weights of the arcs."""
    a, b = 0.0, 0.0
    k, end = np.uint64(first), np.uint64(last)
    while k + ONE < end:
        a += np.float64(x[np.uint32(indices[k])]) * values[k]
        b += np.float64(x[np.uint32(indices[k + ONE])]) * values[k + ONE]
        k += TWO
    if k < end:
        a += np.float64(x[np.uint32(indices[k])]) * values[k]
    return a + b


@njit()
def _gather(first, last, indptr, indices, values, x, out):  # type: ignore[no-untyped-def]
    """out[v] = the sum of x over the columns of row v."""
    for v in range(first, last):
        if values is None:
            out[v] = sum_alike(indptr[v], indptr[v + 1], indices, x)
        else:
            out[v] = sum_weighted(indptr[v], indptr[v + 1], indices, values, x)


def gather(rows: Any, values: Any, x: Any) -> Any:
    """For each row the sum of the x of its columns, by `values` if these are not None."""
    out = np.empty(rows.nrows, x.dtype)
    run_over_rows(_gather, rows.indptr, rows.nvals, rows.indptr, rows.indices, values, x, out)
    return out
