"""Bytes that the kernels over rows take beside the result of a step; `engine.arrays.work` counts the other steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.config import config
from graphla.common.memory import ALWAYS_FREE, budget
from graphla.engine.arrays import work
from graphla.engine.arrays.by_rows import runs_by_rows
from graphla.engine.cpu.entries.extract import bisects_columns, is_run
from graphla.engine.cpu.entries.one_pass import MOVED
from graphla.engine.cpu.threads import count_workers
from graphla.planning.degrees import is_diagonal
from graphla.planning.plan import reads_nothing
from graphla.planning.steps import EwiseStep, ExtractStep, MatMat, MatVec, SelectStep, Step
from graphla.storage import FullMatrix, FullVector

ROOM_SHARE = 2
"""A product whose entries could take more than this part of the free memory is counted before room is made."""
ENTRY_BYTES = 5
"""Least bytes of an entry."""
LENGTH_BYTES = 24
"""Bytes per row of a product with a full operand: lengths, rows with entries, pointers."""
COLUMN_BYTES = 40
"""Bytes per row while a column is looked for: its row, its position, their copies, and the count of a range of rows."""
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


def has_room(nbytes: int) -> bool:
    """Whether there is room for as many entries as a product could have; nobody asks for a little without a limit."""
    return (nbytes <= ALWAYS_FREE and config.memory_limit is None) or ROOM_SHARE * nbytes <= budget(np)


def count_product_bytes(step: MatMat) -> int:
    """Return the bytes of a product with a full operand, or of one by rows beside its entries.

    Counted are the products and the bounds of each row, marks and sums for each thread, and room for the entries that
    are moved together.
    """
    if step.how == "scale":
        return count_scaling_bytes(step)
    if multiplies_full(step):
        return count_full_bytes(step)
    if step.how == "dots":
        return count_dots_bytes(step)
    item, mask = step.out.bits // 8, step.mask
    products = ROW_BYTES * (step.shape[0] + 1) + 4 * max(step.right.shape)
    marks = count_workers() * step.shape[1] * (4 + 4 * (mask is not None) + item)
    return work.count_compressed_bytes(step) + products + marks + count_joined_bytes(step)


def count_dots_bytes(step: MatMat) -> int:
    """Return the bytes of masked dot products: marks and positions for each thread, and a mask of values."""
    inner = step.left.shape[0] if step.left_transposed else step.left.shape[1]
    marked = (4 + 8) * inner * count_workers() + ROW_BYTES * (step.shape[0] + 1)
    mask: Any = step.mask
    chosen = 0 if mask.structural else mask.of.nvals * (5 + mask.of.values.dtype.itemsize)
    return work.count_compressed_bytes(step) + marked + chosen + count_joined_bytes(step)


def count_joined_bytes(step: Step) -> int:
    """Return the bytes of the result once more if several threads fill pieces that are copied together."""
    copied = count_workers() > 1 and step.nbytes > MOVED * ENTRY_BYTES
    return step.nbytes if copied else 0


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
    return ROW_BYTES * (max(step.left.shape) + 1) + count_joined_bytes(step)  # type: ignore[union-attr]


def select_bytes(step: SelectStep) -> int:
    return ROW_BYTES * (max(step.of.shape) + 1) + count_joined_bytes(step)  # type: ignore[union-attr]


def extract_bytes(step: ExtractStep) -> int:
    """Return the bytes of the positions, of the numbers of columns, and of a row while it is sorted.

    Columns that repeat are rows of a transpose, which is built of the rows asked for.
    """
    of: Any = step.of
    rows, columns = step.shape
    line = work.find_line(step)
    if line is not None:
        return 0 if line == "row" else COLUMN_BYTES * (of.nrows + 1)
    if all(map(is_run, step.index)):
        return ROW_BYTES * (rows + 1) + count_joined_bytes(step)
    if bisects_columns(of, columns):
        return (ROW_BYTES + 40 * columns) * (rows + 1)
    positions = ROW_BYTES * (rows + 1) + 24 * (columns + of.ncols) + count_joined_bytes(step)
    return positions + (work.transpose_bytes(of) if repeats(step.index[1]) else 0)


def repeats(index: Any) -> bool:
    """Whether an index names a position twice."""
    return not isinstance(index, (int, range)) and np.unique(index).size < len(index)


KERNELS: dict[Any, Any] = {
    MatMat: (
        lambda step: step.how in ("scale", "dots") or multiplies_full(step) or goes_by_rows(step),
        count_product_bytes,
    ),
    EwiseStep: (runs_by_rows, ewise_bytes),
    SelectStep: (runs_by_rows, select_bytes),
    ExtractStep: (runs_by_rows, extract_bytes),
}


def counts_entries(step: MatVec) -> bool:
    """Whether a product with a full vector, which is pulled, adds up a one for each entry of a row."""
    counts = step.semiring.add.name == "plus" and reads_nothing(step.semiring.multiply) and step.out.kind in "iuf"
    return counts and isinstance(step.vector, FullVector) and step.direction == "pull"
