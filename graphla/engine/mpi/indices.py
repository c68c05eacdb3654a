"""Indices of a whole, in int64, and of its blocks; on a GPU by kernels of our own."""

from __future__ import annotations

from typing import Any

from graphla.storage import Array
from graphla.storage.convert import flag_first, gather, get_array_module, list_true
from graphla.storage.list_kernels import find_list_kernels

SHIFT, LOW = 32, 0xFFFFFFFF
"""Row and column within a block travel as one number of 64 bits."""


def shift(given: Array, first: int, step: int = 1, dtype: str = "int64") -> Array:
    """Return ``first + step * given`` in a dtype."""
    kernels = find_list_kernels(given)
    if kernels is not None:
        return kernels.blocks.shift(given, first, step, dtype)
    moved = given.astype("int64") * step + first if step != 1 else given.astype("int64") + first
    return moved.astype(dtype, copy=False)


def shift_at(index: Any, places: Array) -> Array:
    """Return ``index[places]`` of a range or an array."""
    return shift(places, index.start, index.step) if isinstance(index, range) else gather(index, places)


def find_blocks(places: Array, bounds: list[int]) -> Array:
    """Return the block in which each place is."""
    kernels = find_list_kernels(places)
    if kernels is not None:
        return kernels.blocks.find_blocks(places, bounds)
    xp = get_array_module(places)
    if len(bounds) == 2:
        return xp.zeros(places.shape, "int64")
    return xp.searchsorted(xp.asarray(bounds[1:-1], "int64"), places, side="right")


def pack_entries(rows: Array, columns: Array, row_bounds: list[int], column_bounds: list[int]) -> tuple[Array, Array]:
    """Return the block of each entry in a grid, row after row, and its row and column there as one number."""
    kernels = find_list_kernels(rows, columns)
    if kernels is not None:
        return kernels.blocks.pack_entries(rows, columns, row_bounds, column_bounds)
    xp, across = get_array_module(rows), len(column_bounds) - 1
    i, j = find_blocks(rows, row_bounds), find_blocks(columns, column_bounds)
    keys = (rows - xp.asarray(row_bounds)[i]) << SHIFT | (columns - xp.asarray(column_bounds)[j])
    return i * across + j, keys


def pack_cells(rows: Array, columns: Array) -> Array:
    """Return row and column as one number."""
    kernels = find_list_kernels(rows, columns)
    if kernels is None:
        return rows << SHIFT | columns
    return kernels.blocks.pack_entries(rows, columns, [0, LOW], [0, LOW])[1]


def list_fresh(keys: Array) -> Array:
    """List where sorted keys differ from the one before, in int64; the first does."""
    kernels, (first, many) = find_list_kernels(keys), flag_first(keys)
    return list_true(first) if kernels is None else kernels.list_true(first, "int64", many)


def unpack_entries(keys: Array) -> tuple[Array, Array]:
    """Return rows and columns of packed entries, in int32."""
    kernels = find_list_kernels(keys)
    if kernels is not None:
        return kernels.blocks.unpack_entries(keys)
    return (keys >> SHIFT).astype("int32"), (keys & LOW).astype("int32")


def list_inside(places: Array, span: tuple[int, int]) -> Array:
    """List which of the places are within a span, in int64."""
    kernels = find_list_kernels(places)
    if kernels is not None:
        return kernels.list_true(kernels.blocks.flag_inside(places, span), "int64")
    return list_true((places >= span[0]) & (places < span[1]))


def search_sorted(sorted: Array, keys: Array) -> Array:
    """Return for each key how many of the sorted numbers are less."""
    kernels = find_list_kernels(sorted, keys)
    if kernels is not None:
        return kernels.blocks.search_sorted(sorted, keys)
    return get_array_module(sorted).searchsorted(sorted, keys)


def number_grid(xp: Any, shape: tuple[int, int], corner: tuple[int, int], like: Array) -> tuple[Array, Array]:
    """Return the row and the column of each cell of a block with a corner; `like` is an array of the block."""
    kernels = find_list_kernels(like)
    if kernels is not None:
        return kernels.blocks.number_grid(shape, corner)
    rows, columns = (xp.arange(first, first + many) for first, many in zip(corner, shape, strict=True))
    return xp.repeat(rows, shape[1]), xp.tile(columns, shape[0])


def join_arrays(xp: Any, parts: list[Array]) -> Array:
    """Join arrays of one dtype: CuPy's function compiles a kernel for each dtype, and copies of slices need none."""
    if len(parts) == 1:
        return parts[0]
    joined, first = xp.empty(sum(part.shape[0] for part in parts), parts[0].dtype), 0
    for part in parts:
        joined[first : first + part.shape[0]] = part
        first += part.shape[0]
    return joined
