"""Conversions between sparse, bitmap and full vectors, and between a matrix and the vector of its cells.

A compressed matrix is a sparse vector over its cells: the entry (i, j) has the key ``i * ncols + j``.
"""

from __future__ import annotations

from typing import Any, Literal

from graphla.common.memory import require_large
from graphla.storage.convert import (
    cast_indices,
    choose_index_dtype,
    expand_rows,
    get_array_module,
    make_full,
    make_range,
    make_row_pointers,
    number_cells,
    split_cells,
)
from graphla.storage.list_kernels import find_list_kernels
from graphla.storage.records import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
)

BITMAP_FILL = 1 / 16
"""A vector with more than this fraction of its entries is stored as a bitmap (SuiteSparse:GraphBLAS: 1/8 … 1/32)."""
SPARSE_FILL = 1 / 64
"""A bitmap with less than this fraction becomes sparse again. The gap to BITMAP_FILL prevents repeated conversions."""


def choose_vector_format(nvals: int, size: int, now: str = "sparse") -> Literal["sparse", "bitmap", "full"]:
    """Choose the format of a vector with `nvals` of `size` entries; `now` is its current format."""
    if nvals == size:
        return "full"
    keep = SPARSE_FILL if now == "bitmap" else BITMAP_FILL
    return "bitmap" if nvals > keep * size else "sparse"


def list_row_ids(matrix: CompressedMatrix) -> Array:
    """Return the row of each entry as int64, so that products with the row length do not overflow."""
    return expand_rows(matrix, "int64")


def as_cells(xp: Any, storage: MatrixStorage | VectorStorage) -> VectorStorage:
    """Convert a matrix to the vector of its cells; return a vector unchanged."""
    if isinstance(storage, FullMatrix):
        return FullVector(storage.values.reshape(-1))
    if not isinstance(storage, CompressedMatrix):
        return storage
    if find_list_kernels(storage.indices) is None:
        keys = list_row_ids(storage) * storage.ncols + storage.indices
    else:
        kind = choose_index_dtype(max(storage.nrows, storage.ncols))
        keys = number_cells(expand_rows(storage, kind), cast_indices(storage.indices, kind), storage.ncols)
    return SparseVector(storage.nrows * storage.ncols, keys, storage.values)


def from_cells(xp: Any, cells: VectorStorage, shape: tuple[int, ...]) -> MatrixStorage | VectorStorage:
    """Convert a vector of cells back to a matrix of `shape`; return it unchanged if `shape` has one dimension."""
    if len(shape) == 1:
        return cells
    if isinstance(cells, FullVector):
        return FullMatrix(cells.values.reshape(shape))
    sparse = as_sparse(xp, cells)
    rows, cols = split_cells(sparse.indices, shape)
    return CompressedMatrix(shape[0], shape[1], make_row_pointers(xp, rows, shape[0]), cols, sparse.values)


def as_vector(matrix: MatrixStorage) -> VectorStorage:
    """View a matrix of one row or one column as a vector, without a copy of its values."""
    if isinstance(matrix, FullMatrix):
        return FullVector(matrix.values.reshape(-1))
    size = matrix.ncols if matrix.nrows == 1 else matrix.nrows
    if matrix.nvals == size and size:
        return FullVector(matrix.values)
    return SparseVector(size, matrix.indices if matrix.nrows == 1 else list_rows(matrix), matrix.values)


def list_rows(matrix: CompressedMatrix) -> Array:
    """List the rows that have entries; cached with the matrix."""
    return matrix.cached("rows_with_entries", find_rows)


def find_rows(matrix: CompressedMatrix) -> Array:
    """Find the rows that have entries."""
    xp: Any = get_array_module(matrix.indptr)
    kernels = find_list_kernels(matrix.indptr)
    if kernels is not None:
        filled, _ = kernels.flag_other(kernels.measure_rows(matrix.indptr), 0)
        return kernels.list_true(filled, choose_index_dtype(matrix.nrows))
    return xp.flatnonzero(matrix.indptr[1:] > matrix.indptr[:-1]).astype(choose_index_dtype(matrix.nrows))


def as_row_or_column(xp: Any, vector: VectorStorage, shape: tuple[int, int]) -> MatrixStorage:
    """Convert a vector to a matrix of one row or one column."""
    if isinstance(vector, FullVector) and vector.size:
        return FullMatrix(vector.values.reshape(shape))
    sparse = as_sparse(xp, vector)
    if shape[0] == 1:
        pointers = xp.asarray([0, sparse.nvals], choose_index_dtype(sparse.nvals))
        return CompressedMatrix(*shape, pointers, sparse.indices, sparse.values)
    pointers = make_row_pointers(xp, sparse.indices, shape[0])
    return CompressedMatrix(*shape, pointers, xp.zeros(sparse.nvals, "int32"), sparse.values)


def list_line(xp: Any, vector: VectorStorage, shape: tuple[int, int]) -> CompressedMatrix:
    """Convert a vector to a CSR matrix of one row or one column."""
    if not isinstance(vector, FullVector) or not vector.size:
        return as_compressed(xp, as_row_or_column(xp, as_sparse(xp, vector), shape))
    pointers = make_range(xp, range(0, vector.size + 1, shape[1]), choose_index_dtype(vector.size))
    across = shape[0] == 1
    columns = make_range(xp, range(shape[1]), "int32") if across else make_full(xp, vector.size, 0, "int32")
    return CompressedMatrix(*shape, pointers, columns, vector.values)


def as_compressed(xp: Any, matrix: MatrixStorage) -> CompressedMatrix:
    """Convert a matrix to CSR; return a CSR matrix unchanged."""
    if isinstance(matrix, CompressedMatrix):
        return matrix
    return from_cells(xp, as_sparse(xp, as_cells(xp, matrix)), matrix.shape)  # type: ignore[return-value]


def as_sparse(xp: Any, vector: VectorStorage) -> SparseVector:
    """Convert a vector to sorted indices and values."""
    if isinstance(vector, SparseVector):
        return vector
    if isinstance(vector, FullVector):
        indices = make_range(xp, range(vector.size), choose_index_dtype(vector.size))
        return SparseVector(vector.size, indices, vector.values)
    kernels = find_list_kernels(vector.present)
    if kernels is not None:
        kind = choose_index_dtype(vector.size)
        return SparseVector(vector.size, *kernels.list_entries(vector.present, vector.values, kind, vector.nvals))
    indices = vector.present.nonzero()[0].astype(choose_index_dtype(vector.size))
    return SparseVector(vector.size, indices, vector.values.take(indices))


def as_bitmap(xp: Any, vector: VectorStorage) -> BitmapVector:
    """Convert a vector to presence flags and values."""
    if isinstance(vector, BitmapVector):
        return vector
    if isinstance(vector, FullVector):
        return BitmapVector(make_full(xp, vector.size, True, "bool"), vector.values, vector.size)
    kernels = find_list_kernels(vector.indices)
    if kernels is not None:
        return BitmapVector(*kernels.spread(vector.indices, vector.values, vector.size), vector.nvals)
    require_large(vector.size * (1 + vector.values.dtype.itemsize), "an array of {:,} places", vector.size, xp)
    present, values = xp.zeros(vector.size, bool), xp.zeros(vector.size, vector.values.dtype)
    present[vector.indices] = True
    values[vector.indices] = vector.values
    return BitmapVector(present, values, vector.nvals)


def as_flagged(present: Array, values: Array, count: int) -> FullVector | BitmapVector:
    """What a kernel wrote, as a vector: a full one needs no flags."""
    return FullVector(values) if count == values.shape[0] > 0 else BitmapVector(present, values, count)


def as_best_format(xp: Any, vector: VectorStorage) -> VectorStorage:
    """Convert a vector to the format that `choose_vector_format` chooses for its number of entries."""
    if vector.__class__ is FullVector and vector.size:
        return vector
    if vector.__class__ is BitmapVector and SPARSE_FILL * vector.size < vector.nvals < vector.size:
        return vector
    now = "sparse" if isinstance(vector, SparseVector) else "bitmap"
    wanted = choose_vector_format(vector.nvals, vector.size, now)
    if wanted == "sparse":
        return as_sparse(xp, vector)
    bitmap = as_bitmap(xp, vector)
    return FullVector(bitmap.values) if wanted == "full" and vector.size else bitmap
