"""Predict the bytes of work space of array operations: keys of cells, positions, flags and copies.

Each number counts the arrays of one function of this package that exist at the same time. A transpose, which is cached
with its matrix, counts if it is not cached yet.
"""

from __future__ import annotations

from typing import Any, Literal

from graphla.engine.arrays.extract import is_all
from graphla.planning.degrees import is_diagonal
from graphla.planning.steps import (
    EwiseStep,
    ExtractStep,
    KroneckerStep,
    MatMat,
    MatVec,
    ReduceProductStep,
    SelectStep,
    Step,
    WordProduct,
)
from graphla.storage import CompressedMatrix, FullMatrix, SparseVector

KEY = 8
"""Bytes of a position, a key of a cell or a row number: int64."""
MERGE_KEYS = 8
"""Keys and positions per entry of a union: both lists, their concatenation, its order, and the positions in both."""
TRANSPOSE_BYTES = 40
"""Bytes per transposed entry: its position in the new order, its row, its sorted column, and sorting."""


def work_bytes(step: Step) -> int:
    """Return an upper bound of the work space of a step."""
    transposed = sum(transpose_bytes(held) for held in list_missing_transposes(step))
    return transposed + STEP_BYTES.get(type(step), no_bytes)(step)


def count_by_kernels(step: Step, kernels: dict[Any, Any]) -> int:
    """Return the work space of a step that an engine's own kernels compute, else that of the array operations.

    `kernels` holds for a kind of step whether they compute it, and the bytes that they take beside missing transposes.
    """
    applies, count_bytes = kernels.get(type(step), (None, no_bytes))
    if applies is None or not applies(step):
        return work_bytes(step)
    return sum(map(transpose_bytes, list_missing_transposes(step))) + count_bytes(step)


def list_missing_transposes(step: Any) -> list[Any]:
    """List the operands that are read transposed and whose transpose is not cached."""
    if isinstance(step, MatMat) and step.vector is not None:
        return list_missing_transposes(step.vector)
    if isinstance(step, ExtractStep) and isinstance(step.of, CompressedMatrix) and find_line(step) is not None:
        return []  # a column of the transpose is a row
    pairs = (("matrix", "transposed"), ("of", "transposed"), ("left", "left_transposed"), ("right", "right_transposed"))
    asked = [getattr(step, name) for name, flag in pairs if getattr(step, flag, False) and hasattr(step, name)]
    if isinstance(step, MatMat) and step.how == "dots" and step.schedule in ("rows", "hubs"):  # reads B by columns
        asked = [step.left] * step.left_transposed + [step.right] * (not step.right_transposed)
    if isinstance(step, MatMat) and step.schedule == "pull":  # reads the columns of the other operand as rows
        few, other = (step.left, step.right) if step.few_on_left else (step.right, step.left)
        turned = not step.right_transposed if step.few_on_left else step.left_transposed
        few_turned = step.left_transposed if step.few_on_left else not step.right_transposed
        asked = [other] * turned + [few] * (few_turned and not isinstance(few, FullMatrix))
    if isinstance(step, WordProduct):  # a pull reads the columns of the matrix as rows
        asked = [step.matrix] * ((step.direction == "pull") != step.transposed)
    return [held for held in asked if isinstance(held, FullMatrix) or not held.is_cached("transposed")]


def transpose_bytes(matrix: Any) -> int:
    """Return the bytes of a transpose and of building it."""
    item = matrix.values.dtype.itemsize
    if isinstance(matrix, FullMatrix):
        return matrix.nvals * item
    return matrix.nvals * (TRANSPOSE_BYTES + item) + KEY * (sum(matrix.shape) + 2)


def count_sum_bytes(step: ReduceProductStep) -> int:
    """Return the bytes of missing transposes, and of the tasks of the entries that are computed at a time."""
    tasks = step.nbytes // (1 + step.product.out.bits // 8) * 28 + 64 * sum(step.product.shape)
    return sum(map(transpose_bytes, list_missing_transposes(step.product))) + tasks


def no_bytes(step: Any) -> int:
    return 0


def matvec_bytes(step: MatVec, listed: bool = True) -> int:
    """Return the bytes of the mask's flags, of the vector as a bitmap, and where `listed` of a list of indices."""
    spread = step.vector.size * (1 + step.vector.values.dtype.itemsize) if isinstance(step.vector, SparseVector) else 0
    each = KEY * listed + 1 + step.out.bits // 8
    return spread + step.size * each + (2 * step.size if step.mask is not None else 0)


def matmat_bytes(step: MatMat) -> int:
    """Return the bytes of row counts and row pointers, and for dot products of the cells of the mask."""
    if step.vector is not None:
        return vector_view_bytes(step) + matvec_bytes(step.vector)
    if step.how == "tiles":
        return 0
    rows = 3 * KEY * (step.shape[0] + 1) + count_compressed_bytes(step)
    if step.how != "dots" or step.mask is None:
        return rows
    return rows + step.mask.of.nvals * (4 * KEY + 1 + step.out.bits // 8)


def count_scaling_bytes(step: MatMat) -> int:
    """Return the bytes of the rows, the factors and the values of a product with a diagonal matrix."""
    by_rows = is_diagonal(step.left)
    diagonal, other = (step.left, step.right) if by_rows else (step.right, step.left)
    each = by_rows * KEY + diagonal.values.dtype.itemsize
    if diagonal.nvals < diagonal.shape[0]:  # rows, flags, and the entries that are kept
        each += 5 + KEY + 4 + other.values.dtype.itemsize
    return count_compressed_bytes(step) + other.nvals * each + 2 * KEY * diagonal.shape[0]


def count_compressed_bytes(step: MatMat) -> int:
    """Return the bytes of full operands as compressed matrices: keys of cells, rows, columns and values."""
    full = [held for held in (step.left, step.right) if isinstance(held, FullMatrix)]
    return sum(held.nvals * (6 * KEY + held.values.dtype.itemsize) for held in full)


def vector_view_bytes(step: MatMat) -> int:
    """Return the bytes of positions where a product with a vector becomes a matrix of one row or one column.

    A full result needs none, and of a full operand none are listed.
    """
    if not step.full_times_sparse:
        return 2 * KEY * (max(step.shape) + 2)
    return KEY * (max(step.shape) + 2) if step.count_gaps() else 0


def ewise_bytes(step: EwiseStep) -> int:
    """Return the bytes of the keys of both operands, of their union, and of the aligned values."""
    return (step.left.nvals + step.right.nvals) * (MERGE_KEYS * KEY + 2 * step.out.bits // 8)


def part_bytes(step: ExtractStep) -> int:
    """Return the bytes of the positions of a part of a vector, of what is found there, and of its entries."""
    if len(step.index) == 2:
        return one_operand_bytes(step)
    return step.shape[0] * (5 * KEY + 1 + step.of.values.dtype.itemsize)  # type: ignore[union-attr]


def find_line(step: ExtractStep) -> Literal["row", "column"] | None:
    """Say whether the part is a whole row, or a whole column, of the matrix as it is stored."""
    index: Any = step.index[::-1] if step.transposed else step.index
    nrows, ncols = step.of.shape  # type: ignore[union-attr]
    if isinstance(index[0], int) and is_all(index[1], ncols):
        return "row"
    return "column" if isinstance(index[1], int) and is_all(index[0], nrows) else None


def one_operand_bytes(step: SelectStep | ExtractStep) -> int:
    """Return the bytes of row, column, key, flag or position of each entry, and of the selected entries."""
    return step.of.nvals * 6 * KEY if isinstance(step.of, (CompressedMatrix, SparseVector)) else step.of.nvals * KEY


def kronecker_bytes(step: KroneckerStep) -> int:
    """Return the bytes of run, positions and column of each entry, and of both values; of the runs; of the rows."""
    entries, runs = step.left.nvals * step.right.nvals, step.left.nvals * step.right.shape[0]
    return (
        entries * (5 * KEY + 3 * step.out.bits // 8)
        + 5 * runs * KEY
        + 4 * step.left.shape[0] * step.right.shape[0] * KEY
    )


STEP_BYTES: dict[Any, Any] = {
    MatVec: matvec_bytes,
    MatMat: matmat_bytes,
    EwiseStep: ewise_bytes,
    SelectStep: one_operand_bytes,
    ExtractStep: part_bytes,
    KroneckerStep: kronecker_bytes,
    ReduceProductStep: count_sum_bytes,
}
