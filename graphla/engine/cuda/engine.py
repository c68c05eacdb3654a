"""The CUDA engine: CuPy arrays, and kernels (the `.cuh` files beside their launchers) over rendered operators.

`CudaEngine(cupy, load)` runs on a GPU; with NumPy and the emulator's `load` the same Python and the same kernels
run on the host.
"""

from __future__ import annotations

from typing import Any, ClassVar

from graphla.common.typing import EngineName
from graphla.engine.arrays.rows import Part, are_rows
from graphla.engine.arrays.words import BitWrite
from graphla.engine.arrays.write import honours_mask
from graphla.engine.arrays.write_rows import is_its_mask
from graphla.engine.cuda import work
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.current_device import require_current_device
from graphla.engine.cuda.entries import apply, cells, element, extract, merge, reduce, select, splice
from graphla.engine.cuda.launch import begin_loading, nvrtc_load, require_cupy
from graphla.engine.cuda.matmat import scale, word_parts
from graphla.engine.cuda.rules import RULES, WRITES
from graphla.engine.rules import Rules, Writes
from graphla.planning.steps import AssignStep, MatMat, Plan, ScalarStep, Step
from graphla.storage import Array, CompressedMatrix, MatrixStorage
from graphla.storage.list_kernels import register_list_kernels
from graphla.storage.words import WordMatrix
from semirings import IndexUnaryOp, Monoid, binary
from semirings.dtypes import DType


class CudaEngine(KernelEngine):
    """Runs plans on a GPU."""

    name: ClassVar[EngineName] = "cuda"
    rules: ClassVar[Rules] = RULES
    writes: ClassVar[Writes] = WRITES
    defers_small_inputs: ClassVar[bool] = True
    overlays: ClassVar[bool] = True
    holds_words: ClassVar[bool] = True
    streams_words: ClassVar[bool] = True

    def __repr__(self) -> str:
        return "CudaEngine()"

    def run(self, plan: Any) -> Any:
        if self.device.several:
            require_current_device(self.device, plan)
        if isinstance(plan, Plan) and isinstance(plan.target, CompressedMatrix) and not cells.is_block(plan):
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

    def select_outside_rows(self, matrix: CompressedMatrix, part: Part) -> CompressedMatrix:
        return select.select_outside(self, matrix, part.rows, part.columns)

    def extract_part(self, of: CompressedMatrix, rows: Any, columns: Any) -> CompressedMatrix:
        return extract.extract_part(self, of, rows, columns)

    def transpose(self, matrix: CompressedMatrix) -> CompressedMatrix:
        if not are_rows(matrix):
            return super().transpose(matrix)
        return matrix.cached("transposed", lambda held: extract.transpose(self, held))

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
