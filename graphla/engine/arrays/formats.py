"""Between sparse, bitmap and full vectors, and between a matrix and the vector of its cells.

A compressed matrix is a sparse vector over its cells: the entry (i, j) has the key ``i * ncols + j``.
"""

from __future__ import annotations

from typing import Any

from graphla.plan import vector_format
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
)

INT32_END = 2**31


def index_dtype(count: int) -> str:
    """int32 while it can count to `count`."""
    return "int32" if count < INT32_END else "int64"


def row_ids(xp: Any, matrix: CompressedMatrix) -> Array:
    """The row of each entry."""
    if xp.__name__ == "numpy":
        return xp.repeat(xp.arange(matrix.nrows, dtype="int64"), xp.diff(matrix.indptr))
    positions = xp.arange(matrix.nvals, dtype=matrix.indptr.dtype)
    return xp.searchsorted(matrix.indptr, positions, side="right").astype("int64") - 1


def as_cells(xp: Any, storage: MatrixStorage | VectorStorage) -> VectorStorage:
    """A matrix as the vector of its cells; a vector as it is."""
    if isinstance(storage, FullMatrix):
        return FullVector(storage.values.reshape(-1))
    if not isinstance(storage, CompressedMatrix):
        return storage
    keys = row_ids(xp, storage) * storage.ncols + storage.indices
    return SparseVector(storage.nrows * storage.ncols, keys, storage.values)


def from_cells(xp: Any, cells: VectorStorage, shape: tuple[int, ...]) -> MatrixStorage | VectorStorage:
    """The matrix whose cells these are; a vector as it is."""
    if len(shape) == 1:
        return cells
    if isinstance(cells, FullVector):
        return FullMatrix(cells.values.reshape(shape))
    sparse = as_sparse(xp, cells)
    width = max(1, shape[1])
    rows, cols = sparse.indices // width, (sparse.indices % width).astype(index_dtype(width))
    return CompressedMatrix(*shape, row_pointers(xp, rows, shape[0]), cols, sparse.values)


def compressed(xp: Any, matrix: MatrixStorage) -> CompressedMatrix:
    """The matrix as rows of columns; itself if it is stored so."""
    if isinstance(matrix, CompressedMatrix):
        return matrix
    return from_cells(xp, as_sparse(xp, as_cells(xp, matrix)), matrix.shape)  # type: ignore[return-value]


def row_pointers(xp: Any, rows: Array, nrows: int) -> Array:
    """Row pointers of sorted row numbers."""
    if xp.__name__ != "numpy":  # CuPy counts by atomics on the same few addresses, and waits for the largest row
        return xp.searchsorted(rows, xp.arange(nrows + 1)).astype(index_dtype(int(rows.size)))
    counts = xp.bincount(rows, minlength=nrows) if rows.size else xp.zeros(nrows, "int64")
    pointers = xp.zeros(nrows + 1, "int64")
    xp.cumsum(counts, out=pointers[1:])
    return pointers.astype(index_dtype(int(rows.size)))


def as_sparse(xp: Any, vector: VectorStorage) -> SparseVector:
    """The same entries as a sorted list."""
    if isinstance(vector, SparseVector):
        return vector
    if isinstance(vector, FullVector):
        return SparseVector(vector.size, xp.arange(vector.size, dtype=index_dtype(vector.size)), vector.values)
    indices = xp.flatnonzero(vector.present).astype(index_dtype(vector.size))
    return SparseVector(vector.size, indices, vector.values[indices])


def as_bitmap(xp: Any, vector: VectorStorage) -> BitmapVector:
    """The same entries as presence flags and values."""
    if isinstance(vector, BitmapVector):
        return vector
    if isinstance(vector, FullVector):
        return BitmapVector(xp.ones(vector.size, bool), vector.values, vector.size)
    present, values = xp.zeros(vector.size, bool), xp.zeros(vector.size, vector.values.dtype)
    present[vector.indices] = True
    values[vector.indices] = vector.values
    return BitmapVector(present, values, vector.nvals)


def suited(xp: Any, vector: VectorStorage) -> VectorStorage:
    """The same entries in the format that the plan wants for so many."""
    if isinstance(vector, FullVector) and vector.size:
        return vector
    now = "sparse" if isinstance(vector, SparseVector) else "bitmap"
    wanted = vector_format(vector.nvals, vector.size, now)
    if wanted == "sparse":
        return as_sparse(xp, vector)
    bitmap = as_bitmap(xp, vector)
    return FullVector(bitmap.values) if wanted == "full" and vector.size else bitmap
