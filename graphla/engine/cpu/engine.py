"""The CPU engine: NumPy arrays, and Numba kernels with rendered operators, on all cores."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from graphla.common.typing import EngineName
from graphla.engine.arrays.engine import ArrayEngine
from graphla.engine.arrays.rows import Part
from graphla.engine.arrays.words import BitWrite
from graphla.engine.cpu import matmat, words, work
from graphla.engine.cpu.entries import extract, merge, select
from graphla.engine.cpu.entries.pointers import number_cells
from graphla.engine.cpu.rules import RULES, WRITES
from graphla.engine.cpu.templates import compile_apply, compile_reduce
from graphla.engine.cpu.threads import run_over_rows
from graphla.engine.rules import Rules, Writes
from graphla.planning.steps import MatMat, Step
from graphla.storage import Array, CompressedMatrix, MatrixStorage
from graphla.storage.records import find_type
from graphla.storage.words import WordMatrix
from semirings import IndexUnaryOp, Monoid, binary
from semirings.dtypes import DType

REDUCED_AT_ONCE = 1 << 15
"""Values that one thread reduces before it takes the next piece."""
ADDED_AT_ONCE = 1 << 17
"""The same where nothing ends a sum early: values are added by lanes."""
LANES = 256
"""Sums side by side when all values are reduced: 1 KB of them in FP32."""
SMALL = 1 << 15
"""Rows and entries of a matrix that one thread walks over in about 50 us."""
LOOPS = {(1,): "apply_unary", (1, 1): "apply_binary", (1, 0): "apply_scalar_right", (0, 1): "apply_scalar_left"}
"""The loop over operands of these dimensions."""
INDEXED_LOOPS = {(1, 0): "apply_with_thunk", (1, 1, 1, 0): "apply_indexed"}
"""The same of an operator that reads positions or compares with a thunk."""


def spread_operands(operands: tuple[Any, ...]) -> tuple[tuple[int, ...], list[Any]]:
    """Return the common shape of the operands, and each as an array of one dimension or as a scalar."""
    shapes = {part.shape for part in operands if getattr(part, "ndim", 0)}
    shape = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
    return shape, [spread_operand(part, shape) for part in operands]


def spread_operand(part: Any, shape: tuple[int, ...]) -> Any:
    """Return an operand as an array of one dimension with the elements of a shape, or as a scalar."""
    if not isinstance(part, np.ndarray):
        return part if isinstance(part, np.generic) else np.asarray(part)[()]
    if part.ndim == 0:
        return part[()]
    if part.shape == shape:
        return part if part.ndim == 1 else part.reshape(-1)
    return np.broadcast_to(part, shape).reshape(-1)


@lru_cache(maxsize=4096)
def find_loop(op: Any, dtypes: tuple[DType, ...], out: DType, ranks: tuple[int, ...]) -> Any:
    """Return the loop of an operator over operands of these dimensions."""
    name = (INDEXED_LOOPS if isinstance(op, IndexUnaryOp) else LOOPS)[ranks]
    return getattr(compile_apply(op, dtypes, out), name)


def cut_evenly(size: int, length: int) -> Array:
    """Return the borders of pieces of one length, of which the last may be shorter."""
    borders = np.arange(0, size + length, length)
    borders[-1] = size
    return borders


class CpuEngine(ArrayEngine):
    """Runs plans with NumPy and Numba."""

    name: ClassVar[EngineName] = "cpu"
    rules: ClassVar[Rules] = RULES
    writes: ClassVar[Writes] = WRITES
    few_rows: ClassVar[int] = 64
    walks_at_once: ClassVar[int] = SMALL
    copies_between: ClassVar[bool] = False
    overlays: ClassVar[bool] = True
    schedules_products: ClassVar[bool] = False
    holds_words: ClassVar[bool] = True
    xp = np

    def __init__(self) -> None:
        self.spare: dict[tuple[int, str], tuple[Array, Array, Array]] = {}

    def __repr__(self) -> str:
        return "CpuEngine()"

    def apply_operator(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        first, last = operands[0], operands[-1]
        plain = first.__class__ is np.ndarray and first.ndim == 1 and len(operands) < 3
        if plain and (isinstance(last, np.generic) or getattr(last, "shape", None) == first.shape):
            result = np.empty(first.shape, out.numpy)
            find_loop(op, dtypes, out, (1,) if len(operands) == 1 else (1, last.ndim))(*operands, result)
            return result
        shape, parts = spread_operands(operands)
        result = np.empty(math.prod(shape), out.numpy)
        find_loop(op, dtypes, out, tuple([part.ndim for part in parts]))(*parts, result)
        return result.reshape(shape)

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        result = np.empty(indptr.shape[0] - 1, out.numpy)
        kernel = compile_reduce(monoid, find_type(values.dtype), out).reduce_segments
        run_over_rows(kernel, indptr, values.shape[0], indptr, values, result)
        return result

    def reduce_values(self, monoid: Monoid, values: Array, out: DType) -> Array:
        """Reduce pieces of one length, whatever the number of threads: float sums must not depend on the machine."""
        if values.shape[0] <= REDUCED_AT_ONCE:
            return super().reduce_values(monoid, values, out)
        if monoid.is_any or monoid.terminal(out) is not None:
            partial = self.reduce_segments(monoid, values, cut_evenly(values.shape[0], REDUCED_AT_ONCE), out)
            return self.reduce_segments(monoid, partial, np.array([0, len(partial)]), out)
        partial = self.reduce_lanes(monoid, values, cut_evenly(values.shape[0], ADDED_AT_ONCE), out, LANES)
        while partial.shape[0] > 1:
            lanes = LANES if partial.shape[0] > LANES else 1
            partial = self.reduce_lanes(monoid, partial, np.array([0, partial.shape[0]]), out, lanes)
        return partial

    def reduce_lanes(self, monoid: Monoid, values: Array, borders: Array, out: DType, lanes: int) -> Array:
        """Reduce each piece to `lanes` sums of values that stand so far apart."""
        result = np.empty(lanes * (borders.shape[0] - 1), out.numpy)
        kernel = compile_reduce(monoid, find_type(values.dtype), out).reduce_lanes
        run_over_rows(kernel, borders, values.shape[0], borders, values, lanes, result)
        return result

    def work_bytes(self, step: Step) -> int:
        return work.work_bytes(step)

    # --- matrices of few rows as words

    def pack_words(self, matrix: CompressedMatrix) -> Array:
        """Return the words of a matrix of few rows."""
        return words.pack_words(matrix)

    def list_words(self, held: WordMatrix) -> MatrixStorage:
        """Return a matrix of words as a record of arrays."""
        return words.list_words(held)

    def measure_words(self, held: WordMatrix, along: CompressedMatrix | None) -> tuple[int, int]:
        """Count the entries of a matrix of words, and those of the rows of another matrix that they meet."""
        return words.measure_words(held, along)

    def combine_bits(self, write: BitWrite) -> tuple[Array, Array]:
        """Return the new words of a matrix, and those of the cells that are written."""
        return words.combine_bits(write)

    def settle_cells(self, held: WordMatrix) -> Array:
        """Return the values of a matrix of words at all cells."""
        return words.settle_cells(self, held)

    def are_all_true(self, matrix: CompressedMatrix) -> bool:
        """Whether a matrix of BOOL holds true in every entry."""
        return matrix.dtype == "bool" and bool(matrix.values.all())

    # --- entries of matrices, by rows

    def unite_rows(
        self, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType, fills: Any = None
    ) -> CompressedMatrix:
        return merge.unite(self, left, right, op, out, fills)

    def overlay_rows(self, target: CompressedMatrix, result: CompressedMatrix, out: DType) -> CompressedMatrix:
        return merge.overlay(target, result)

    def join_rows(self, left: CompressedMatrix, right: CompressedMatrix, out: DType) -> CompressedMatrix:
        same = left.dtype == right.dtype == out.numpy
        return merge.overlay(left, right) if same else self.unite_rows(left, right, binary.first, out)

    def intersect_rows(self, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType) -> CompressedMatrix:
        return merge.intersect(self, left, right, op, out)

    def filter_rows(self, matrix: CompressedMatrix, mask: CompressedMatrix, complement: bool) -> CompressedMatrix:
        return merge.filter_by(matrix, mask, complement)

    def number_cells(self, matrix: CompressedMatrix) -> Array:
        cells = np.empty(matrix.nvals, "int64")
        number_cells(matrix.indptr, matrix.indices, matrix.ncols, cells)
        return cells

    def select_rows(self, matrix: CompressedMatrix, op: IndexUnaryOp, thunk: Any) -> CompressedMatrix:
        return select.select(self, matrix, op, thunk)

    def select_flagged_rows(self, matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
        return select.select_flagged(matrix, flags)

    def replace_part(
        self, target: CompressedMatrix, result: CompressedMatrix, part: Part, dtype: DType
    ) -> CompressedMatrix:
        return merge.replace_part(target, result, part.rows, part.columns)

    def extract_part(self, of: CompressedMatrix, rows: Any, columns: Any) -> CompressedMatrix:
        return extract.extract_part(of, rows, columns)

    def scale(self, step: MatMat, by_rows: bool, diagonal: Array, matrix: CompressedMatrix) -> Array:
        return matmat.scale(step, by_rows, diagonal, matrix)
