"""Compress a two-dimensional array with a sentinel to rows, in little more memory than the result takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphla.common.memory import WAY_OUT, require
from graphla.storage.convert import choose_index_dtype, get_array_module
from graphla.storage.records import Array, CompressedMatrix, FullMatrix, MatrixStorage

CELLS = 1 << 22
"""Cells of a block of rows: its flags and column numbers take some tens of megabytes."""


def compress(values: Array, absent: Any, way_out: str = WAY_OUT) -> MatrixStorage:
    """Build the matrix of the cells of `values` that do not hold `absent`. If none does, it keeps the array.

    Raises
    ------
    OutOfMemory
        If the rows do not fit in memory; the message ends with `way_out`.
    """
    indptr = count_entries(values, absent)
    nvals = int(indptr[-1])
    if nvals == values.size:
        return FullMatrix(values)
    xp, columns = get_array_module(values), choose_index_dtype(values.shape[1])
    what = f"a matrix of {values.shape[0]:,} × {values.shape[1]:,} with {nvals:,} entries"
    require(nvals * (xp.dtype(columns).itemsize + values.dtype.itemsize), what, xp, way_out)
    indices, entry_values = xp.empty(nvals, columns), xp.empty(nvals, values.dtype)
    for first, last in list_row_blocks(values):
        block, entries = values[first:last], slice(int(indptr[first]), int(indptr[last]))
        present = block != absent
        indices[entries], entry_values[entries] = xp.nonzero(present)[1], block[present]
    nrows, ncols = values.shape
    return CompressedMatrix(nrows, ncols, indptr.astype(choose_index_dtype(nvals)), indices, entry_values)


def count_entries(values: Array, absent: Any) -> Array:
    """Count the entries of each row; return the row pointers, int64."""
    xp = get_array_module(values)
    indptr = xp.zeros(values.shape[0] + 1, "int64")
    for first, last in list_row_blocks(values):
        indptr[first + 1 : last + 1] = xp.count_nonzero(values[first:last] != absent, axis=1)
    return xp.cumsum(indptr)


def list_row_blocks(values: Array) -> Iterator[tuple[int, int]]:
    """Return ranges of rows with about CELLS cells each."""
    nrows, ncols = values.shape
    step = max(1, CELLS // max(1, ncols))
    return ((first, min(first + step, nrows)) for first in range(0, nrows, step))
