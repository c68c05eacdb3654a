"""Conversions between coordinates (COO), rows (CSR) and columns (CSC), for NumPy and CuPy arrays."""

# CuPy is optional, and SciPy has no stubs:
# pyright: reportMissingImports=false, reportMissingTypeStubs=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import IndexOutOfBounds, InvalidGraph
from graphla.common.memory import require, require_large
from graphla.storage.list_kernels import find_list_kernels
from graphla.storage.records import Array, CompressedMatrix, Coo

DUPS = ("error", "first", "min", "sum")
INT32_END = 2**31
SORTED_BITS = 63
"""Bits of a key that is sorted."""


def get_array_module(array: Array) -> Any:
    """Return the module of an array: NumPy or CuPy."""
    if isinstance(array, np.ndarray):
        return np
    import cupy

    return cupy


def is_on_device(array: Any) -> bool:
    """Whether an array of any library is in the memory of a GPU."""
    return hasattr(array, "__cuda_array_interface__")


def csr_from_coo(coo: Coo, dup: str = "error") -> CompressedMatrix:
    """Build a CSR matrix from coordinates in any order. The entries of a pattern become ``True``.

    Parameters
    ----------
    coo : Coo
    dup : {"error", "first", "min", "sum"}
        What several entries with the same row and column become.

    Raises
    ------
    InvalidGraph
        If the same row and column occur twice and `dup` is ``"error"``.
    IndexOutOfBounds
        If an index is negative or too large.
    OutOfMemory
        If the arrays that building takes do not fit in memory.
    """
    if dup not in DUPS:
        raise InvalidGraph(f"dup={dup!r}: there are {', '.join(map(repr, DUPS))}")
    xp = get_array_module(coo.rows)
    check_bounds("row", coo.rows, coo.nrows)
    check_bounds("column", coo.cols, coo.ncols)
    require(40 * coo.rows.size + 8 * coo.nrows, f"a matrix of {coo.rows.size:,} entries and {coo.nrows:,} rows", xp)
    if xp is np:
        matrix = _build_rows_on_host(coo)
        if matrix.nvals == coo.rows.size or dup == "sum" or (coo.values is None and dup != "error"):
            return matrix
    rows, cols, values = sort_entries(coo, xp)
    first = xp.ones(rows.size, bool)
    first[1:] = (rows[1:] != rows[:-1]) | (cols[1:] != cols[:-1])
    if not is_all(first):
        if dup == "error":
            refuse_repeat(rows, cols, first, xp)
        values = combine_repeats(values, first, "first" if coo.values is None else dup, xp)
        rows, cols = rows[first], cols[first]
    return CompressedMatrix(coo.nrows, coo.ncols, make_row_pointers(xp, rows, coo.nrows), cols, values)


def transpose_csr(matrix: CompressedMatrix) -> CompressedMatrix:
    """Build the transpose as a CSR matrix."""
    xp = get_array_module(matrix.indices)
    if xp is np:
        return _transpose_on_host(matrix)
    order = order_stably(matrix.indices)
    indptr = make_row_pointers(xp, gather(matrix.indices, order), matrix.ncols)
    rows, values = gather(expand_rows(matrix), order), gather(matrix.values, order)
    return CompressedMatrix(matrix.ncols, matrix.nrows, indptr, rows, values)


def coo_from_csr(matrix: CompressedMatrix) -> Coo:
    """Return the coordinates of a CSR matrix in row order. Columns and values are not copied."""
    return Coo(matrix.nrows, matrix.ncols, expand_rows(matrix), matrix.indices, matrix.values)


def expand_rows(matrix: CompressedMatrix, dtype: str = "int32") -> Array:
    """Return the row of each entry."""
    return expand_pointers(get_array_module(matrix.indices), matrix.indptr, matrix.nvals, dtype)


FEW = 32
"""Segments per element from which it is faster to look for the segment of each than to go through all of them."""


def expand_pointers(xp: Any, pointers: Array, size: int, dtype: str = "int64") -> Array:
    """Return the segment of each of `size` elements; segment k begins at ``pointers[k]``."""
    kernels = find_list_kernels(pointers)
    if kernels is not None:
        return kernels.number_rows(pointers, size, dtype)
    if xp is np and FEW * size >= pointers.size:
        require_large(8 * pointers.size, "a list of {:,} rows", pointers.size)
        return np.repeat(np.arange(pointers.size - 1, dtype=dtype), np.diff(pointers))
    positions = xp.arange(size, dtype=pointers.dtype)
    return (xp.searchsorted(pointers, positions, side="right") - 1).astype(dtype)


def choose_index_dtype(count: int) -> str:
    """Return int32 if it can hold `count`, else int64."""
    return "int32" if count < INT32_END else "int64"


def make_pointers(xp: Any, lengths: Array) -> Array:
    """Add up row lengths to row pointers, in int64: one kernel serves matrices of any size."""
    kernels = find_list_kernels(lengths)
    if kernels is not None:
        return kernels.make_pointers(lengths)
    require_large(8 * lengths.shape[0], "a list of {:,} rows", lengths.shape[0], xp)
    pointers = xp.zeros(lengths.shape[0] + 1, "int64")
    lengths.cumsum(dtype="int64", out=pointers[1:])  # the method: NumPy's function takes twice as long for few rows
    return pointers


def measure_rows(indptr: Array) -> Array:
    """Return the number of entries of each row, in the dtype of the row pointers."""
    require_large(indptr.nbytes, "a list of {:,} rows", indptr.shape[0], get_array_module(indptr))
    kernels = find_list_kernels(indptr)
    return indptr[1:] - indptr[:-1] if kernels is None else kernels.measure_rows(indptr)


def count_filled_rows(indptr: Array) -> int:
    """Count the rows that have entries."""
    kernels = find_list_kernels(indptr)
    if kernels is not None:
        return kernels.count_filled_rows(indptr)
    return int(get_array_module(indptr).count_nonzero(indptr[1:] > indptr[:-1]))


def gather(values: Array, positions: Array) -> Array:
    """Return ``values[positions]`` of arrays of one dimension."""
    kernels = find_list_kernels(values, positions)
    return values[positions] if kernels is None else kernels.gather(values, positions)


def scale(values: Array, factor: float, dtype: str) -> Array:
    """Return ``factor * values`` of float64 numbers in a dtype of floats."""
    kernels = find_list_kernels(values)
    return (values * factor).astype(dtype) if kernels is None else kernels.scale(values, factor, dtype)


def divide(values: Array, divisor: float) -> Array:
    """Return ``values / divisor`` of floats, in their dtype."""
    kernels = find_list_kernels(values)
    if kernels is None:
        return (values / np.float64(divisor)).astype(values.dtype, copy=False)
    return kernels.divide(values, divisor)


def scatter(target: Array, positions: Array, values: Array) -> None:
    """Write ``target[positions] = values`` of arrays of one dimension and dtype."""
    kernels = find_list_kernels(target, positions, values)
    if kernels is None:
        target[positions] = values
    else:
        kernels.scatter(target, positions, values)


def raise_flags(flags: Array, positions: Array) -> None:
    """Set the flags at some positions."""
    kernels = find_list_kernels(flags, positions)
    if kernels is None:
        flags[positions] = True
    else:
        kernels.raise_flags(flags, positions)


def order_stably(keys: Array) -> Array:
    """Return the positions of keys in rising order, equal ones as they stand."""
    kernels = find_list_kernels(keys)
    return get_array_module(keys).argsort(keys, kind="stable") if kernels is None else kernels.order(keys)


def count_true(flags: Array) -> int:
    """Count the flags that are true."""
    kernels = find_list_kernels(flags)
    return int(get_array_module(flags).count_nonzero(flags)) if kernels is None else kernels.count_true(flags)


def count_above(values: Array, bound: int) -> int:
    """Count the integers that are greater than a bound."""
    kernels = find_list_kernels(values)
    return count_true(values > bound) if kernels is None else kernels.count_above(values, bound)


def is_any(flags: Array) -> bool:
    """Whether one of the flags is true. CuPy's own reduction takes seconds to compile."""
    return bool(flags.any()) if find_list_kernels(flags) is None else count_true(flags.reshape(-1)) > 0


def is_all(flags: Array) -> bool:
    """Whether all of the flags are true."""
    return bool(flags.all()) if find_list_kernels(flags) is None else count_true(flags.reshape(-1)) == flags.size


def are_finite(values: Array) -> bool:
    """Whether none of some floats is NaN or infinite."""
    kernels = find_list_kernels(values)
    if kernels is None:
        return is_all(get_array_module(values).isfinite(values))
    return not kernels.count_infinite(values)


def tally(places: Array, size: int, values: Array | None = None) -> Array:
    """Count each of the places 0 … size − 1, or add up the values that belong to it in FP64, in no fixed order."""
    if (kernels := find_list_kernels(*(places,) if values is None else (places, values))) is None:
        sums = get_array_module(places).bincount(places, values, size)  # of no places NumPy's are whole numbers
        return sums if values is None else sums.astype("float64", copy=False)
    return kernels.tally(places, size, values)


def add_rows(cells: Array, dtype: Any) -> Array:
    """Add up each row of a two-dimensional array in a dtype, on a device one row after the other."""
    if find_list_kernels(cells) is None:
        return cells.sum(axis=1, dtype=dtype)
    return get_array_module(cells).stack([row.astype(dtype).sum() for row in cells])


def list_true(flags: Array) -> Array:
    """List the positions of the flags that are true, in int64."""
    kernels = find_list_kernels(flags)
    return get_array_module(flags).flatnonzero(flags) if kernels is None else kernels.list_true(flags, "int64")


def copy_array(array: Array) -> Array:
    """Return a copy of an array that is contiguous."""
    kernels = find_list_kernels(array)
    return array.copy() if kernels is None else kernels.copy(array)


def make_full(xp: Any, size: int, value: Any, dtype: str) -> Array:
    """Return an array of one dimension that holds one value everywhere."""
    require_large(size * np.dtype(dtype).itemsize, "an array of {:,} places", size, xp)
    array = xp.empty(size, dtype)
    kernels = find_list_kernels(array)
    if kernels is None:
        array.fill(value)
    else:
        kernels.fill(array, value)
    return array


def make_range(xp: Any, numbers: range, dtype: str = "int64") -> Array:
    """Return the numbers of a range as an array."""
    if xp is np:
        return np.arange(numbers.start, numbers.stop, numbers.step, dtype=np.dtype(dtype))
    array = xp.empty(len(numbers), dtype)
    kernels = find_list_kernels(array)
    if kernels is None:
        return xp.arange(numbers.start, numbers.stop, numbers.step, dtype)
    kernels.count_up(array, numbers.start, numbers.step)
    return array


def are_equal(left: Array, right: Array) -> bool:
    """Whether two arrays of one dimension are equal everywhere."""
    kernels = find_list_kernels(left, right)
    if kernels is None or left.dtype != right.dtype:
        return bool(get_array_module(left).array_equal(left, right))
    return kernels.is_same(left, right)


def compare_entries(rows: Array, columns: Array) -> tuple[int, int]:
    """Count the entries that stand before the one before them, and those that repeat it."""
    kernels = find_list_kernels(rows, columns)
    if kernels is not None:
        return kernels.compare_entries(rows, columns)
    same = rows[1:] == rows[:-1]
    falls = (rows[1:] < rows[:-1]) | (same & (columns[1:] < columns[:-1]))
    return count_true(falls), count_true(same & (columns[1:] == columns[:-1]))


def copy_indices(indices: Array) -> Array:
    """Return indices in int64, in an array of their own."""
    kernels = find_list_kernels(indices)
    if kernels is None:
        return indices.astype("int64")
    return kernels.copy(indices) if indices.dtype == "int64" else kernels.cast(indices, "int64")


def cast_indices(indices: Array, dtype: str) -> Array:
    """Return indices in a dtype that can hold them; the array itself if it has this dtype."""
    kernels = find_list_kernels(indices)
    return indices.astype(dtype, copy=False) if kernels is None else kernels.cast(indices, dtype)


def match_pointers(*pointers: Array) -> tuple[Array, ...]:
    """Return row pointers in one dtype: the wider, where they differ. Fewer pairs of types are compiled so."""
    sizes = {array.itemsize for array in pointers}
    if len(sizes) == 1:
        return pointers
    return tuple(cast_indices(array, f"int{8 * max(sizes)}") for array in pointers)


def make_row_pointers(xp: Any, rows: Array, nrows: int) -> Array:
    """Return the CSR row pointers for sorted row numbers."""
    kernels = find_list_kernels(rows)
    if kernels is not None:
        return kernels.point_rows(rows, nrows)
    if xp is not np:  # CuPy's bincount uses atomics on the same few addresses and copies the maximum to the host
        return xp.searchsorted(rows, xp.arange(nrows + 1, dtype=rows.dtype)).astype(choose_index_dtype(int(rows.size)))
    require_large(20 * nrows, "a list of {:,} rows", nrows)
    pointers = np.zeros(nrows + 1, "int64")
    if rows.size:
        np.bincount(rows, minlength=nrows).cumsum(out=pointers[1:])
    return pointers.astype(choose_index_dtype(int(rows.size)))


def check_bounds(what: str, indices: Array, size: int) -> None:
    """Raise if an index is out of bounds; the error names the index."""
    if indices.size == 0:
        return
    low, high = find_ends(indices)
    if low < 0 or high >= size:
        bad = low if low < 0 else high
        raise IndexOutOfBounds(f"{what} {bad} does not exist: there are {size:,}, numbered from 0")


def sort_entries(coo: Coo, xp: Any) -> tuple[Array, Array, Array]:
    """Sort the entries by row and column, stably. Indices become int32."""
    rows, cols = coo.rows.astype(xp.int32, copy=False), coo.cols.astype(xp.int32, copy=False)
    values = xp.ones(rows.size, bool) if coo.values is None else coo.values
    if is_sorted(rows, cols):
        return rows, cols, values
    if coo.values is None:
        keys = (rows.astype(xp.int64) << 32) | cols
        keys.sort()
        return (keys >> 32).astype(xp.int32), (keys & 0xFFFFFFFF).astype(xp.int32), values
    order = order_entries(rows, cols, coo.nrows, coo.ncols)
    return rows[order], cols[order], values[order]


def is_sorted(rows: Array, cols: Array) -> bool:
    """Whether the entries are sorted by row and column."""
    in_order = (rows[1:] > rows[:-1]) | ((rows[1:] == rows[:-1]) & (cols[1:] >= cols[:-1]))
    return is_all(in_order)


def combine_repeats(values: Array, first: Array, dup: str, xp: Any) -> Array:
    """Combine each run of entries with the same row and column into one value, as `dup` says.

    `first` flags the first entry of each run.
    """
    result = values[first]
    if dup == "first":
        return result
    if values.dtype == bool:
        return combine_repeats(values.astype(xp.int32), first, dup, xp).astype(bool)
    group = xp.cumsum(first) - 1
    repeats = ~first
    ufunc = xp.minimum if dup == "min" else xp.add
    ufunc.at(result, group[repeats], values[repeats])
    return result


def refuse_repeat(rows: Array, cols: Array, first: Array, xp: Any) -> None:
    """Raise an error that names the first repeated entry."""
    k = int(xp.flatnonzero(~first)[0])
    raise InvalidGraph(
        f"the entry ({int(rows[k])}, {int(cols[k])}) occurs twice; say what repeats become: dup='first', 'min' or 'sum'"
    )


def order_entries(rows: Array, cols: Array, nrows: int, ncols: int) -> Array:
    """Return the stable order of entries by row and column."""
    spare = int(rows.size).bit_length() if get_array_module(rows) is np else 0
    if spare + (nrows * ncols).bit_length() <= SORTED_BITS:
        return order_keys(number_cells(rows, cols, ncols), nrows * ncols)
    order = order_keys(cols, ncols)
    return gather(order, order_keys(gather(rows, order), nrows))


def number_cells(rows: Array, cols: Array, ncols: int) -> Array:
    """Return the number of each cell, row after row, in int64."""
    kernels = find_list_kernels(rows, cols)
    return rows.astype("int64") * ncols + cols if kernels is None else kernels.number_cells(rows, cols, ncols)


def split_cells(cells: Array, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Return the rows and the columns of the numbers of cells."""
    kernels, width = find_list_kernels(cells), max(1, shape[1])
    if kernels is not None:
        rows, cols = kernels.split_cells(cast_indices(cells, "int64"), width, choose_index_dtype(max(shape)))
        return rows, cast_indices(cols, choose_index_dtype(width))
    rows = cells // width
    return rows, (cells - rows * width).astype(choose_index_dtype(width))


def find_ends(numbers: Array) -> tuple[int, int]:
    """The least and the largest of integers, of which there is one at least."""
    kernels = find_list_kernels(numbers)
    if kernels is None or numbers.dtype.name not in ("int32", "int64"):
        return int(numbers.min()), int(numbers.max())
    return kernels.find_ends(get_array_module(numbers).ascontiguousarray(numbers))


def flag_first(keys: Array) -> tuple[Array, int]:
    """Flag the sorted keys that differ from the one before, and count them."""
    kernels = find_list_kernels(keys)
    if kernels is not None:
        return kernels.flag_first(keys)
    first = get_array_module(keys).ones(keys.shape[0], bool)
    first[1:] = keys[1:] != keys[:-1]
    return first, count_true(first)


def order_by(keys: list[Array]) -> Array:
    """Return the stable order of entries by several keys, the first one first. `cupy.lexsort` compares them all."""
    if isinstance(keys[0], np.ndarray):
        return np.lexsort(keys[::-1])
    order = order_stably(keys[-1])
    for key in keys[-2::-1]:
        order = gather(order, order_stably(gather(key, order)))
    return order


def order_keys(keys: Array, size: int) -> Array:
    """Return the stable order of integer keys from 0 to ``size - 1``.

    NumPy sorts numbers ten times faster than it orders them stably, so each key carries its position in its low bits.
    """
    bits, xp = int(keys.size).bit_length(), get_array_module(keys)
    if xp is not np or size.bit_length() + bits > SORTED_BITS:
        return order_stably(keys)
    packed = (keys.astype("int64") << bits) | xp.arange(keys.size)
    packed.sort()
    return packed & ((1 << bits) - 1)


def _build_rows_on_host(coo: Coo) -> CompressedMatrix:
    """Build a CSR matrix with SciPy, which adds entries with the same row and column."""
    from scipy.sparse import coo_array

    values = np.ones(coo.rows.size, bool) if coo.values is None else coo.values
    matrix = coo_array((values, (coo.rows, coo.cols)), shape=(coo.nrows, coo.ncols)).tocsr()
    return _from_rows(matrix, (coo.nrows, coo.ncols))


def _from_rows(matrix: Any, shape: tuple[int, int]) -> CompressedMatrix:
    """Take the arrays of a matrix of SciPy as rows: a matrix by columns has those of its transpose."""
    pointer = choose_index_dtype(matrix.indices.shape[0])
    indptr, indices = matrix.indptr.astype(pointer, copy=False), matrix.indices.astype(np.int32, copy=False)
    return CompressedMatrix(*shape, indptr, indices, matrix.data)


def _transpose_on_host(matrix: CompressedMatrix) -> CompressedMatrix:
    from scipy.sparse import csr_array

    require_large(8 * matrix.ncols, "the transpose, of {:,} rows,", matrix.ncols)
    by_columns: Any = csr_array((matrix.values, matrix.indices, matrix.indptr), shape=matrix.shape).tocsc()
    return _from_rows(by_columns, (matrix.ncols, matrix.nrows))
