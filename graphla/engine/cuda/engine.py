"""The CUDA engine: CuPy arrays, and kernels (the `.cuh` files beside their launchers) over rendered operators.

`CudaEngine(cupy, load)` runs on a GPU; with NumPy and the emulator's `load` the same Python and the same kernels
run on the host.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from graphla.common.typing import EngineName
from graphla.engine.arrays.by_rows import Part, are_rows, is_its_mask
from graphla.engine.arrays.engine import honours_mask
from graphla.engine.arrays.words import BitWrite, run_word_step
from graphla.engine.cuda import work
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.current_device import require_current_device
from graphla.engine.cuda.entries import (
    apply,
    cells,
    element,
    extract,
    full,
    line,
    merge,
    reduce,
    select,
    splice,
    vectors,
)
from graphla.engine.cuda.launch import begin_loading, nvrtc_load, require_cupy
from graphla.engine.cuda.loop.kernel import run_loop
from graphla.engine.cuda.loop.rounds import run_rounds
from graphla.engine.cuda.matmat import (
    dots,
    few_by_rows,
    few_pull,
    few_push,
    pair_dots,
    rows,
    scale,
    tropical,
    word_parts,
    word_product,
)
from graphla.engine.cuda.matvec import pull, push
from graphla.planning.loops.kernel import KernelPlan
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.plan import can_join
from graphla.planning.steps import (
    AssignStep,
    EwiseStep,
    ExtractStep,
    Mask,
    MatMat,
    MatVec,
    Plan,
    ReduceProductStep,
    ReduceStep,
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
    VectorStorage,
)
from graphla.storage.formats import as_compressed
from graphla.storage.list_kernels import register_list_kernels
from graphla.storage.words import WordMatrix
from semirings import IndexUnaryOp, Monoid, any_pair, binary
from semirings.dtypes import BOOL, DType


class CudaEngine(KernelEngine):
    """Runs plans on a GPU."""

    name: ClassVar[EngineName] = "cuda"
    defers_small_inputs: ClassVar[bool] = True
    overlays: ClassVar[bool] = True
    holds_words: ClassVar[bool] = True
    streams_words: ClassVar[bool] = True

    def __repr__(self) -> str:
        return "CudaEngine()"

    def run(self, plan: Plan | KernelPlan | RoundsPlan) -> Any:
        if self.device.several:
            require_current_device(self.device, plan)
        if isinstance(plan, RoundsPlan):
            return run_rounds(self, plan)
        if isinstance(plan, KernelPlan):
            return run_loop(self, plan)
        if isinstance(plan.step, WordProduct):
            return word_product.run_word_product(self, plan, plan.step)
        if isinstance(plan.step, WordStep):
            return run_word_step(self, plan, plan.step)
        if isinstance(plan.target, CompressedMatrix):
            if cells.is_block(plan):
                return cells.assign_block(self, plan)
            begin_write(self, plan.target, plan)
        return super().run(plan)

    def work_bytes(self, step: Step) -> int:
        return work.work_bytes(step)

    def release(self) -> None:
        self.spare.clear()
        self.device.free_pool()

    def apply_operator(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        return apply.apply_operator(self, op, operands, dtypes, out)

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        return reduce.reduce_segments(self, monoid, values, indptr, out)

    def reduce_values(self, monoid: Monoid, values: Array, out: DType) -> Array:
        return reduce.reduce_values(self, monoid, values, out)

    def reduce_all(self, step: ReduceStep) -> Any:
        if isinstance(step.of, BitmapVector) and step.of.nvals and step.monoid.name != "any":
            return reduce.reduce_flagged(self, step, step.of)
        return super().reduce_all(step)

    def reduce(self, step: ReduceStep) -> VectorStorage:
        of = self.orient(step.of, step.transposed != (step.axis == 0))
        return super().reduce(step) if isinstance(of, FullMatrix) else reduce.reduce_rows(self, step, of)

    def ewise(self, step: EwiseStep) -> Storage:
        if vectors.are_flagged(step):
            return vectors.merge_flagged(self, step)
        return super().ewise(step)

    def intersect_full(self, step: EwiseStep) -> CompressedMatrix:
        return full.intersect(self, step)

    def unite_rows(
        self, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType, fills: Any = None
    ) -> CompressedMatrix:
        return merge.unite(self, left, right, op, out, fills)

    def intersect_rows(self, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType) -> CompressedMatrix:
        return merge.intersect(self, left, right, op, out)

    def filter_rows(self, matrix: CompressedMatrix, mask: CompressedMatrix, complement: bool) -> CompressedMatrix:
        return merge.filter_by_mask(self, matrix, mask, complement)

    def select_rows(self, matrix: CompressedMatrix, op: IndexUnaryOp, thunk: Any) -> CompressedMatrix:
        return select.select(self, matrix, op, thunk)

    def select_flagged_rows(self, matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
        return select.select_flagged(self, matrix, flags)

    def splice_rows(self, matrix: CompressedMatrix, places: Array, rows: CompressedMatrix) -> CompressedMatrix:
        if matrix.dtype != rows.dtype:
            return super().splice_rows(matrix, places, rows)
        return splice.splice_rows(self, matrix, places, rows)

    def write_under_mask(
        self, target: CompressedMatrix, z: CompressedMatrix, mask: CompressedMatrix, plan: Plan, within: bool
    ) -> CompressedMatrix:
        if plan.mask.complement:  # type: ignore[union-attr]
            return super().write_under_mask(target, z, mask, plan, within)
        return merge.write_under_mask(self, target, z, mask, plan.dtype)

    def write_rows(self, target: CompressedMatrix, result: CompressedMatrix, plan: Plan, part: Any) -> CompressedMatrix:
        if part is None and cells.has_few_cells(plan):
            return cells.write_few(self, target, result, self.list_mask(plan.mask), plan.dtype)  # type: ignore[arg-type]
        return super().write_rows(target, result, plan, part)

    def select_outside_rows(self, matrix: CompressedMatrix, part: Part) -> CompressedMatrix:
        return select.select_outside(self, matrix, part.rows, part.columns)

    def extract_part(self, of: CompressedMatrix, rows: Any, columns: Any) -> CompressedMatrix:
        return extract.extract_part(self, of, rows, columns)

    def transpose(self, matrix: CompressedMatrix) -> CompressedMatrix:
        if not are_rows(matrix):
            return super().transpose(matrix)
        return matrix.cached("transposed", lambda held: extract.transpose(self, held))

    def matvec(self, step: MatVec) -> VectorStorage | Deferred:
        matrix = self.orient(step.matrix, step.transposed)
        if isinstance(matrix, FullMatrix):
            return pull.pull_full(self, step, matrix)
        if step.direction == "push":
            return push.push(self, step, matrix)
        by_arcs = step.schedule == "edges"
        return few_by_rows.pull_full_vector(self, step, matrix) if by_arcs else pull.pull(self, step, matrix)

    def extract(self, step: ExtractStep) -> Storage:
        found = line.extract_line(self, step)
        return super().extract(step) if found is None else found

    def accumulate_into_full(self, target: FullMatrix, result: CompressedMatrix, plan: Plan) -> FullVector:
        if result.indices.itemsize == 4:
            return FullVector(full.accumulate(self, target, result, plan).reshape(-1))
        return super().accumulate_into_full(target, result, plan)

    def read_element(self, storage: MatrixStorage, cell: tuple[int, int]) -> Any:
        if isinstance(storage, CompressedMatrix) and storage.nvals and storage.indices.itemsize == 4:
            return element.read_element(self, storage, cell)
        return super().read_element(storage, cell)

    def pack_words(self, matrix: CompressedMatrix) -> Array:
        """Return the words of a matrix of few rows."""
        return word_parts.pack_words(self, matrix)

    def list_words(self, held: WordMatrix) -> MatrixStorage:
        """Return a matrix of words as a record of arrays."""
        return word_parts.list_words(self, held)

    def measure_words(self, held: WordMatrix, along: CompressedMatrix | None) -> tuple[int, int]:
        """Count the entries of a matrix of words, and those of the rows of another matrix that they meet."""
        return word_parts.measure_words(self, held, along)

    def combine_bits(self, write: BitWrite) -> tuple[Array, Array]:
        """Return the new words of a matrix, and those of the cells that are written."""
        return word_parts.combine_bits(self, write)

    def settle_cells(self, held: WordMatrix) -> Array:
        """Return the values of a matrix of words at all cells."""
        return word_parts.settle_cells(self, held)

    def are_all_true(self, matrix: CompressedMatrix) -> bool:
        """Whether a matrix of BOOL holds true in every entry."""
        return word_parts.are_all_true(self, matrix)

    def scale(self, step: MatMat, by_rows: bool, diagonal: Array, matrix: CompressedMatrix) -> Array:
        return scale.scale(self, step, by_rows, diagonal, matrix)

    def matmat(self, step: MatMat) -> MatrixStorage:
        if step.schedule in ("push", "pull"):
            return few_push.few_push(self, step) if step.schedule == "push" else few_pull.few_pull(self, step)
        if step.schedule == "columns":
            return extract.transpose(self, as_compressed(self.xp, self.matmat(self.turn(step))))
        # dot products read B by columns: the rows of its transpose
        by_columns = step.how == "dots"
        if by_columns and step.schedule != "hubs":
            dots.begin(self, step)
        left = self.orient(step.left, step.left_transposed)
        right = self.orient(step.right, step.right_transposed != by_columns)
        if step.how == "tiles":
            return FullMatrix(tropical.multiply(self, step.semiring, left.values, right.values, step.out))
        left, right = as_compressed(self.xp, left), as_compressed(self.xp, right)
        if step.how == "rows" and not can_join(step.semiring, step.out):
            return self.multiply_found_cells(step, left, right)
        if step.how == "rows":
            return rows.multiply_rows(self, step, left, right)
        multiply = pair_dots.multiply_pairs if step.schedule == "hubs" else dots.multiply_dots
        return multiply(self, step, left, right)

    def turn(self, step: MatMat) -> MatMat:
        """Return Cᵀ⟨Mᵀ⟩ = Bᵀ ⊕.⊗ Aᵀ, where ⊗ commutes."""
        mask = self.transpose(self.list_mask(step.mask))  # type: ignore[arg-type]
        return replace(
            step,
            left=step.right,
            left_transposed=not step.right_transposed,
            right=step.left,
            right_transposed=not step.left_transposed,
            shape=step.shape[::-1],
            mask=Mask(mask, True, False),
            schedule="rows",
        )

    def reduce_product(self, step: ReduceProductStep) -> Any:
        """The sum of the transpose is the same."""
        by_columns = step.product.schedule == "columns"
        return super().reduce_product(replace(step, product=self.turn(step.product)) if by_columns else step)

    def reduce_dots(self, product: MatMat, monoid: Monoid, out: DType) -> Array | None:
        if product.schedule not in ("rows", "hubs") or monoid.name == "any":
            return super().reduce_dots(product, monoid, out)
        if product.schedule != "hubs":
            dots.begin(self, product)
        left = as_compressed(self.xp, self.orient(product.left, product.left_transposed))
        right = as_compressed(self.xp, self.orient(product.right, not product.right_transposed))
        compute = pair_dots.compute_pairs if product.schedule == "hubs" else dots.compute_dots
        found = compute(self, product, left, right)
        if found is None or not self.lists.count_true(found[1]):
            return None
        return reduce.reduce_values(self, monoid, found[0].values, out, found[1])

    def multiply_found_cells(self, step: MatMat, left: CompressedMatrix, right: CompressedMatrix) -> CompressedMatrix:
        """A product whose terms no atomic joins: find the cells that have any, then a dot product for each of these.

        The kernels by rows join terms by atomics, of which there is none of 16 bytes but a sum by parts; a dot product
        joins them in one thread after another.
        """
        cells = rows.multiply_rows(self, replace(step, semiring=any_pair, out=BOOL), left, right)
        step = replace(step, how="dots", mask=Mask(cells, True, False))
        return dots.multiply_dots(self, step, left, self.transpose(right))


def begin_write(engine: CudaEngine, target: CompressedMatrix, plan: Plan) -> None:
    """Begin to compile what a write of a matrix needs beside what is computed."""
    if plan.mask is not None:
        begin_masked_write(engine, target, plan)
    elif isinstance(plan.step, ScalarStep | AssignStep) and plan.step.index and plan.accum is None:
        begin_assignment(engine, target, plan)


def begin_assignment(engine: CudaEngine, target: CompressedMatrix, plan: Plan) -> None:
    """Begin to compile what an assignment to few rows needs: these rows, what it leaves of them, and their places."""
    engine.lists.begin("rows", "scan", "indices")
    engine.begin(extract.FILE, extract.name_kernel(engine, target))
    select.begin_rule(engine, engine.c_type(target.indptr), engine.c_type(target.values), "OutsidePart")
    merge.begin_unite(engine, target, target, binary.first, (target.type, plan.dtype, plan.dtype))
    engine.begin(splice.FILE, splice.name_kernel(engine, target, target.indptr))


def begin_masked_write(engine: CudaEngine, target: CompressedMatrix, plan: Plan) -> None:
    """Begin to compile what a write of a matrix under a mask needs: what it keeps of both, and their union."""
    mask: Any = plan.mask
    if not isinstance(mask.of, CompressedMatrix) or isinstance(plan.step, ScalarStep):
        return
    types = target.type, plan.dtype, plan.dtype
    kept = plan.accum is None and not plan.replace and target.nvals > 0
    if kept and is_its_mask(plan):
        merge.begin_unite(engine, target, mask.of, binary.second, types)
        return
    if kept and not mask.complement:
        merge.begin_under_mask(engine, target, mask.of, plan.dtype)
        return
    if not honours_mask(plan):
        merge.begin_filter(engine, target, mask.of, plan.dtype, mask.complement)
    if plan.accum is not None:
        merge.begin_unite(engine, target, mask.of, plan.accum, types)
    elif kept:
        merge.begin_filter(engine, target, mask.of, target.type, not mask.complement)
        merge.begin_unite(engine, target, mask.of, binary.first, types)


def cuda_engine() -> CudaEngine:
    """The engine of the GPU that CuPy sees.

    Raises
    ------
    NotSupported
        If there is no CuPy or no GPU; the message says what to install.
    """
    cupy = require_cupy()
    engine = CudaEngine(cupy, nvrtc_load, begin_loading)
    register_list_kernels(cupy.ndarray, engine.lists)
    return engine
