"""Look up entries by key, and test keys against a mask."""

from __future__ import annotations

from typing import Any

from graphla.planning.steps import Mask
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullVector, SparseVector, VectorStorage
from graphla.storage.convert import gather, list_true, make_full, raise_flags
from graphla.storage.flags import flag_true
from graphla.storage.formats import as_cells, as_compressed, as_sparse, from_cells


def find(xp: Any, sparse: SparseVector, keys: Array) -> tuple[Array, Array]:
    """Return for each key whether it has an entry, and the position of the entry (0 if there is none)."""
    if sparse.nvals == 0:
        return xp.zeros(keys.shape, bool), xp.zeros(keys.shape, "int64")
    positions = xp.searchsorted(sparse.indices, keys)
    positions[positions == sparse.nvals] = 0
    return sparse.indices[positions] == keys, positions


def look_up(xp: Any, vector: VectorStorage, keys: Array) -> tuple[Array, Array]:
    """Return presence and values at `keys`; the value of an absent entry is undefined."""
    if isinstance(vector, FullVector):
        return xp.ones(keys.shape, bool), gather(vector.values, keys)
    if isinstance(vector, BitmapVector):
        return gather(vector.present, keys), gather(vector.values, keys)
    hit, positions = find(xp, vector, keys)
    if vector.nvals == 0:
        return hit, xp.zeros(keys.shape, vector.values.dtype)
    return hit, vector.values[positions]


def test_mask(xp: Any, mask: Mask, keys: Array) -> Array:
    """Return for each key whether the mask allows it."""
    present, values = look_up(xp, as_cells(xp, mask.of), keys)
    inside = present if mask.structural else present & (values != 0)
    return ~inside if mask.complement else inside


def expand_mask(xp: Any, mask: Mask, size: int) -> Array:
    """Expand a mask to one flag per index."""
    inside = flag_inside(xp, mask, size)
    return ~inside if mask.complement else inside


def flag_inside(xp: Any, mask: Mask, size: int) -> Array:
    """Expand a mask, or what it is the complement of, to one flag per index."""
    cells = as_cells(xp, mask.of)
    if isinstance(cells, SparseVector):
        indices = cells.indices if mask.structural else cells.indices[cells.values != 0]
        inside = xp.zeros(size, bool)
        raise_flags(inside, indices)
        return inside
    if isinstance(cells, BitmapVector):
        return cells.present if mask.structural else flag_true(cells.values, cells.present)
    if mask.structural:
        return make_full(xp, size, True, "bool")
    return cells.values if cells.values.dtype == bool else flag_true(cells.values)


def list_allowed(xp: Any, mask: Mask, size: int) -> Array:
    """List the keys that the mask allows, sorted."""
    cells = as_cells(xp, mask.of)
    if isinstance(cells, SparseVector) and not mask.complement:
        return cells.indices if mask.structural else cells.indices[cells.values != 0]
    if isinstance(cells, BitmapVector) and mask.structural and not mask.complement:
        return as_sparse(xp, cells).indices
    return list_true(expand_mask(xp, mask, size))


def select_true(xp: Any, mask: Mask) -> CompressedMatrix:
    """Return the entries of a matrix that act as its mask: all if structural, else those with a true value."""
    matrix = as_compressed(xp, mask.of)  # type: ignore[arg-type]
    if mask.structural:
        return matrix
    cells: Any = as_cells(xp, matrix)
    true = cells.values != 0
    selected = SparseVector(cells.size, cells.indices[true], cells.values[true])
    return from_cells(xp, selected, matrix.shape)  # type: ignore[return-value]
