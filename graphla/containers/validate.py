"""Check and convert what users give: sizes, indices, values, repeated indices."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from graphla.common.arguments import show, to_array, to_int
from graphla.common.errors import (
    DimensionMismatch,
    DomainMismatch,
    GraphlaError,
    IndexOutOfBounds,
    InvalidGraph,
    InvalidOption,
)
from graphla.common.memory import require_large
from graphla.common.typing import ArrayLike, DTypeLike
from graphla.engine.protocol import Engine
from graphla.language.lookup import find_operator
from graphla.language.scalars import read_scalar
from graphla.storage import BitmapVector, CompressedMatrix, SparseVector
from graphla.storage.cast import NUMBERS, NUMPY_TYPES, cast_number, cast_values, cut_values, is_number
from graphla.storage.convert import (
    cast_indices,
    compare_entries,
    copy_array,
    copy_indices,
    find_ends,
    flag_first,
    gather,
    get_array_module,
    is_all,
    is_any,
    list_true,
    make_full,
    make_pointers,
    make_row_pointers,
    number_cells,
    order_entries,
)
from graphla.storage.flags import copy_flagged, flag_true
from graphla.storage.formats import as_sparse, choose_index_dtype, from_cells
from graphla.storage.list_kernels import find_list_kernels
from semirings import Monoid, binary, monoid
from semirings.dtypes import DType, lookup

LARGEST = 2**60
"""The largest size of a dimension, as in GraphBLAS."""


def to_size(size: Any, what: str = "size") -> int:
    """Convert a size to an int; refuse anything that is not one, or negative."""
    return to_int(size, what, 0, LARGEST, DimensionMismatch)


def to_shape(nrows: Any, ncols: Any) -> tuple[int, int]:
    """Convert the sizes of a matrix, whose cells are numbered in 64 bits."""
    shape = to_size(nrows, "nrows"), to_size(ncols, "ncols")
    if shape[0] * shape[1] >= 2**63:
        raise DimensionMismatch(f"nrows={nrows}, ncols={ncols}: a matrix has fewer than 2**63 cells")
    return shape


def to_indices(engine: Engine | Host, indices: ArrayLike, what: str) -> Any:
    """Convert indices to a one-dimensional int64 array."""
    places = engine.xp.atleast_1d(to_array(engine.asarray, indices, what))
    if places.size == 0:
        return engine.xp.zeros(0, "int64")
    if places.dtype.kind in "Ouf" and (high := largest_int(indices, places)) > LARGEST_INDEX:
        raise IndexTooLarge(f"{what} must be integers from 0 to {LARGEST_INDEX}, and these hold {high}")
    if places.dtype.kind not in "iu" or places.ndim != 1:
        raise BadIndices(
            f"{what} must be integers, not {places.dtype}, in one dimension, not of shape {places.shape}: "
            f"{what}={show(indices)}"
        )
    return copy_indices(places)


LARGEST_INDEX = 2**63 - 1
"""Indices are counted in INT64."""


class IndexTooLarge(IndexOutOfBounds, OverflowError):
    """An index beyond INT64."""


class BadIndices(IndexOutOfBounds, ValueError):
    """Indices that are no whole numbers."""


def largest_int(given: Any, places: Any) -> int:
    """The largest of the integers given, of which NumPy makes unsigned ones, floats or objects; else 0."""
    if places.dtype.kind == "u":
        return int(places.max())
    held = given if isinstance(given, (list, tuple)) else []
    return max((each for each in held if isinstance(each, int)), default=0)


def is_uniform(values: Any) -> bool:
    """Whether one value is given for all indices."""
    return not isinstance(values, (list, tuple)) and np.ndim(values) == 0


def join_uniform(values: Any, dup_op: Any) -> Any:
    """What joins repeated indices: of one value for all they are joined by themselves."""
    if not is_uniform(values):
        return dup_op
    if dup_op is not None:
        raise InvalidOption(
            f"dup_op={dup_op!r}: dup_op must be None where one value is given for all indices, for then repeated ones "
            "are joined by themselves; to add them up give an array of values, such as np.ones(len(indices))"
        )
    return binary.first


def to_values(engine: Engine | Host, values: ArrayLike, count: int, dtype: DTypeLike | None) -> Any:
    """Convert values to an array of `count` of them, of a dtype that graphla has."""
    held = to_array(engine.asarray, values, "values", BadValues)
    if held.dtype.kind == "O" and dtype is None:
        raise BadValues(
            f"values={show(values)}: object dtype for values is not allowed: give numbers of at most 64 bits, or floats"
        )
    held = cast_values(engine.xp, held, lookup(dtype)) if dtype is not None else held
    lookup(held.dtype)
    if held.ndim == 0:
        return make_full(engine.xp, count, held.item(), held.dtype)
    if held.shape != (count,):
        raise DimensionMismatch(
            f"`indices` and `values` lengths must match: {count} indices, and values of shape {held.shape}"
        )
    return held


class Host:
    """The array module of the host, for what is checked and sorted before it goes to a device."""

    xp = np

    @staticmethod
    def asarray(values: Any) -> Any:
        return np.asarray(values)


HOST = Host()
FEW = 4096
"""Up to so many entries given by the host are checked and sorted there: a device would take longer to answer."""


def are_few_on_host(indices: Any, values: Any) -> bool:
    """Whether both are few numbers in host memory."""
    kinds = list | range | np.ndarray | np.generic | bool | int | float | complex
    if not (isinstance(indices, kinds) and isinstance(values, kinds)):
        return False
    return (len(indices) if isinstance(indices, list) else np.size(indices)) <= FEW


def check_bounds(places: Any, size: int, what: str) -> None:
    """Refuse indices outside 0 … size − 1."""
    if not places.size or is_within(places, size):
        return
    low, high = find_ends(places)
    if low < 0 or high >= size:
        wrong, entry = (low, places.argmin()) if low < 0 else (high, places.argmax())
        raise IndexOutOfBounds(f"{what} {wrong}, of entry {entry}, is out of range for size {size}")


def stay_on_host(engine: Any, *arrays: Any) -> bool:
    """Whether all are arrays of NumPy, and for the engine that computes with them."""
    return engine.name == "cpu" and all(type(part) is np.ndarray for part in arrays)


def compress_sorted(rows: Any, columns: Any, values: Any, shape: tuple[int, int]) -> CompressedMatrix | None:
    """Make a matrix of entries on the host that stand in the order of rows and columns; None if they do not."""
    if not (is_within(rows, shape[0]) and is_within(columns, shape[1]) and rows.shape == columns.shape):
        return None
    begins = rows[1:] != rows[:-1]
    starts = np.concatenate([[0], np.flatnonzero(begins) + 1])
    filled = rows[starts].astype("int64")
    if not (is_all(begins | (columns[1:] > columns[:-1])) and is_all(filled[1:] > filled[:-1])):
        return None
    require_large(20 * shape[0], "a matrix of {:,} rows", shape[0])
    lengths = np.zeros(shape[0], "int64")
    lengths[filled] = np.diff(starts, append=rows.size)
    return compress_lengths(lengths, columns, values, shape)


def compress_lines(pointers: Any, columns: Any, values: Any, shape: tuple[int, int]) -> CompressedMatrix | None:
    """Make a matrix of the arrays of CSR on the host, whose rows are sorted; None if they are not."""
    if not is_within(columns, shape[1]) or pointers.dtype.kind != "i":
        return None
    lengths = np.diff(pointers).astype("int64", copy=False)
    if pointers[0] != 0 or pointers[-1] != columns.size or is_any(lengths < 0):
        return None
    rises = np.ones(columns.size + 1, bool)
    rises[1:-1] = columns[1:] > columns[:-1]
    rises[pointers] = True
    return compress_lengths(lengths, columns, values, shape) if is_all(rises) else None


def make_diagonal(vector: SparseVector, k: int) -> CompressedMatrix:
    """Make the square matrix on the host with the entries of a vector on a diagonal."""
    size = to_size(vector.size + abs(k))
    require_large(20 * size, "a diagonal of {:,} rows", size)
    if k == 0 and vector.nvals == size:
        pointers = np.arange(size + 1, dtype=choose_index_dtype(size))
        return CompressedMatrix(size, size, pointers, copy_array(vector.indices), copy_array(vector.values))
    lengths = np.zeros(size, "int64")
    lengths[vector.indices + max(0, -k)] = 1
    return compress_lengths(lengths, vector.indices + max(0, k), vector.values, to_shape(size, size))


def compress_lengths(lengths: Any, columns: Any, values: Any, shape: tuple[int, int]) -> CompressedMatrix:
    """Make a matrix, with arrays of its own, of the lengths of rows and their sorted columns and values."""
    pointers = make_pointers(np, lengths).astype(choose_index_dtype(columns.size), copy=False)
    return CompressedMatrix(*shape, pointers, columns.astype(choose_index_dtype(shape[1])), copy_array(values))


UNSIGNED = {1: "u1", 2: "u2", 4: "u4", 8: "u8"}


def is_within(places: Any, size: int) -> bool:
    """Whether this is an array of whole numbers of the host, at least one, from 0 to ``size - 1``."""
    if not (isinstance(places, np.ndarray) and places.ndim == 1 and places.size and places.dtype.kind in "iu"):
        return False
    if not places.dtype.isnative:
        return False
    end = min(size, 2 ** (8 * places.dtype.itemsize - (places.dtype.kind == "i")))
    return int(np.maximum.reduce(places.view(UNSIGNED[places.dtype.itemsize]))) < end


def sort_into_rows(
    engine: Any, rows: Any, columns: Any, values: Any, shape: tuple[int, int], dup_op: Any, uniform: bool = False
) -> CompressedMatrix:
    """Make a matrix of entries in any order, with arrays of its own; repeated entries are combined by `dup_op`.

    With one value for all, `uniform`, the cells are sorted alone, and repeats dropped.
    """
    xp = engine.xp
    falls, repeats = compare_entries(rows, columns)
    if not falls:
        values = copy_array(values)
    elif uniform:
        return sort_cells(xp, number_cells(rows, columns, shape[1]), values, shape)
    else:
        order = order_entries(rows, columns, *shape)
        rows, columns, values = (gather(part, order) for part in (rows, columns, values))
        repeats = compare_entries(rows, columns)[1]
    if repeats:
        cells = SparseVector(shape[0] * shape[1], number_cells(rows, columns, shape[1]), values)
        return cast("CompressedMatrix", from_cells(xp, combine_repeats(engine, cells, dup_op, shape[1]), shape))
    indices = cast_indices(columns, choose_index_dtype(shape[1]))
    return CompressedMatrix(*shape, make_row_pointers(xp, rows, shape[0]), indices, values)


def sort_cells(xp: Any, cells: Any, values: Any, shape: tuple[int, int]) -> CompressedMatrix:
    """Make a matrix of cells in any order, that may repeat, and of a value for each, all of them equal."""
    cells.sort()
    first, many = flag_first(cells)
    if many < cells.shape[0]:
        cells, values = gather(cells, list_true(first)), copy_array(values[:many])
    return cast("CompressedMatrix", from_cells(xp, SparseVector(shape[0] * shape[1], cells, values), shape))


def combine_repeats(engine: Any, sparse: SparseVector, dup_op: Any, ncols: int | None = None) -> SparseVector:
    """Combine the values of repeated indices by `dup_op`, or refuse them; of a matrix the indices number its cells."""
    xp = engine.xp
    fresh, many = flag_first(sparse.indices)
    if many == sparse.nvals:
        return sparse
    if dup_op is None:
        again = int(sparse.indices[xp.flatnonzero(~fresh)[0]])
        place = f"place {again}" if ncols is None else f"the entry ({again // ncols}, {again % ncols})"
        graph = "" if ncols is None else ", or of a Graph dup='first', 'min' or 'sum'"
        raise InvalidGraph(
            f"Duplicate indices found: {place} occurs twice: give "
            f"dup_op=binary.plus, binary.first …{graph}, to join the values"
        )
    op = find_operator(dup_op, binary, monoid)
    starts = list_true(fresh)
    if not isinstance(op, Monoid):
        same = [m for m in monoid.values() if m.op is op]
        if op.name in ("first", "second"):
            ends = xp.concatenate([starts[1:], xp.asarray([sparse.nvals])]) - 1
            pick = starts if op.name == "first" else ends
            return SparseVector(sparse.size, sparse.indices[starts], sparse.values[pick])
        if not same:
            raise GraphlaError(f"dup_op={op.name}: use a monoid, binary.first or binary.second")
        op = same[0]
    pointers = xp.empty(starts.size + 1, "int64")
    pointers[:-1], pointers[-1:] = starts, xp.asarray(np.array([sparse.nvals], "int64"))
    values = engine.reduce_segments(op, sparse.values, pointers, sparse.type)
    return SparseVector(sparse.size, gather(sparse.indices, starts), values)


class BadValues(DomainMismatch, ValueError):
    """Values that are no numbers."""


def infer_size(places: Any, what: str) -> int:
    """One more than the largest index."""
    if not places.size:
        kind = {"nrows": "row indices", "ncols": "column indices"}.get(what, "indices")
        raise DimensionMismatch(f"No {kind} provided. Unable to infer {what}. Give {what}=")
    return find_ends(places)[1] + 1


def copy_values(storage: Any, dtype: DTypeLike | None) -> Any:
    """The values of a storage as an array of their own, of another dtype if one is given."""
    return copy_array(storage.values) if dtype is None else cast_copy(storage.values, lookup(dtype))


def copy_entries(xp: Any, vector: Any, dtype: DTypeLike | None, indices: bool, values: bool) -> tuple[Any, Any]:
    """The indices and the values of a vector, if they are wanted, as arrays of their own."""
    sparse = as_sparse(xp, vector)
    places = None if not indices else copy_array(sparse.indices) if sparse is vector else sparse.indices
    if not values or (dtype is None and isinstance(vector, BitmapVector)):  # whose entries were listed just now
        return places, sparse.values if values else None
    return places, copy_values(sparse, dtype)


def cast_copy(values: Any, dtype: DType) -> Any:
    """A copy of values in a dtype; fractions are cut."""
    cut = cut_values(get_array_module(values), values, dtype)
    return copy_array(cut) if cut is values else cut


def as_dense(
    engine: Engine, given: Any, missing_value: Any, dtype: DTypeLike | None, copy: bool = True
) -> tuple[Any, Any]:
    """An array in a dtype that holds it, and flags of the values that are not missing; None if none may be.

    Values stand side by side in memory, and if a copy is asked for in an array that is not the one that was given.
    """
    held = given
    missing = read_scalar(missing_value)
    if missing is not None and not is_number(missing):
        raise DomainMismatch(f"missing_value={show(missing_value)}: give a number, or None where none is missing")
    if held.dtype.kind not in NUMBERS and not (held.dtype.kind == "O" and dtype is not None):
        raise BadValues(f"values={show(held)}: give numbers, not {held.dtype}")
    present = None
    if missing is not None:
        present = flag_present(held, missing)
    if dtype is not None:
        there = held if present is None else engine.xp.where(present, held, held.dtype.type(0))
        held = cast_values(engine.xp, there, lookup(dtype))
    lookup(held.dtype)
    held = engine.xp.ascontiguousarray(held) if held.ndim else held
    return copy_array(held) if copy and held is given else held, present


def flag_present(values: Any, missing: Any) -> Any:
    """Flags of the values that are not a missing one."""
    if missing == 0 and values.dtype.type in NUMPY_TYPES and find_list_kernels(values) is not None:
        return flag_true(values.reshape(-1)).reshape(values.shape)
    return values == values if missing != missing else values != missing


def fill_gaps(xp: Any, bitmap: BitmapVector, dtype: DType, fill_value: Any) -> Any:
    """All values of a vector as an array, with a fill value where there is none, of a dtype that holds both."""
    kind = dtype_with(dtype, fill_value)
    dense = make_full(xp, bitmap.present.size, fill_value, kind)
    copy_flagged(dense, bitmap.present, bitmap.values.astype(kind, copy=False))
    return dense


def dtype_with(dtype: DType, fill_value: Any) -> Any:
    """The dtype of NumPy that holds entries of a dtype, and a fill value beside them."""
    kind, fill = np.dtype(dtype.numpy), np.asarray(fill_value)
    if dtype.kind == "b":
        return np.result_type(kind, fill.dtype)
    try:
        cast_values(np, fill, dtype)
    except DomainMismatch:
        small = np.min_scalar_type(fill_value) if fill.dtype.kind in "iu" else fill.dtype
        return np.result_type(kind, small)
    return kind


def to_fill(fill_value: Any, absent: int, size: int) -> Any:
    """Return the fill value for absent entries; it is required if an entry is absent."""
    held = read_scalar(fill_value)
    if held is None and absent:
        raise DomainMismatch(
            f"{absent:,} of {size:,} places have no entry: fill_value must be given, give to_dense a fill_value"
        )
    if held is not None and not is_number(held):
        raise DomainMismatch(f"Bad type for keyword argument `fill_value`: {show(fill_value)} is no number")
    return held


def to_uniform(value: Any, dtype: DTypeLike | None) -> tuple[Any, DType]:
    """One value for all, and its dtype."""
    held = read_scalar(value)
    if held is None or not is_number(held):
        raise DomainMismatch(
            f"value={show(value)} is no number. Literal scalars also accepted, and Scalars with a value"
        )
    kind = lookup(dtype if dtype is not None else getattr(value, "dtype", None) or np.asarray(held).dtype)
    return cast_number(held, kind), kind


FORMATS = ("csr", "csc", "coo", "bsr", "dia", "dok", "lil")
"""The formats of SciPy."""


def to_format(array: Any, format: str) -> Any:
    """A sparse array of SciPy in the format of that name."""
    if not isinstance(format, str) or format not in FORMATS:
        raise InvalidOption(f"Invalid format: {show(format)}. SciPy has {', '.join(FORMATS)}")
    return array.asformat(format)
