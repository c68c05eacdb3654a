"""Facts about the rows of a matrix that decide how it is multiplied: their lengths, and the arcs of a frontier."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

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
from graphla.storage.convert import (
    are_equal,
    count_true,
    expand_rows,
    gather,
    get_array_module,
    make_pointers,
    measure_rows,
    raise_flags,
    tally,
)
from graphla.storage.formats import as_sparse
from graphla.storage.list_kernels import find_list_kernels
from semirings import Semiring
from semirings.dtypes import BOOL, DType


def find_cached_transpose(matrix: MatrixStorage) -> CompressedMatrix | None:
    """Return the transpose if it is cached, else None."""
    known = isinstance(matrix, CompressedMatrix) and matrix.is_cached("transposed")
    return matrix.cached("transposed", None) if known and isinstance(matrix, CompressedMatrix) else None


def find_longest_row(matrix: MatrixStorage | None) -> int | None:
    """Return the length of the longest row that a push scatters; None if the matrix is not at hand."""
    if matrix is None or isinstance(matrix, FullMatrix):
        return None if matrix is None else matrix.shape[1]
    return matrix.cached("longest_row", compute_longest_row)


def fills_rows(matrix: CompressedMatrix, transposed: bool) -> bool:
    """Whether each row has an entry, or each column if `transposed`."""
    return count_filled_rows(matrix, transposed) == matrix.shape[transposed]


def count_filled_rows(matrix: CompressedMatrix, transposed: bool) -> int:
    """Count the rows that have an entry, or the columns if `transposed`."""
    return matrix.cached("filled_columns" if transposed else "filled_rows", count_columns if transposed else count_rows)


def count_rows(matrix: CompressedMatrix) -> int:
    """Look at the length of each row."""
    kernels = find_list_kernels(matrix.indptr)
    if kernels is not None:
        return kernels.count_filled_rows(matrix.indptr)
    return int((compute_row_lengths(matrix) > 0).sum())


def count_columns(matrix: CompressedMatrix) -> int:
    """Look for each column in the entries, or at the rows of the transpose if that is cached."""
    known = find_cached_transpose(matrix)
    if known is not None:
        return count_rows(known)
    seen = get_array_module(matrix.indices).zeros(matrix.ncols, bool)
    raise_flags(seen, matrix.indices)
    return count_true(seen)


def compute_row_lengths(matrix: CompressedMatrix) -> Array:
    """Return the number of entries of each row."""
    return measure_rows(matrix.indptr)


def compute_longest_row(matrix: CompressedMatrix) -> int:
    """Return the number of entries of the longest row."""
    return int(compute_row_lengths(matrix).max()) if matrix.nrows else 0


def estimate_frontier_arcs(matrix: MatrixStorage | None, vector: VectorStorage, degree: float, enough: float) -> float:
    """Return the number of arcs that leave the entries of `vector`: exact if it could exceed `enough`, else estimated.

    The estimate uses the mean degree. In a skewed graph a frontier of hubs has many times the arcs of a frontier of
    equally many leaves; where a device has few arcs, that does not matter.
    """
    longest = find_longest_row(matrix)
    if not isinstance(matrix, CompressedMatrix) or longest is None or isinstance(vector, FullVector):
        return vector.size * degree if isinstance(vector, FullVector) else vector.nvals * degree
    if vector.nvals * longest <= enough:
        return vector.nvals * degree
    if find_list_kernels(matrix.indptr) is not None:
        if matrix.nvals <= UNSEEN_ARCS:
            return vector.nvals * degree
        fits = BOUNDED_PART * enough >= matrix.nvals and 2 * vector.nvals * degree <= enough  # then a look may pay
        few = fits and bound_arcs(matrix, vector.nvals) <= enough  # then the host need not wait for a count
        return vector.nvals * degree if few else count_reads(matrix, list_entries(vector))
    if isinstance(vector, SparseVector):
        lengths = matrix.cached("row_lengths", compute_row_lengths)
        return int(np.add.reduce(lengths.take(vector.indices)))  # as `sum`, without a microsecond of Python
    return int(np.dot(matrix.cached("row_lengths_in_floats", measure_in_floats), vector.present))


def pulls_at_once(matrix: MatrixStorage, rows_are_k: bool, vector: VectorStorage) -> bool:
    """Whether a GPU pulls by few arcs from a vector with flags, by rows that it has."""
    few = isinstance(vector, BitmapVector) and matrix.nvals <= ARCS_AT_ONCE and isinstance(matrix, CompressedMatrix)
    return few and (not rows_are_k or find_cached_transpose(matrix) is not None)


def measure_in_floats(matrix: CompressedMatrix) -> Array:
    """Return the number of entries of each row in FP64, which adds them exactly, and fastest where flags choose."""
    return compute_row_lengths(matrix).astype("float64")


UNSEEN_ARCS = 1 << 20
"""A device multiplies so many arcs either way in less time than the host waits for it to count some of them."""
ARCS_AT_ONCE = 1 << 17
"""A GPU pulls by so many arcs in less time than the host takes to launch what a push does first (H200)."""
PULL_AT_ONCE = "pull: on a GPU all {:,} arcs take less time than the list of the entries that a push needs"
BOUNDED_PART = 8
"""Arcs of the longest rows are looked at where at least this part of all arcs would be enough."""
MARKS_PER_DOUBLING = 16
"""How many of the longest rows are looked at from one power of two to the next."""


def bound_arcs(matrix: CompressedMatrix, rows: int) -> float:
    """Return an upper bound of the entries of so many rows: those of the longest ones, within a few percent."""
    marks, arcs, lengths = matrix.cached("longest_rows", measure_longest_rows)
    last = int(np.searchsorted(marks, rows, side="right")) - 1
    return float(arcs[last] + (rows - marks[last]) * lengths[last])


def measure_longest_rows(matrix: CompressedMatrix) -> tuple[Any, Any, Any]:
    """Return some numbers k; at most how many entries the k longest rows have; and the length of the next one.

    On the host. A device sorts the lengths and copies a few hundred of them. Rows between two of these are taken to be
    as long as the longer one.
    """
    lengths = compute_row_lengths(matrix)
    lengths.sort()
    doublings = np.arange(MARKS_PER_DOUBLING * (matrix.nrows.bit_length() + 1)) / MARKS_PER_DOUBLING
    marks = np.unique(np.minimum(np.r_[0, 2**doublings].astype("int64"), matrix.nrows - 1))
    places = get_array_module(lengths).asarray(matrix.nrows - 1 - marks)
    longest = np.asarray(gather(lengths, places).tolist(), "int64")
    arcs = np.cumsum(np.diff(marks, prepend=0) * np.r_[0, longest[:-1]])
    return marks, arcs, longest


def count_reads(matrix: CompressedMatrix, rows: Array) -> int:
    """Return the number of entries in the chosen rows, of which each counts as often as it is chosen."""
    kernels = find_list_kernels(matrix.indptr)
    if kernels is not None:
        return kernels.count_arcs(matrix.indptr, rows)
    return int(compute_row_lengths(matrix)[rows].astype("int64").sum())


def list_entries(vector: VectorStorage) -> Array:
    """List the indices that have an entry."""
    return as_sparse(get_array_module(vector.values), vector).indices


def bound_entries(
    left: CompressedMatrix, left_transposed: bool, right: CompressedMatrix, right_transposed: bool, width: int
) -> int:
    """Return an upper bound of the entries of a product by rows: its products, and in a row no more than its cells.

    A product with hubs has many times the entries that the mean degrees promise.
    """
    xp, lengths = get_array_module(left.indices), measure_lines(right, right_transposed)
    if left_transposed:
        return int((measure_lines(left, False) * lengths).sum())
    before = make_pointers(xp, gather(lengths, left.indices))[left.indptr]
    return int(xp.minimum(before[1:] - before[:-1], width).sum())


def measure_lines(matrix: CompressedMatrix, columns: bool) -> Array:
    """Return the number of entries of each row, or of each column, as int64."""
    known = find_cached_transpose(matrix) if columns else matrix
    if known is not None:
        return measure_rows(known.indptr).astype("int64")
    return tally(matrix.indices, matrix.ncols)


DIAGONAL_SHARE = 16
"""A square matrix with less than this part of a diagonal is not looked at: its products are short anyway."""


def is_diagonal(matrix: MatrixStorage) -> bool:
    """Whether a matrix is square and has entries on its diagonal alone, and many of them."""
    if not isinstance(matrix, CompressedMatrix) or matrix.nrows != matrix.ncols or not matrix.nrows:
        return False
    if not matrix.nrows <= DIAGONAL_SHARE * matrix.nvals <= DIAGONAL_SHARE * matrix.nrows:
        return False
    return matrix.cached("is_diagonal", find_diagonal)


def find_diagonal(matrix: CompressedMatrix) -> bool:
    """Compare the column of each entry with its row."""
    return are_equal(matrix.indices, expand_rows(matrix, "int32"))


def find_diagonal_side(left: MatrixStorage, right: MatrixStorage) -> Literal["left", "right"] | None:
    """Say which operand of a product is diagonal; one that lacks entries may scale a compressed matrix alone."""
    if is_diagonal(left) and (left.nvals == left.shape[0] or isinstance(right, CompressedMatrix)):
        return "left"
    whole = is_diagonal(right) and not is_diagonal(left)
    return "right" if whole and (right.nvals == right.shape[0] or isinstance(left, CompressedMatrix)) else None


def stops_early(semiring: Semiring, out: DType) -> bool:
    """Whether a pull often stops at the first term of a row: ⊕ is `any`, or a Boolean monoid with a terminal value."""
    return semiring.add.is_any or (out is BOOL and semiring.add.terminal(out) is not None)
