"""Extracting and assigning parts of vectors and matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.engine.arrays.formats import as_bitmap, as_cells, as_sparse, index_dtype, row_pointers
from graphla.engine.arrays.lookup import at
from graphla.planning.plan import vector_format
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    SparseVector,
    VectorStorage,
)

Index = Any  # an int, a range, or an array of positions


def positions(xp: Any, index: Index) -> Array:
    """The positions that an index names, as an array."""
    if isinstance(index, range):
        return xp.arange(index.start, index.stop, index.step, dtype="int64")
    return xp.atleast_1d(xp.asarray(index)).astype("int64")


def gather_vector(xp: Any, vector: VectorStorage, index: Index) -> VectorStorage:
    """w[k] = v[index[k]]."""
    wanted = positions(xp, index)
    present, values = at(xp, vector, wanted)
    if isinstance(vector, FullVector):
        return FullVector(values)
    count = int(xp.count_nonzero(present))
    if vector_format(count, wanted.size) != "sparse":
        return BitmapVector(present, values, count)
    places = xp.flatnonzero(present).astype(index_dtype(wanted.size))
    return SparseVector(int(wanted.size), places, values[present])


def expand(xp: Any, starts: Array, counts: Array) -> tuple[Array, Array]:
    """For ranges of `counts` positions from `starts`: the number of the range and the position, one by one."""
    ends = xp.cumsum(counts)
    total = int(ends[-1]) if counts.size else 0
    steps = xp.arange(total, dtype="int64")
    which = xp.searchsorted(ends, steps, side="right")
    return which, starts[which] + steps - (ends[which] - counts[which])


def gather_rows(xp: Any, matrix: CompressedMatrix, index: Index) -> CompressedMatrix:
    """C[k, :] = A[index[k], :]."""
    rows = positions(xp, index)
    starts = matrix.indptr[rows].astype("int64")
    counts = matrix.indptr[rows + 1].astype("int64") - starts
    which, places = expand(xp, starts, counts)
    pointers = row_pointers(xp, which, int(rows.size))
    return CompressedMatrix(int(rows.size), matrix.ncols, pointers, matrix.indices[places], matrix.values[places])


def gather_full(xp: Any, matrix: FullMatrix, rows: Index, cols: Index) -> FullMatrix:
    """C[k, l] = A[rows[k], cols[l]]."""
    return FullMatrix(xp.ascontiguousarray(matrix.values[positions(xp, rows)][:, positions(xp, cols)]))


def is_all(index: Index, size: int) -> bool:
    """Whether an index names everything in order."""
    return isinstance(index, range) and index == range(size)


def place_keys(xp: Any, storage: Any, index: tuple[Index, ...], width: int) -> SparseVector:
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


__all__ = ["as_bitmap", "filled", "gather_full", "gather_rows", "gather_vector", "place_keys", "region"]
