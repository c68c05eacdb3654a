"""Bytes that array operations take beside the result of a step: keys of cells, positions, flags and copies.

Each number counts the arrays of one function of this package while they live together; what is kept with a matrix
afterwards (its transpose) counts while it is not there yet.
"""

from __future__ import annotations

from typing import Any

from graphla.planning.steps import EwiseStep, ExtractStep, KroneckerStep, MatMat, MatVec, SelectStep, Step
from graphla.storage import CompressedMatrix, FullMatrix, SparseVector

KEY = 8
"""A position, a key of a cell, a row: int64."""
MERGE_KEYS = 8
"""Keys and positions an entry of a union: both lists, their join, the order of it, and where each is found."""
TURN_BYTES = 40
"""Of an entry that is transposed: its place in the new order, its row, its column sorted, and what sorting takes."""


def work_bytes(step: Step) -> int:
    """Bytes beside the result, at most."""
    transposed = sum(transpose_bytes(held) for held in transposed_operands(step))
    return transposed + OWN.get(type(step), nothing)(step)


def transposed_operands(step: Any) -> list[Any]:
    """The operands that are read the other way round, and whose transpose is not known."""
    pairs = (("matrix", "transposed"), ("of", "transposed"), ("left", "left_transposed"), ("right", "right_transposed"))
    asked = [getattr(step, name) for name, flag in pairs if getattr(step, flag, False) and hasattr(step, name)]
    return [held for held in asked if isinstance(held, FullMatrix) or not held.is_cached("transposed")]


def transpose_bytes(matrix: Any) -> int:
    """Bytes of a transpose that is built, and of building it."""
    item = matrix.values.dtype.itemsize
    if isinstance(matrix, FullMatrix):
        return matrix.nvals * item
    return matrix.nvals * (TURN_BYTES + item) + KEY * (sum(matrix.shape) + 2)


def nothing(step: Any) -> int:
    return 0


def matvec(step: MatVec) -> int:
    """Flags of the mask, the vector as a bitmap, and the list of what a push touched."""
    spread = step.vector.size * (1 + step.vector.values.dtype.itemsize) if isinstance(step.vector, SparseVector) else 0
    return spread + step.size * (KEY + 1 + step.out.bits // 8) + (2 * step.size if step.mask is not None else 0)


def matmat(step: MatMat) -> int:
    """Counts and pointers of rows; under dots the cells of the mask."""
    if step.how == "tiles":
        return 0
    rows = 3 * KEY * (step.shape[0] + 1)
    if step.how != "dots" or step.mask is None:
        return rows
    return rows + step.mask.of.nvals * (4 * KEY + 1 + step.out.bits // 8)


def ewise(step: EwiseStep) -> int:
    """Keys of both, their union, and the values side by side."""
    return (step.left.nvals + step.right.nvals) * (MERGE_KEYS * KEY + 2 * step.out.bits // 8)


def one_operand(step: SelectStep | ExtractStep) -> int:
    """Row and column of each entry, its key, its flag or its position, and what is kept."""
    return step.of.nvals * 6 * KEY if isinstance(step.of, CompressedMatrix | SparseVector) else step.of.nvals * KEY


def kronecker(step: KroneckerStep) -> int:
    """Row, column, key and order of each entry, sorted keys and rows, and both values."""
    return step.left.nvals * step.right.nvals * (7 * KEY + 3 * step.out.bits // 8)


OWN: dict[Any, Any] = {
    MatVec: matvec,
    MatMat: matmat,
    EwiseStep: ewise,
    SelectStep: one_operand,
    ExtractStep: one_operand,
    KroneckerStep: kronecker,
}
