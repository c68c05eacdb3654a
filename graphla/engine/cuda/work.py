"""Bytes that kernels take beside the result of a step: work space a row, a tile or a padded operand."""

from __future__ import annotations

from typing import Any

from graphla.engine.arrays import work
from graphla.engine.arrays.by_rows import runs_by_rows
from graphla.engine.cuda.entries import extract, merge, select
from graphla.engine.cuda.matmat import dots, few_pull, few_push, pair_dots, rows, tropical
from graphla.engine.cuda.matmat.few_rows import find_operands
from graphla.engine.cuda.matvec import board
from graphla.planning.degrees import find_cached_transpose
from graphla.planning.plan import can_join
from graphla.planning.steps import EwiseStep, ExtractStep, MatMat, MatVec, SelectStep, Step, WordProduct
from graphla.storage import CompressedMatrix, FullVector

POINTER = 8
TILE_BYTES = 32
"""Of a tile of a walk: where it begins in both matrices, what it makes, and what those before make."""
LAYOUT_BYTES = 64
"""Of a row or a column while rows are put in the order of their lengths, or columns in that of their arcs."""

QUEUE_BYTES = 20
"""Of a column in the queue of a push by words."""
TURN_BYTES = 64
"""Of an entry of a mask while it and the result are transposed: its order twice, its row, column and value."""
TURNED_ENTRY = 13
"""Bytes of an entry of a mask that stands in the longer one of its rows, beside its value."""


def work_bytes(step: Step) -> int:
    """Bytes beside the result, at most."""
    return work.count_by_kernels(step, KERNELS)


def count_matmat_bytes(step: MatMat) -> int:
    """Padded tiles, the lists of rows by kind, or an entry of the mask with its flag and its cell."""
    if step.vector is not None:
        return work.vector_view_bytes(step) + count_product_bytes(step.vector)
    if step.how == "scale":
        return work.count_scaling_bytes(step)
    if step.how == "tiles":
        return tropical.count_padding_bytes(step)
    inner = step.left.shape[0] if step.left_transposed else step.left.shape[1]
    if step.schedule in ("push", "pull"):
        return count_few_rows_bytes(step, inner)
    if step.how == "dots":
        nvals, item = 0 if step.mask is None else step.mask.of.nvals, step.out.bits // 8
        if step.schedule == "hubs":
            entries = step.left.nvals, step.right.nvals
            return work.count_compressed_bytes(step) + pair_dots.work_bytes(nvals, step.shape, inner, entries, item)
        of_itself = TURNED_ENTRY + item if step.left is step.right else 0
        turned = nvals * (TURN_BYTES if step.schedule == "columns" else of_itself)
        return work.count_compressed_bytes(step) + dots.work_bytes(nvals, step.shape, item) + turned
    if not can_join(step.semiring, step.out):
        item = step.out.bits // 8
        cells = dots.work_bytes(step.nbytes // (4 + item), step.shape, item)
        return rows.work_bytes(step.shape[0], inner) + work.count_compressed_bytes(step) + cells
    columns = 4 * step.shape[0] * step.shape[1] if step.full_times_sparse else 0
    return rows.work_bytes(step.shape[0], inner) + work.count_compressed_bytes(step) + columns


def count_few_rows_bytes(step: MatMat, inner: int) -> int:
    """What a push or a pull of few rows takes, and the transposes that it reads or writes."""
    on, mask = find_operands(step), 0 if step.mask is None else step.mask.of.nvals
    if step.schedule == "push":
        transposed = 0 if step.few_on_left else step.nbytes + 40 * (step.nbytes // 5)
        return few_push.work_bytes(on, on.few.nvals, mask) + transposed
    other: Any = step.right if step.few_on_left else step.left
    turned = not step.right_transposed if step.few_on_left else step.left_transposed
    matrix = find_cached_transpose(other) if turned else other
    known = matrix is not None and matrix.is_cached("even_layouts")
    layout = 0 if known else (LAYOUT_BYTES + POINTER) * sum(other.shape)
    if not step.full_times_sparse:
        return few_pull.work_bytes(on, on.width, inner, mask) + layout
    vertices = on.width - step.count_gaps()
    return few_pull.count_full_bytes(on, vertices, inner, matrix) + layout


def count_product_bytes(step: MatVec) -> int:
    """The board; what a push counts with, or what a matrix keeps for its pulls if it has not got it yet."""
    listed = step.direction == "push" or not isinstance(step.vector, FullVector)
    nbytes, matrix = work.matvec_bytes(step, listed) + board.BOARD_BYTES, step.matrix
    if not isinstance(matrix, CompressedMatrix):
        return nbytes
    if step.direction == "push":
        return nbytes + 2 * POINTER * (step.vector.nvals + 1) + 4 * (matrix.nvals // board.PUSH_ARCS + 1)
    even = step.schedule == "edges"
    transposed = matrix.cached("transposed", None) if matrix.is_cached("transposed") else None
    read = transposed if step.transposed else matrix
    if read is not None and read.is_cached("even_layouts" if even else "row_layout"):
        return nbytes
    return nbytes + LAYOUT_BYTES * sum(matrix.shape) + (5 * matrix.nvals if even else 0)


def count_walk_bytes(step: EwiseStep) -> int:
    left: Any = step.left
    tiles = -(-(step.left.nvals + step.right.nvals) // merge.MERGE_TILE) + 1
    return TILE_BYTES * tiles + 2 * POINTER * (left.shape[0] + 1)


def select_bytes(step: SelectStep) -> int:
    return TILE_BYTES * (-(-step.of.nvals // select.SELECT_TILE) + 1) + 2 * POINTER * (step.of.shape[0] + 1)  # type: ignore


def count_part_bytes(step: ExtractStep) -> int:
    """The rows that are asked for, before their columns are; once more to sort these; new numbers of columns."""
    nrows, ncols = step.of.shape  # type: ignore[union-attr]
    line = work.find_line(step)
    if line is not None:
        return 0 if line == "row" else nrows * (2 + step.of.values.dtype.itemsize)
    if extract.takes_span(step.index[0], step.index[-1], nrows if step.transposed else ncols):
        return TILE_BYTES * (step.of.nvals // select.SELECT_TILE + 2) + 2 * POINTER * (step.shape[0] + 1)
    in_order = isinstance(step.index[not step.transposed], range)
    entries = min(step.of.nvals, step.shape[step.transposed] * ncols) * (1 if in_order else 2)
    return entries * (4 + step.of.values.dtype.itemsize) + 4 * POINTER * (nrows + 1) + 2 * POINTER * ncols


def count_word_product_bytes(step: WordProduct) -> int:
    """The queue of a push, or what a matrix keeps for its pulls if it has not got it yet."""
    if step.direction == "push":
        return QUEUE_BYTES * step.matrix.shape[1 if step.transposed else 0] + POINTER
    matrix = step.matrix if step.transposed else find_cached_transpose(step.matrix)
    known = matrix is not None and matrix.is_cached("even_layouts")
    return 0 if known else (LAYOUT_BYTES + POINTER) * sum(step.matrix.shape)


KERNELS: dict[Any, Any] = {
    WordProduct: (lambda step: True, count_word_product_bytes),
    MatVec: (lambda step: True, count_product_bytes),
    MatMat: (lambda step: True, count_matmat_bytes),
    EwiseStep: (runs_by_rows, count_walk_bytes),
    SelectStep: (runs_by_rows, select_bytes),
    ExtractStep: (runs_by_rows, count_part_bytes),
}
