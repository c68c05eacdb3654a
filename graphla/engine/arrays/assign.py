"""Assign: where entries go in a target, and which part of it they cover."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.engine.arrays.extract import Index, positions
from graphla.storage import Array, SparseVector
from graphla.storage.formats import as_cells, as_sparse


def assign_keys(xp: Any, storage: Any, index: tuple[Index, ...], width: int) -> SparseVector:
    """The entries of `storage` with the keys that they get in a target whose rows are `width` wide."""
    cells = as_sparse(xp, as_cells(xp, storage))
    wanted = [positions(xp, part) for part in index]
    if len(wanted) == 1:
        keys = wanted[0][cells.indices]
    else:
        inner = max(1, int(wanted[1].size))
        keys = wanted[0][cells.indices // inner] * width + wanted[1][cells.indices % inner]
    order = xp.argsort(keys)
    return SparseVector(cells.size, keys[order], cells.values[order])


def region(xp: Any, index: tuple[Index, ...], shape: tuple[int, ...]) -> Callable[[Array], Array]:
    """A test of keys: does the part at `index` cover them?"""
    covered = []
    for part, size in zip(index, shape, strict=True):
        flags = xp.zeros(size, bool)
        flags[positions(xp, part)] = True
        covered.append(flags)
    if len(covered) == 1:
        return lambda keys: covered[0][keys]
    return lambda keys: covered[0][keys // shape[1]] & covered[1][keys % shape[1]]


def filled(xp: Any, value: Any, dtype: str, index: tuple[Index, ...], shape: tuple[int, ...]) -> SparseVector:
    """`value` at every place of the part at `index`."""
    wanted = [xp.sort(positions(xp, part)) for part in index]
    keys = wanted[0] if len(wanted) == 1 else (wanted[0][:, None] * shape[1] + wanted[1][None, :]).reshape(-1)
    size = shape[0] if len(shape) == 1 else shape[0] * shape[1]
    return SparseVector(size, keys, xp.full(keys.shape, value, dtype))
