"""Extract entries at given positions of a vector, or at given rows and columns of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays.lookup import look_up
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    SparseVector,
    VectorStorage,
)
from graphla.storage.convert import count_true, gather, make_range
from graphla.storage.formats import as_best_format, choose_index_dtype, choose_vector_format, make_row_pointers
from graphla.storage.list_kernels import find_list_kernels
from graphla.storage.positions import Positions, settle

Index = Any  # an int, a range, or an array of positions


def to_positions(xp: Any, index: Index) -> Array:
    """Convert an index to an array of positions."""
    if isinstance(index, range):
        return make_range(xp, index)
    index = settle(index)
    if xp is np and hasattr(index, "get"):
        index = index.get()  # positions on a GPU for a container on the host
    return xp.atleast_1d(xp.asarray(index)).astype("int64", copy=False)


def extract_vector(xp: Any, vector: VectorStorage, index: Index) -> VectorStorage:
    """w[k] = v[index[k]]; positions on a device are checked meanwhile."""
    positions = index.array if isinstance(index, Positions) else to_positions(xp, index)
    if isinstance(vector, FullVector):
        values = gather(vector.values, positions)
        settle(index)
        return FullVector(values)
    present, values = look_up(xp, vector, positions)
    settle(index)
    kernels = find_list_kernels(present)
    if kernels is not None:
        return as_best_format(xp, BitmapVector(present, values, kernels.count_true(present)))
    count = count_true(present)
    if choose_vector_format(count, positions.size) != "sparse":
        return BitmapVector(present, values, count)
    indices = xp.flatnonzero(present).astype(choose_index_dtype(positions.size))
    return SparseVector(int(positions.size), indices, values[present])


def expand(xp: Any, starts: Array, counts: Array) -> tuple[Array, Array]:
    """Expand ranges of `counts` positions from `starts`: return for each position its range number and itself."""
    ends = xp.cumsum(counts)
    total = int(ends[-1]) if counts.size else 0
    steps = xp.arange(total, dtype="int64")
    which = xp.searchsorted(ends, steps, side="right")
    return which, starts[which] + steps - (ends[which] - counts[which])


def extract_rows(xp: Any, matrix: CompressedMatrix, index: Index) -> CompressedMatrix:
    """C[k, :] = A[index[k], :]."""
    rows = to_positions(xp, index)
    starts = matrix.indptr[rows].astype("int64")
    counts = matrix.indptr[rows + 1].astype("int64") - starts
    which, positions = expand(xp, starts, counts)
    pointers = make_row_pointers(xp, which, int(rows.size))
    return CompressedMatrix(int(rows.size), matrix.ncols, pointers, matrix.indices[positions], matrix.values[positions])


def extract_full(xp: Any, matrix: FullMatrix, rows: Index, cols: Index) -> FullMatrix:
    """C[k, l] = A[rows[k], cols[l]]."""
    return FullMatrix(xp.ascontiguousarray(matrix.values[to_positions(xp, rows)][:, to_positions(xp, cols)]))


def is_all(index: Index, size: int) -> bool:
    """Whether an index selects everything in order."""
    return isinstance(index, range) and index == range(size)


def is_rising(index: Index, places: Array) -> bool:
    """Whether positions are in order, none twice."""
    if isinstance(index, range):
        return index.step > 0
    if isinstance(index, Positions):
        return index.is_rising()
    if index.__class__ is np.ndarray:
        return not np.count_nonzero(index[1:] <= index[:-1])  # `all` takes longer of a few
    kernels = find_list_kernels(places)
    return bool((places[1:] > places[:-1]).all()) if kernels is None else kernels.is_rising(places)
