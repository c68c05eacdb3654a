"""Running sums of the weights of each row, as whole numbers: from these arcs are drawn in proportion to weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphla.common.arguments import to_bool
from graphla.common.errors import InvalidGraph
from graphla.containers.matrix import Matrix
from graphla.storage import CompressedMatrix
from graphla.storage.convert import expand_pointers, measure_rows

Array = Any
ROOM = 62
"""The sum of the weights of a row is below 2 to this power."""


def check_weights(G: Any, value: Any) -> bool:
    """Whether weights count; then none may be negative or infinite."""
    if not to_bool(value, "weights") or not G.nvals or G.dtype.name == "BOOL":
        return False
    require_weights(G.min_weight, G.max_weight)
    return True


def require_weights(least: float, largest: float) -> None:
    """Refuse weights by which no arc can be drawn."""
    if least < 0 or not math.isfinite(largest):
        worst = least if least < 0 else largest
        raise InvalidGraph(f"weights=True: a weight is {worst}, and arcs are drawn by finite weights of 0 or more")


def add_up_weights(G: Any) -> Array:
    """The running sums of the weights of the arcs that leave each vertex: cached with the graph."""
    return G.cached("weight_sums", lambda G: add_up_rows(G.engine, G.csr))


def fold_rows(fold: np.ufunc, rows: CompressedMatrix) -> Array:
    """Fold the values of each row by a function of NumPy, in any order, on the host; 0 for a row without entries."""
    folded, used = np.zeros(rows.nrows, rows.dtype), rows.indptr[:-1] < rows.indptr[1:]
    if rows.nvals:
        folded[used] = fold.reduceat(rows.values, rows.indptr[:-1][used])
    return folded


def find_largest(engine: Any, rows: CompressedMatrix) -> Array:
    """The largest value of each row, 0 of a row without entries: float64."""
    if engine.xp is np:
        return fold_rows(np.maximum, rows).astype(np.float64)
    return Matrix._from_storage(rows, engine).dup("FP64").reduce_rowwise("max").new().to_dense(0)


def add_up_rows(engine: Any, rows: CompressedMatrix) -> Array:
    """For each entry the sum of the values of its row up to it: uint64.

    Values are rounded down to multiples of 2**-k of the largest of their row, with k such that the sum of the row has
    62 bits: at least 31 bits are left for a value, and about 50 in a row of a thousand. The sums are exact.
    """
    largest = find_largest(engine, rows)
    if engine.name != "cpu":
        from graphla.algorithms.shared import (
            _weight_sums_cuda,
        )  # here, because a machine without a GPU needs none of it

        return _weight_sums_cuda.add_up_rows(engine, rows, largest)
    counts = np.maximum(measure_rows(rows.indptr), 1).astype("float64")
    exponents = np.frexp(np.where(largest > 0, largest, 1.0))[1] + np.frexp(counts)[1]
    tails = expand_pointers(np, rows.indptr, rows.nvals)
    scaled = np.floor(np.ldexp(rows.values.astype(np.float64), (ROOM - exponents)[tails].astype(np.int32)))
    running = np.zeros(rows.nvals + 1, np.uint64)
    running[1:] = np.cumsum(scaled.astype(np.uint64))
    return running[1:] - running[rows.indptr[:-1]][tails]
