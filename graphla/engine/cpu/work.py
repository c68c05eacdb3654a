"""Bytes that the kernels over rows take beside the result of a step; `engine.arrays.work` counts the other steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays import work
from graphla.engine.arrays.by_rows import runs_by_rows
from graphla.engine.cpu.entries.extract import bisects_columns
from graphla.engine.cpu.threads import count_workers
from graphla.planning.degrees import is_diagonal
from graphla.planning.steps import EwiseStep, ExtractStep, MatMat, SelectStep, Step
from graphla.storage import FullMatrix

FEW_ROWS = 64
"""Products of so many rows are filled at once, into bounds of their entries."""
DENSE = 8
"""Columns of the result per product up to which they are: then bounds take little more room than entries."""
FILLED_ROWS = 1024
"""Most rows of a product that are filled without counting."""
FILLED = 2
"""Expected products for each cell of few rows from which room for all cells is made, and the products not counted."""
LENGTH_BYTES = 24
"""Bytes per row of a product with a full operand: lengths, rows with entries, pointers."""
ROW_BYTES = 48
"""Bytes per row: pointers in one dtype, pointers that split the work, counts, pointers in 64 bits and their copy."""


def work_bytes(step: Step) -> int:
    """Return an upper bound of the work space of a step."""
    return work.count_by_kernels(step, KERNELS)


def multiplies_full(step: MatMat) -> bool:
    """Whether one operand is full and the other compressed, and the product is computed by rows of the latter."""
    one_full = isinstance(step.left, FullMatrix) != isinstance(step.right, FullMatrix)
    return step.vector is None and step.how != "tiles" and step.mask is None and one_full


def goes_by_rows(step: MatMat) -> bool:
    """Whether a product goes by the rows of two compressed matrices."""
    return step.vector is None and step.how == "rows" and not multiplies_full(step)


def takes_few_rows(step: MatMat) -> bool:
    """Whether a product by rows has few of them."""
    return goes_by_rows(step) and step.shape[0] <= FEW_ROWS


def surely_fills(step: MatMat) -> bool:
    """Whether a product has so few rows for its operands that nobody counts the products before making room."""
    if not goes_by_rows(step) or step.shape[0] > FILLED_ROWS or (step.mask is not None and not step.mask.complement):
        return False
    inner = step.left.shape[0] if step.left_transposed else step.left.shape[1]
    expected = step.left.nvals * step.right.nvals // max(1, inner)
    return expected >= FILLED * step.shape[0] * step.shape[1]


def fills_densely(step: MatMat, products: int) -> bool:
    """Whether bounds of the entries take little more room than they do: few rows of many products."""
    return takes_few_rows(step) and DENSE * products >= step.shape[0] * step.shape[1]


def count_product_bytes(step: MatMat) -> int:
    """Return the bytes of a product with a full operand, or of one by rows beside its entries.

    Counted are the products and the bounds of each row, marks and sums for each thread, and room for the entries that
    are moved together.
    """
    if step.how == "scale":
        return count_scaling_bytes(step)
    if multiplies_full(step):
        return count_full_bytes(step)
    item, mask = step.out.bits // 8, step.mask
    products = ROW_BYTES * (step.shape[0] + 1) + 4 * max(step.right.shape)
    marks = count_workers() * step.shape[1] * (4 + 4 * (mask is not None) + item)
    bounded = mask is not None and not mask.complement
    room = mask.of.nvals * (item + 4) if bounded and mask is not None else 0
    if takes_few_rows(step):
        room = step.nbytes // 2
    elif surely_fills(step):
        room = step.shape[0] * step.shape[1] * (item + 4)
    return work.count_compressed_bytes(step) + products + marks + room


def count_scaling_bytes(step: MatMat) -> int:
    """Return the bytes of full operands as compressed ones, and of the entries that stay if the diagonal has gaps."""
    by_rows = is_diagonal(step.left)
    diagonal, other = (step.left, step.right) if by_rows else (step.right, step.left)
    compressed = work.count_compressed_bytes(step)
    if diagonal.nvals == diagonal.shape[0]:
        return compressed
    each = 4 * by_rows + 1 + 4 + other.values.dtype.itemsize
    return compressed + other.nvals * each + ROW_BYTES * (max(other.shape) + 1)


def count_full_bytes(step: MatMat) -> int:
    """Return the bytes of the values of every row, which are copied beside gaps or if the full operand is on the left.

    Then the full operand is copied, too.
    """
    left = isinstance(step.left, FullMatrix)
    full: Any = step.left if left else step.right
    other: Any = step.right if left else step.left
    cells, gaps = step.shape[0] * step.shape[1] * (step.out.bits // 8), step.count_gaps() > 0
    copies = cells * (gaps + left) + (full.values.nbytes if left else 0)
    known = not left or step.right_transposed or other.is_cached("transposed")
    turned = 0 if known else work.transpose_bytes(other)
    return copies + LENGTH_BYTES * (sum(step.shape) + 1) + turned


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
    MatMat: (
        lambda step: step.how == "scale" or multiplies_full(step) or goes_by_rows(step),
        count_product_bytes,
    ),
    EwiseStep: (runs_by_rows, ewise_bytes),
    SelectStep: (runs_by_rows, select_bytes),
    ExtractStep: (runs_by_rows, extract_bytes),
}
