"""The CPU engine: NumPy arrays, and Numba kernels with rendered operators, on all cores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from graphla.common.memory import SMALLER, require
from graphla.common.typing import EngineName
from graphla.engine.arrays.assign import make_region_test
from graphla.engine.arrays.by_rows import Part, RowEngine, are_rows
from graphla.engine.arrays.engine import VECTORS, fits_in_place, honours_mask
from graphla.engine.arrays.extract import is_all, to_positions
from graphla.engine.arrays.lookup import select_true
from graphla.engine.arrays.rearrange import lists_entries
from graphla.engine.arrays.words import BitWrite, run_word_step
from graphla.engine.cpu import bits, source, structure, words, work
from graphla.engine.cpu.entries import beside_full, extract, kronecker, merge, select, vectors
from graphla.engine.cpu.entries.one_pass import fill_once
from graphla.engine.cpu.entries.pointers import bound_products, make_pointers, number_cells
from graphla.engine.cpu.entries.two_pass import count_rows
from graphla.engine.cpu.entries.vectors import NO_FLAGS, read_flags
from graphla.engine.cpu.loop.kernel import run_loop
from graphla.engine.cpu.loop.rounds import run_rounds
from graphla.engine.cpu.threads import run_over_rows
from graphla.planning.loops.kernel import KernelPlan
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.steps import (
    EwiseStep,
    ExtractStep,
    KroneckerStep,
    Mask,
    MatMat,
    MatVec,
    Plan,
    ScalarStep,
    Step,
    Storage,
    WordProduct,
    WordStep,
)
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    Deferred,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
)
from graphla.storage.convert import count_true, make_full
from graphla.storage.formats import (
    as_bitmap,
    as_compressed,
    as_sparse,
    choose_index_dtype,
    choose_vector_format,
    list_rows,
)
from graphla.storage.words import WordMatrix
from semirings import IndexUnaryOp, Monoid, Semiring, binary, lor_land
from semirings.dtypes import BOOL, DType, lookup
from semirings.python import render_function, render_semiring

REDUCED_AT_ONCE = 1 << 15
"""Values that one thread reduces before it takes the next piece."""
ADDED_AT_ONCE = 1 << 17
"""The same where nothing ends a sum early: values are added by lanes."""
LANES = 256
"""Sums side by side when all values are reduced: 1 KB of them in FP32."""
MASKED_FIRST = 8
"""An operand with so many times the entries of a mask is cut down to the mask before it is combined."""
NO_ROWS = np.zeros(1, "int32")
PRODUCT_COST, DOT_COST = 8, 32
"""What a product by rows and a dot product take, in passes over an entry."""
SMALL = 1 << 15
"""Rows and entries of a matrix that one thread walks over in about 50 us."""
LOOPS = {(1,): "apply_unary", (1, 1): "apply_binary", (1, 0): "apply_scalar_right", (0, 1): "apply_scalar_left"}
"""The loop over operands of these dimensions."""
INDEXED_LOOPS = {(1, 0): "apply_with_thunk", (1, 1, 1, 0): "apply_indexed"}
"""The same of an operator that reads positions or compares with a thunk."""


@lru_cache(maxsize=4096)
def compile_product(
    template: str, semiring: Semiring, a: DType, b: DType, out: DType, flip: bool, masked: bool = False
) -> ModuleType:
    """Compile a product kernel for a semiring, by rows with or without a mask.

    With `flip` the vector is the first operand of ⊗.
    """
    first, second = (b, a) if flip else (a, b)
    constants = f"FLIP = {flip}\nMASKED = {masked}\n"
    return source.make_module(template, f"{render_semiring(semiring, first, second, out)}\n\n{constants}")


@lru_cache(maxsize=4096)
def compile_apply(op: Any, dtypes: tuple[DType, ...], out: DType) -> ModuleType:
    """Compile the element-wise loops for an operator."""
    return source.make_module("elementwise", render_function(op, "apply", dtypes, out))


@lru_cache(maxsize=1024)
def compile_scale(op: Any, left: DType, right: DType, out: DType) -> ModuleType:
    """Compile the product of a matrix and a diagonal one for an operator."""
    return source.make_module("scale", render_function(op, "apply", (left, right), out))


@lru_cache(maxsize=1024)
def compile_reduce(monoid: Monoid, source_dtype: DType, out: DType) -> ModuleType:
    """Compile the reduction of segments for a monoid."""
    cast_then_add = Semiring(monoid.name, monoid, binary.first)
    return source.make_module("reduce", render_semiring(cast_then_add, source_dtype, source_dtype, out))


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


def cut_evenly(size: int, length: int) -> Array:
    """Return the borders of pieces of one length, of which the last may be shorter."""
    borders = np.arange(0, size + length, length)
    borders[-1] = size
    return borders


def bring_marks(kernel: Callable[..., Any], step: MatMat) -> Callable[..., Any]:
    """Give each call of a kernel marks for the columns, and room for their sums.

    NumPy allocates them, because an allocation inside a kernel takes a tenth of a second to compile.
    """
    width = step.shape[1]
    masked = width if step.mask is not None and step.mask.complement else 1

    def call(*arguments: Any) -> Any:
        return kernel(*arguments, np.zeros(width, "int32"), np.zeros(masked, "int32"), np.empty(width, step.out.numpy))

    return call


class CpuEngine(RowEngine):
    """Runs plans with NumPy and Numba."""

    name: ClassVar[EngineName] = "cpu"
    few_rows: ClassVar[int] = 64
    overlays: ClassVar[bool] = True
    schedules_products: ClassVar[bool] = False
    holds_words: ClassVar[bool] = True
    xp = np

    def __init__(self) -> None:
        self._spare: dict[tuple[int, str], tuple[Array, Array, Array]] = {}

    def __repr__(self) -> str:
        return "CpuEngine()"

    def apply_operator(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        shape, parts = spread_operands(operands)
        result = np.empty(math.prod(shape), out.numpy)
        loops = compile_apply(op, dtypes, out)
        ranks = tuple([part.ndim for part in parts])
        getattr(loops, (INDEXED_LOOPS if isinstance(op, IndexUnaryOp) else LOOPS)[ranks])(*parts, result)
        return result if len(shape) == 1 else result.reshape(shape)

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        result = np.empty(indptr.shape[0] - 1, out.numpy)
        kernel = compile_reduce(monoid, lookup(values.dtype), out).reduce_segments
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
        kernel = compile_reduce(monoid, lookup(values.dtype), out).reduce_lanes
        run_over_rows(kernel, borders, values.shape[0], borders, values, lanes, result)
        return result

    def work_bytes(self, step: Step) -> int:
        return work.work_bytes(step)

    def run(self, plan: Plan | KernelPlan | RoundsPlan) -> Any:
        """Run a plan."""
        if isinstance(plan, RoundsPlan):
            return run_rounds(self, plan)
        if isinstance(plan, KernelPlan):
            return run_loop(self, plan)
        if isinstance(plan.step, WordProduct):
            return words.run_word_product(self, plan, plan.step)
        return run_word_step(self, plan, plan.step) if isinstance(plan.step, WordStep) else super().run(plan)

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

    def compute(self, plan: Plan) -> tuple[Storage | Deferred, Any]:
        """Compute the result of a step; of operands that have far more entries than a mask only what it allows."""
        step, mask = plan.step, plan.mask
        if isinstance(step, EwiseStep) and mask is not None and not mask.complement and are_rows(mask.of):
            plan = replace(plan, step=self.limit_operands(step, mask))
        return super().compute(plan)

    def limit_operands(self, step: EwiseStep, mask: Mask) -> EwiseStep:
        """Return an element-wise step without those entries of its operands that a mask of few entries leaves out."""
        sides = ("left", step.left, step.left_transposed), ("right", step.right, step.right_transposed)
        large = {
            name: self.orient(of, transposed)
            for name, of, transposed in sides
            if are_rows(of) and of.nvals > MASKED_FIRST * mask.of.nvals  # type: ignore[union-attr]
        }
        if not large:
            return step
        allowed = self.list_mask(mask)
        few = {name: merge.filter_by(of, allowed, False) for name, of in large.items()}
        return replace(step, **few, **{f"{name}_transposed": False for name in few})

    def unite_rows(
        self, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType, fills: Any = None
    ) -> CompressedMatrix:
        return merge.unite(self, left, right, op, out, fills)

    def ewise(self, step: EwiseStep) -> Storage:
        left, right = step.left, step.right
        if is_beside_full(step):
            oriented = self.orient(left, step.left_transposed), self.orient(right, step.right_transposed)
            return beside_full.intersect(self, *oriented, step.op, step.out)
        if not isinstance(left, VECTORS) or step.at is not None or step.fills is not None:
            return super().ewise(step)
        lists = isinstance(left, SparseVector), isinstance(right, SparseVector)
        if step.union and all(lists):
            return merge.unite_vectors(left, right, step.op, step.out)  # type: ignore[arg-type]
        if (isinstance(left, FullVector) and isinstance(right, FullVector)) or (any(lists) and not step.union):
            return super().ewise(step)
        combine = vectors.unite if step.union else vectors.intersect
        return combine(left, right, step.op, step.out)  # type: ignore[arg-type]

    def assign_scalar(self, step: ScalarStep, plan: Plan) -> tuple[Storage, Any]:
        """Where the mask of a vector has flags, its kernel chooses what is written; no list of places is made.

        What is put into flags need not be sorted.
        """
        target, dtype = plan.target, plan.dtype.numpy
        if isinstance(target, VECTORS) and plan.mask is not None and step.index is None:
            if not lists_entries(plan.mask) and not plan.replace:
                return FullVector(make_full(np, target.size, step.value, dtype)), None
        elif isinstance(target, BitmapVector | FullVector) and plan.mask is None and step.index is not None:
            places = to_positions(np, step.index[0])
            entries = SparseVector(target.size, places, make_full(np, places.shape[0], step.value, dtype))
            return entries, make_region_test(np, step.index, (target.size,))
        return super().assign_scalar(step, plan)

    def write_cells(self, target: Storage, t: VectorStorage, plan: Plan, region: Any) -> VectorStorage:
        if not isinstance(target, VECTORS):
            return super().write_cells(target, t, plan, region)
        if fits_in_place(target, t, plan):
            mask = None if honours_mask(plan) else plan.mask
            return vectors.put(target, t, plan.accum, plan.dtype, mask)  # type: ignore[arg-type]
        if region is not None:
            return super().write_cells(target, t, plan, region)
        return vectors.write(target, t, plan.accum, plan.dtype, plan.mask, plan.replace)

    def overlay_rows(self, target: CompressedMatrix, result: CompressedMatrix, out: DType) -> CompressedMatrix:
        return merge.overlay(target, result)

    def join_rows(self, left: CompressedMatrix, right: CompressedMatrix, out: DType) -> CompressedMatrix:
        same = left.dtype == right.dtype == out.numpy
        return merge.overlay(left, right) if same else super().join_rows(left, right, out)

    def intersect_rows(self, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType) -> CompressedMatrix:
        return merge.intersect(self, left, right, op, out)

    def filter_rows(self, matrix: CompressedMatrix, mask: CompressedMatrix, complement: bool) -> CompressedMatrix:
        return merge.filter_by(matrix, mask, complement)

    def number_cells(self, matrix: CompressedMatrix) -> Array:
        cells = np.empty(matrix.nvals, "int64")
        number_cells(matrix.indptr, matrix.indices, matrix.ncols, cells)
        return cells

    def kronecker(self, step: KroneckerStep) -> Storage:
        a, b = self.orient(step.left, step.left_transposed), self.orient(step.right, step.right_transposed)
        if isinstance(a, FullMatrix) and isinstance(b, FullMatrix):
            return kronecker.multiply_full(step.op, a, b, step.out)
        a, b = as_compressed(np, a), as_compressed(np, b)
        return kronecker.multiply(step.op, a, b, step.out) if are_rows(a, b) else super().kronecker(step)

    def select_rows(self, matrix: CompressedMatrix, op: IndexUnaryOp, thunk: Any) -> CompressedMatrix:
        return select.select(self, matrix, op, thunk)

    def select_flagged_rows(self, matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
        return select.select_flagged(matrix, flags)

    def changes_few_rows(self, target: CompressedMatrix, plan: Plan) -> bool:
        """In a small matrix one walk over all rows takes less time than the calls that pick some of them."""
        small = target.nrows + target.nvals < SMALL
        return not small and super().changes_few_rows(target, plan)

    def writes_alone(self, rows: int, plan: Plan) -> bool:
        """Without a mask or an accumulator one walk over all rows is as fast."""
        return (plan.mask is not None or plan.accum is not None) and super().writes_alone(rows, plan)

    def replace_part(
        self, target: CompressedMatrix, result: CompressedMatrix, part: Part, dtype: DType
    ) -> CompressedMatrix:
        return merge.replace_part(target, result, part.rows, part.columns)

    def extract(self, step: ExtractStep) -> Storage:
        of: Any = step.of
        index = step.index[::-1] if step.transposed else step.index
        if are_rows(of) and len(index) == 2:
            if isinstance(index[1], int) and is_all(index[0], of.shape[0]):
                return extract.extract_column(of, index[1])
            if isinstance(index[0], int) and is_all(index[1], of.shape[1]):
                return extract.extract_row(of, index[0])
        return super().extract(step)

    def extract_part(self, of: CompressedMatrix, rows: Any, columns: Any) -> CompressedMatrix:
        return extract.extract_part(of, rows, columns)

    def apply_values(self, of: Storage, op: Any, bound: Any, bound_left: bool, out: DType) -> Array:
        if isinstance(op, IndexUnaryOp) and are_rows(of) and (op.reads("i") or op.reads("j")):
            return select.evaluate(self, of, op, bound, out)  # type: ignore[arg-type]
        return super().apply_values(of, op, bound, bound_left, out)

    # --- matrix times vector

    def matvec(self, step: MatVec) -> VectorStorage:
        matrix = self.orient(step.matrix, step.transposed)
        if work.counts_entries(step) and isinstance(matrix, CompressedMatrix):
            return self.count_entries(step, matrix)
        if step.direction == "push" and not isinstance(matrix, FullMatrix):
            return self.push(step, matrix)
        return self.pull(step, matrix)

    def count_entries(self, step: MatVec, matrix: CompressedMatrix) -> VectorStorage:
        """Return the number of entries of each row that the mask allows: a product that reads no value."""
        lengths = np.diff(matrix.indptr)
        masked, flags, keep = read_flags(step.mask, step.size)
        present = (lengths > 0) & (flags == keep) if masked else lengths > 0
        return BitmapVector(present, lengths.astype(step.out.numpy), count_true(present))

    def push(self, step: MatVec, matrix: CompressedMatrix) -> VectorStorage:
        """Scatter the rows of the entries. Afterwards the work space is cleared for reuse."""
        vector = as_sparse(np, step.vector)
        kernel = self.compile_step("push", step, matrix).push
        masked, flags, keep = read_flags(step.mask, step.size)
        key = (step.size, step.out.numpy)
        present, out, touched = self._spare.pop(key, None) or self.make_workspace(step.size, step.out)
        rows = matrix.indptr, matrix.indices, matrix.values
        count = kernel(*rows, vector.indices, vector.values, masked, flags, keep, present, out, touched)
        if choose_vector_format(count, step.size) != "sparse":
            return BitmapVector(present, out, count)
        indices = np.sort(touched[:count])
        result = SparseVector(step.size, indices, out[indices])
        present[indices] = False
        self._spare[key] = present, out, touched
        return result

    def make_workspace(self, size: int, dtype: DType) -> tuple[Array, Array, Array]:
        """Allocate cleared flags, values and an index list of the size of the result."""
        return np.zeros(size, bool), np.empty(size, dtype.numpy), np.empty(size + 1, choose_index_dtype(size))

    def pull(self, step: MatVec, matrix: MatrixStorage) -> VectorStorage:
        """Compute the rows that the mask allows by probing their arcs."""
        full = isinstance(step.vector, FullVector)
        held: Any = step.vector if full else as_bitmap(np, step.vector)
        has, values = NO_FLAGS if full else held.present, held.values
        masked, flags, keep = read_flags(step.mask, step.size)
        present, out = np.empty(step.size, bool), np.empty(step.size, step.out.numpy)
        module = self.compile_step("pull", step, matrix)
        if isinstance(matrix, FullMatrix):
            rows = np.arange(step.size + 1) * matrix.shape[1]
            counts = run_over_rows(
                module.pull_full, rows, matrix.nvals, matrix.shape[1], matrix.values,
                has, values, full, masked, flags, keep, present, out,
            )  # fmt: skip
        else:
            counts = run_over_rows(
                module.pull, matrix.indptr, matrix.nvals, matrix.indptr, matrix.indices, matrix.values,
                full, has, values, masked, flags, keep, present, out,
            )  # fmt: skip
        return BitmapVector(present, out, sum(counts))

    def compile_step(self, template: str, step: MatVec, matrix: MatrixStorage) -> ModuleType:
        """Compile a template for the dtypes of a step."""
        types = matrix.type, step.vector.type
        return compile_product(template, step.semiring, *types, step.out, step.flip)

    # --- matrix times matrix

    def scale(self, step: MatMat, by_rows: bool, diagonal: Array, matrix: CompressedMatrix) -> Array:
        """Compute d[i] ⊗ A[i, j] or A[i, j] ⊗ d[j] for each entry of A, in one pass."""
        module = compile_scale(step.semiring.multiply, step.left.type, step.right.type, step.out)
        kernel = module.scale_rows if by_rows else module.scale_columns
        given = (diagonal, matrix.values) if by_rows else (matrix.indices, matrix.values, diagonal)
        out = np.empty(matrix.nvals, step.out.numpy)
        run_over_rows(kernel, matrix.indptr, matrix.nvals, matrix.indptr, *given, out)
        return out

    def matmat(self, step: MatMat) -> MatrixStorage:
        # dot products read B by columns: the rows of its transpose
        by_columns = step.how == "dots"
        left = self.orient(step.left, step.left_transposed)
        right = self.orient(step.right, step.right_transposed != by_columns)
        if step.how == "tiles":
            return self.multiply_tiles(step, left, right)
        if work.multiplies_full(step):
            return self.multiply_full(step, left, right)
        left, right = as_compressed(np, left), as_compressed(np, right)
        return self.multiply_dots(step, left, right) if step.how == "dots" else self.multiply_rows(step, left, right)

    def multiply_tiles(self, step: MatMat, left: FullMatrix, right: FullMatrix) -> FullMatrix:
        types = left.type, right.type
        if step.semiring == lor_land and types == (BOOL, BOOL):
            return FullMatrix(bits.lor_land(left.values, right.values))
        out = np.empty(step.shape, step.out.numpy)
        compile_product("full", step.semiring, *types, step.out, False).multiply_full(left.values, right.values, out)
        return FullMatrix(out)

    def multiply_full(self, step: MatMat, left: MatrixStorage, right: MatrixStorage) -> MatrixStorage:
        """Multiply a full matrix and a compressed one; F @ A as its transpose, by the rows of A transposed."""
        flip = isinstance(left, FullMatrix)
        full, rows = (left, self.transpose(right)) if flip else (right, left)  # type: ignore[arg-type]
        dense = np.ascontiguousarray(full.values.T) if flip else full.values
        out = np.empty((rows.nrows, dense.shape[1]), step.out.numpy)
        module = compile_product("few", step.semiring, rows.type, full.type, step.out, flip)
        run_over_rows(
            module.multiply_rows,
            rows.indptr,
            rows.nvals * dense.shape[1],
            rows.indptr,
            rows.indices,
            rows.values,
            dense,
            out,
        )
        filled = list_rows(rows)
        if filled.size == rows.nrows:
            return FullMatrix(np.ascontiguousarray(out.T) if flip else out)
        return spread_rows(out, filled, flip)

    def multiply_rows(self, step: MatMat, left: CompressedMatrix, right: CompressedMatrix) -> CompressedMatrix:
        """Multiply by rows (Gustavson) into room for all entries that there could be; count them if it is scarce."""
        masked = step.mask is not None
        module = compile_product("rows", step.semiring, left.type, right.type, step.out, False, masked)
        item = step.out.bits // 8
        mode, *mask = self.make_mask_rows(step.mask, step.shape)
        products, bounds = bound_products(left, right, mask[0] if mode == 1 else NO_ROWS, step.shape[1])
        if mode != 1 and not work.has_room(int(bounds[-1]) * (4 + item)):
            bounds, entries = make_pointers(self.count_product(left, right, products))
            require(entries * (4 + item), f"a product of {entries:,} entries", np, SMALLER)
        given = (
            left.indptr, left.indices, left.values, right.indptr, right.indices, right.values, mode, *mask, products,
        )  # fmt: skip
        fill = bring_marks(module.fill, step)
        return fill_once(fill, (products,), (bounds,), given, step.shape[1], step.out.numpy, PRODUCT_COST)

    def count_product(self, left: CompressedMatrix, right: CompressedMatrix, products: Array) -> Array:
        """Count the entries of each row of a product."""

        def count(*given: Any) -> Any:
            return structure.count_entries(*given, np.zeros(right.ncols, "int32"))

        arrays = left.indptr, left.indices, right.indptr, right.indices
        return count_rows(count, products, int(products[-1]), *arrays)

    def make_mask_rows(self, mask: Mask | None, shape: tuple[int, int]) -> tuple[int, Array, Array]:
        """Return a mode and the mask as CSR: 0 for no mask, 1 to keep its entries, 2 to leave them out."""
        if mask is None:
            return 0, NO_ROWS, NO_ROWS
        rows = select_true(np, mask)
        return 2 if mask.complement else 1, rows.indptr, rows.indices

    def multiply_dots(self, step: MatMat, left: CompressedMatrix, right: CompressedMatrix) -> CompressedMatrix:
        """Compute one dot product per entry of the mask; `right` is Bᵀ."""
        mask = select_true(np, step.mask)  # type: ignore[arg-type]
        kernel = compile_product("dots", step.semiring, left.type, right.type, step.out, False).compute_dots

        def compute(*given: Any) -> Any:
            return kernel(*given, np.zeros(left.ncols, "int32"), np.empty(left.ncols, "int64"))

        given = (
            mask.indptr, mask.indices, left.indptr, left.indices, left.values,
            right.indptr, right.indices, right.values,
        )  # fmt: skip
        return fill_once(compute, (mask.indptr,), (mask.indptr,), given, step.shape[1], step.out.numpy, DOT_COST)


def is_beside_full(step: EwiseStep) -> bool:
    """Whether a step intersects a full matrix and a compressed one."""
    if step.union or step.at is not None:
        return False
    full = isinstance(step.left, FullMatrix), isinstance(step.right, FullMatrix)
    return any(full) and are_rows(*(step.right,) * full[0], *(step.left,) * full[1])


def spread_rows(out: Array, filled: Array, flip: bool) -> CompressedMatrix:
    """Return a matrix with the given rows of `out` and no entry in the others; with `flip` its transpose."""
    nrows, width = out.shape
    entries = filled.size * width
    if flip:
        indptr = np.arange(width + 1, dtype=choose_index_dtype(entries)) * filled.size
        columns = np.tile(filled.astype(choose_index_dtype(nrows)), width)
        return CompressedMatrix(width, nrows, indptr, columns, out[filled].T.reshape(-1))
    lengths = np.zeros(nrows + 1, "int64")
    lengths[filled + 1] = width
    columns = np.tile(np.arange(width, dtype=choose_index_dtype(width)), filled.size)
    return CompressedMatrix(
        nrows, width, lengths.cumsum(dtype=choose_index_dtype(entries)), columns, out[filled].reshape(-1)
    )
