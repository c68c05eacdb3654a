"""Bytes that the kernels over rows take beside the result of a step; `engine.arrays.work` counts the other steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays import work
from graphla.engine.arrays.by_rows import runs_by_rows
from graphla.engine.cpu.entries.extract import bisects_columns
from graphla.planning.steps import EwiseStep, ExtractStep, MatMat, SelectStep, Step
from graphla.storage import FullMatrix

FEW_ROWS = 64
"""Products of so many rows are filled at once, into bounds of their entries."""
DENSE = 8
"""Columns of the result per product up to which they are: then bounds take little more room than entries."""
ROW_BYTES = 48
"""Bytes per row: pointers in one dtype, pointers that split the work, counts, pointers in 64 bits and their copy."""


def work_bytes(step: Step) -> int:
    """Return an upper bound of the work space of a step."""
    return work.count_by_kernels(step, KERNELS)


def multiplies_full(step: MatMat) -> bool:
    """Whether one operand is full and the other compressed, and the product is computed by rows of the latter."""
    one_full = isinstance(step.left, FullMatrix) != isinstance(step.right, FullMatrix)
    return step.vector is None and step.how != "tiles" and step.mask is None and one_full


def takes_few_rows(step: MatMat) -> bool:
    """Whether a product by rows has few of them."""
    return step.vector is None and step.how == "rows" and step.shape[0] <= FEW_ROWS and not multiplies_full(step)


def count_product_bytes(step: MatMat) -> int:
    """Return the bytes of a product with a full operand, or of one of few rows, whose entries are bounded."""
    if multiplies_full(step):
        return full_bytes(step)
    lengths = 3 * work.KEY * (step.left.nvals + 1)
    return work.matmat_bytes(step) + lengths + step.shape[0] * step.shape[1] * (step.out.bits // 8 + 4)


def full_bytes(step: MatMat) -> int:
    """Return the bytes of the full operand and of the result with the values of a vertex side by side."""
    left = isinstance(step.left, FullMatrix)
    full: Any = step.left if left else step.right
    other: Any = step.right if left else step.left
    product = step.shape[0] * step.shape[1] * (step.out.bits // 8 + 4)
    known = not left or step.right_transposed or other.is_cached("transposed")
    return (
        product + full.values.nbytes + ROW_BYTES * (max(step.shape) + 1) + (0 if known else work.transpose_bytes(other))
    )


def ewise_bytes(step: EwiseStep) -> int:
    return ROW_BYTES * (max(step.left.shape) + 1)  # type: ignore[union-attr]


def select_bytes(step: SelectStep) -> int:
    return ROW_BYTES * (max(step.of.shape) + 1)  # type: ignore[union-attr]


def extract_bytes(step: ExtractStep) -> int:
    """Return the bytes of the positions, of the numbers of columns, and of a row while it is sorted.

    Columns that repeat are rows of a transpose, which is built of the rows asked for.
    """
    of: Any = step.of
    rows, columns = (1 if isinstance(part, int) else len(part) for part in step.index)
    if bisects_columns(of, columns):
        return (ROW_BYTES + 40 * columns) * (rows + 1)
    positions = ROW_BYTES * (rows + 1) + 24 * (columns + of.ncols)
    return positions + (work.transpose_bytes(of) if repeats(step.index[1]) else 0)


def repeats(index: Any) -> bool:
    """Whether an index names a position twice."""
    return not isinstance(index, int | range) and np.unique(index).size < len(index)


KERNELS: dict[Any, Any] = {
    MatMat: (lambda step: multiplies_full(step) or takes_few_rows(step), count_product_bytes),
    EwiseStep: (runs_by_rows, ewise_bytes),
    SelectStep: (runs_by_rows, select_bytes),
    ExtractStep: (runs_by_rows, extract_bytes),
}
