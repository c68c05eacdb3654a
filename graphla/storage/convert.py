"""Between coordinates, rows and columns, on NumPy and on CuPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.errors import IndexOutOfBounds, InvalidGraph
from graphla.memory import require
from graphla.storage import Array, CompressedMatrix, Coo

DUPS = ("error", "first", "min", "sum")
INT32_END = 2**31


def module_of(array: Array) -> Any:
    """The array module of an array: NumPy, or CuPy."""
    if isinstance(array, np.ndarray):
        return np
    import cupy

    return cupy


def csr_from_coo(coo: Coo, dup: str = "error") -> CompressedMatrix:
    """Rows from coordinates in any order; a pattern becomes truths.

    Parameters
    ----------
    coo : Coo
    dup : {"error", "first", "min", "sum"}
        What entries at the same place become.

    Raises
    ------
    InvalidGraph
        If a place occurs twice and `dup` is ``"error"``.
    IndexOutOfBounds
        If an index is negative or too large.
    OutOfMemory
        If the rows alone would not fit.
    """
    if dup not in DUPS:
        raise InvalidGraph(f"dup={dup!r}: there are {', '.join(map(repr, DUPS))}")
    xp = module_of(coo.rows)
    check_bounds("row", coo.rows, coo.nrows)
    check_bounds("column", coo.cols, coo.ncols)
    require(40 * coo.rows.size + 8 * coo.nrows, f"a matrix of {coo.rows.size:,} entries and {coo.nrows:,} rows", xp)
    if xp is np:
        matrix = _rows_on_host(coo)
        if matrix.nvals == coo.rows.size or dup == "sum" or (coo.values is None and dup != "error"):
            return matrix
    rows, cols, values = sorted_entries(coo, xp)
    first = xp.ones(rows.size, bool)
    first[1:] = (rows[1:] != rows[:-1]) | (cols[1:] != cols[:-1])
    if not bool(first.all()):
        if dup == "error":
            refuse_repeat(rows, cols, first, xp)
        values = joined(values, first, "first" if coo.values is None else dup, xp)
        rows, cols = rows[first], cols[first]
    return CompressedMatrix(coo.nrows, coo.ncols, row_pointers(xp, rows, coo.nrows), cols, values)


def csr_transpose(matrix: CompressedMatrix) -> CompressedMatrix:
    """Rows of the transpose."""
    xp = module_of(matrix.indices)
    if xp is np:
        return _transpose_on_host(matrix)
    order = xp.argsort(matrix.indices, kind="stable")
    indptr = row_pointers(xp, matrix.indices[order], matrix.ncols)
    return CompressedMatrix(matrix.ncols, matrix.nrows, indptr, row_numbers(matrix)[order], matrix.values[order])


def coo_from_csr(matrix: CompressedMatrix) -> Coo:
    """Coordinates in the order of the rows; columns and values are not copied."""
    return Coo(matrix.nrows, matrix.ncols, row_numbers(matrix), matrix.indices, matrix.values)


def row_numbers(matrix: CompressedMatrix, dtype: str = "int32") -> Array:
    """The row of each entry."""
    xp = module_of(matrix.indices)
    if xp is np:
        return np.repeat(np.arange(matrix.nrows, dtype=dtype), np.diff(matrix.indptr))
    places = xp.arange(matrix.nvals, dtype=matrix.indptr.dtype)
    return (xp.searchsorted(matrix.indptr, places, side="right") - 1).astype(dtype)


def index_dtype(count: int) -> str:
    """int32 while it can count to `count`."""
    return "int32" if count < INT32_END else "int64"


def row_pointers(xp: Any, rows: Array, nrows: int) -> Array:
    """Where each row begins among sorted row numbers."""
    if xp is not np:  # CuPy counts by atomics on the same few addresses, and waits for the largest row
        return xp.searchsorted(rows, xp.arange(nrows + 1, dtype=rows.dtype)).astype(index_dtype(int(rows.size)))
    pointers = np.zeros(nrows + 1, "int64")
    if rows.size:
        np.cumsum(np.bincount(rows, minlength=nrows), out=pointers[1:])
    return pointers.astype(index_dtype(int(rows.size)))


def check_bounds(what: str, indices: Array, size: int) -> None:
    """Refuse an index that does not exist, and name it."""
    if indices.size == 0:
        return
    low, high = int(indices.min()), int(indices.max())
    if low < 0 or high >= size:
        bad = low if low < 0 else high
        raise IndexOutOfBounds(f"{what} {bad} does not exist: there are {size:,}, numbered from 0")


def sorted_entries(coo: Coo, xp: Any) -> tuple[Array, Array, Array]:
    """The entries by row and column, in their old order where both are the same; int32 indices."""
    rows, cols = coo.rows.astype(xp.int32, copy=False), coo.cols.astype(xp.int32, copy=False)
    values = xp.ones(rows.size, bool) if coo.values is None else coo.values
    if is_sorted(rows, cols):
        return rows, cols, values
    if coo.values is None:
        keys = (rows.astype(xp.int64) << 32) | cols
        keys.sort()
        return (keys >> 32).astype(xp.int32), (keys & 0xFFFFFFFF).astype(xp.int32), values
    if xp is np:
        order = _counted_order(cols, coo.ncols)
        order = order[_counted_order(rows[order], coo.nrows)]
    else:
        order = xp.argsort((rows.astype(xp.int64) << 32) | cols, kind="stable")
    return rows[order], cols[order], values[order]


def is_sorted(rows: Array, cols: Array) -> bool:
    """Whether entries stand by row and column already."""
    later = (rows[1:] > rows[:-1]) | ((rows[1:] == rows[:-1]) & (cols[1:] >= cols[:-1]))
    return bool(later.all())


def joined(values: Array, first: Array, dup: str, xp: Any) -> Array:
    """One value for each run of entries at the same place."""
    result = values[first]
    if dup == "first":
        return result
    if values.dtype == bool:
        return joined(values.astype(xp.int32), first, dup, xp).astype(bool)
    group = xp.cumsum(first) - 1
    repeats = ~first
    ufunc = xp.minimum if dup == "min" else xp.add
    ufunc.at(result, group[repeats], values[repeats])
    return result


def refuse_repeat(rows: Array, cols: Array, first: Array, xp: Any) -> None:
    """Name the first place that occurs twice."""
    k = int(xp.flatnonzero(~first)[0])
    raise InvalidGraph(
        f"the entry ({int(rows[k])}, {int(cols[k])}) occurs twice; say what repeats become: dup='first', 'min' or 'sum'"
    )


def _counted_order(keys: Array, size: int) -> Array:
    """The stable order of keys 0 … size - 1 by counting: SciPy's transpose of one entry a row."""
    from scipy.sparse import csr_array

    nothing = np.zeros(keys.size, np.int8)
    return csr_array((nothing, keys, np.arange(keys.size + 1)), shape=(keys.size, size)).tocsc().indices


def _rows_on_host(coo: Coo) -> CompressedMatrix:
    """SciPy's rows, which add what stands at the same place."""
    from scipy.sparse import coo_array

    values = np.ones(coo.rows.size, bool) if coo.values is None else coo.values
    matrix = coo_array((values, (coo.rows, coo.cols)), shape=(coo.nrows, coo.ncols)).tocsr()
    return _of_scipy(matrix)


def _of_scipy(matrix: Any) -> CompressedMatrix:
    pointer = index_dtype(matrix.nnz)
    indptr, indices = matrix.indptr.astype(pointer, copy=False), matrix.indices.astype(np.int32, copy=False)
    return CompressedMatrix(*matrix.shape, indptr, indices, matrix.data)


def _transpose_on_host(matrix: CompressedMatrix) -> CompressedMatrix:
    from scipy.sparse import csr_array

    transposed = csr_array((matrix.values, matrix.indices, matrix.indptr), shape=matrix.shape).tocsc()
    return _of_scipy(transposed.T)
