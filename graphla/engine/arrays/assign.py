"""Assign: the keys of entries in a target, and the part of the target that they cover."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.engine.arrays.extract import Index, to_positions
from graphla.storage import Array, BitmapVector, FullVector, SparseVector
from graphla.storage.convert import copy_array, count_true, make_full, raise_flags
from graphla.storage.convert import scatter as write_places
from graphla.storage.formats import as_cells, as_sparse
from graphla.storage.positions import Positions


def compute_keys(xp: Any, storage: Any, index: tuple[Index, ...], width: int) -> SparseVector:
    """Compute the keys of the entries of `storage` in a target with `width` columns; return keys and values, sorted."""
    cells = as_sparse(xp, as_cells(xp, storage))
    positions = [to_positions(xp, part) for part in index]
    if len(positions) == 1:
        keys = positions[0][cells.indices]
    else:
        inner = max(1, int(positions[1].size))
        keys = positions[0][cells.indices // inner] * width + positions[1][cells.indices % inner]
    order = xp.argsort(keys)
    return SparseVector(cells.size, keys[order], cells.values[order])


def scatter(xp: Any, target: BitmapVector | FullVector, index: Index, values: Array) -> BitmapVector | FullVector:
    """Write a value to each position of a vector in place; nothing if a position is wrong, which is an error."""
    values = copy_array(values) if values is target.values else values
    if isinstance(index, Positions):
        index.scatter(target.values, values)
        positions = index.settle()
    else:
        positions = to_positions(xp, index)
        write_places(target.values, positions, values)
    if isinstance(target, FullVector):
        return FullVector(target.values)
    raise_flags(target.present, positions)
    return BitmapVector(target.present, target.values, count_true(target.present))


def replace_part(xp: Any, target: BitmapVector | FullVector, positions: Array, entries: SparseVector) -> BitmapVector:
    """Write the entries of a part of a vector in place; the part loses the entries that are not among them."""
    present = target.present if isinstance(target, BitmapVector) else make_full(xp, target.size, True, "bool")
    write_places(present, positions, make_full(xp, int(positions.size), False, "bool"))
    write_places(target.values, entries.indices, entries.values)
    raise_flags(present, entries.indices)
    return BitmapVector(present, target.values, count_true(present))


def make_region_test(xp: Any, index: tuple[Index, ...], shape: tuple[int, ...]) -> Callable[[Array], Array]:
    """Return a function that tests whether the part at `index` covers each key."""

    def covers(keys: Array) -> Array:
        covered = flag_part(xp, index, shape)
        if len(covered) == 1:
            return covered[0][keys]
        return covered[0][keys // shape[1]] & covered[1][keys % shape[1]]

    return covers


def flag_part(xp: Any, index: tuple[Index, ...], shape: tuple[int, ...]) -> list[Array]:
    """Return for each dimension one flag per place, true where the part at `index` is."""
    covered = []
    for part, size in zip(index, shape, strict=True):
        flags = xp.zeros(size, bool)
        raise_flags(flags, to_positions(xp, part))
        covered.append(flags)
    return covered


def fill_region(xp: Any, value: Any, dtype: str, index: tuple[Index, ...], shape: tuple[int, ...]) -> SparseVector:
    """Return `value` at every key of the part at `index`."""
    positions = [xp.sort(to_positions(xp, part)) for part in index]
    keys = (
        positions[0] if len(positions) == 1 else (positions[0][:, None] * shape[1] + positions[1][None, :]).reshape(-1)
    )
    size = shape[0] if len(shape) == 1 else shape[0] * shape[1]
    return SparseVector(size, keys, make_full(xp, int(keys.shape[0]), value, dtype))
