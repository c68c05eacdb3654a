"""What stands at given places, and what a mask lets through there."""

from __future__ import annotations

from typing import Any

from graphla.planning.steps import Mask
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullVector, SparseVector, VectorStorage
from graphla.storage.formats import as_cells, compressed, from_cells


def find(xp: Any, sparse: SparseVector, keys: Array) -> tuple[Array, Array]:
    """Whether each key is an entry, and its position (0 where it is none)."""
    if sparse.nvals == 0:
        return xp.zeros(keys.shape, bool), xp.zeros(keys.shape, "int64")
    positions = xp.searchsorted(sparse.indices, keys)
    positions[positions == sparse.nvals] = 0
    return sparse.indices[positions] == keys, positions


def at(xp: Any, vector: VectorStorage, keys: Array) -> tuple[Array, Array]:
    """Presence and values at `keys`; a value means nothing where nothing is present."""
    if isinstance(vector, FullVector):
        return xp.ones(keys.shape, bool), vector.values[keys]
    if isinstance(vector, BitmapVector):
        return vector.present[keys], vector.values[keys]
    hit, positions = find(xp, vector, keys)
    if vector.nvals == 0:
        return hit, xp.zeros(keys.shape, vector.values.dtype)
    return hit, vector.values[positions]


def allowed(xp: Any, mask: Mask, keys: Array) -> Array:
    """Whether the mask lets each of `keys` be written."""
    present, values = at(xp, as_cells(xp, mask.of), keys)
    inside = present if mask.structural else present & (values != 0)
    return ~inside if mask.complement else inside


def allowed_everywhere(xp: Any, mask: Mask, size: int) -> Array:
    """The mask as one flag a place."""
    cells = as_cells(xp, mask.of)
    if isinstance(cells, SparseVector):
        kept = cells.indices if mask.structural else cells.indices[cells.values != 0]
        inside = xp.zeros(size, bool)
        inside[kept] = True
    elif isinstance(cells, BitmapVector):
        inside = cells.present if mask.structural else cells.present & (cells.values != 0)
    else:
        inside = xp.ones(size, bool) if mask.structural else cells.values != 0
    return ~inside if mask.complement else inside


def allowed_keys(xp: Any, mask: Mask, size: int) -> Array:
    """The places that the mask lets be written, in order."""
    cells = as_cells(xp, mask.of)
    if isinstance(cells, SparseVector) and not mask.complement:
        return cells.indices if mask.structural else cells.indices[cells.values != 0]
    return xp.flatnonzero(allowed_everywhere(xp, mask, size))


def true_entries(xp: Any, mask: Mask) -> CompressedMatrix:
    """The entries of a matrix mask that count: all, or those whose value is true."""
    matrix = compressed(xp, mask.of)  # type: ignore[arg-type]
    if mask.structural:
        return matrix
    cells: Any = as_cells(xp, matrix)
    true = cells.values != 0
    kept = SparseVector(cells.size, cells.indices[true], cells.values[true])
    return from_cells(xp, kept, matrix.shape)  # type: ignore[return-value]
