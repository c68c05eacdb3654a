"""The CUDA engine: CuPy arrays, and kernels (the `.cuh` files beside their launchers) over rendered operators.

`CudaEngine(cupy, load)` runs on a GPU; with NumPy and the emulator's `load` the same Python and the same kernels
run on the host.
"""

from __future__ import annotations

from typing import Any, ClassVar

from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.arrays.operations import is_matrix
from graphla.engine.cuda import work
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.current_device import require_current_device
from graphla.engine.cuda.entries import apply, assign, extract, full, merge, reduce, select
from graphla.engine.cuda.entries.by_rows import by_rows
from graphla.engine.cuda.launch import nvrtc_load, require_cupy
from graphla.engine.cuda.loop.run import run_loop
from graphla.engine.cuda.matmat import dots, few_pull, few_push, rows, tropical
from graphla.engine.cuda.matvec import pull, pull_even, push
from graphla.errors import NotSupported
from graphla.planning.loop_body import LoopPlan
from graphla.planning.plan import WIDEST_ATOMIC
from graphla.planning.steps import (
    AssignStep,
    EwiseStep,
    MatMat,
    MatVec,
    Plan,
    ReduceStep,
    ScalarStep,
    SelectStep,
    Step,
    Storage,
)
from graphla.storage import Array, CompressedMatrix, Deferred, FullMatrix, MatrixStorage, VectorStorage
from graphla.storage.formats import as_compressed
from graphla.typing import EngineName
from semirings import Monoid
from semirings.dtypes import DType


class CudaEngine(KernelEngine):
    """Runs plans on a GPU."""

    name: ClassVar[EngineName] = "cuda"
    defers_small_inputs: ClassVar[bool] = True

    def __repr__(self) -> str:
        return "CudaEngine()"

    def run(self, plan: Plan | LoopPlan) -> Any:
        if self.device.several:
            require_current_device(self.device, plan)
        return run_loop(self, plan) if isinstance(plan, LoopPlan) else super().run(plan)

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
        return reduce.total(self, monoid, values, out)

    def reduce(self, step: ReduceStep) -> VectorStorage:
        of = self.orient(step.of, step.transposed != (step.axis == 0))
        return super().reduce(step) if isinstance(of, FullMatrix) else reduce.reduce_rows(self, step, of)

    def ewise(self, step: EwiseStep) -> Storage:
        if full.is_beside_full(step):
            return full.intersection(self, step)
        if not is_matrix(step.left) or step.at is not None or not by_rows(step.left, step.right):
            return super().ewise(step)
        left, right = self.orient(step.left, step.left_transposed), self.orient(step.right, step.right_transposed)
        if step.union:
            return merge.union(self, left, right, step.op, step.out, step.fills)
        return merge.intersection(self, left, right, step.op, step.out)

    def select(self, step: SelectStep) -> Storage:
        if not by_rows(step.of):
            return super().select(step)
        return select.select(self, self.orient(step.of, step.transposed), step.op, step.thunk)

    def extract_compressed(self, of: CompressedMatrix, rows: Any, cols: Any) -> CompressedMatrix:
        return extract.part(self, of, rows, cols) if by_rows(of) else super().extract_compressed(of, rows, cols)

    def transpose(self, matrix: CompressedMatrix) -> CompressedMatrix:
        if not by_rows(matrix):
            return super().transpose(matrix)
        return matrix.cached("transposed", lambda held: extract.transpose(self, held))

    def assign_scalar(self, step: ScalarStep, plan: Plan) -> tuple[Storage, Any]:
        mask = plan.mask
        if step.index is not None or mask is None or mask.complement or not by_rows(plan.target):
            return super().assign_scalar(step, plan)
        entries = assign.mask_rows(self, mask)
        return replace_values(entries, self.xp.full(entries.nvals, step.value, plan.dtype.numpy)), None

    def assign(self, step: AssignStep, plan: Plan) -> tuple[Storage, Any]:
        if not by_rows(step.of, plan.target):
            return super().assign(step, plan)
        return assign.assign(self, self.orient(step.of, step.transposed), step.index, plan.target.shape)  # type: ignore

    def write_result(self, target: Any, result: Storage, plan: Plan, region: Any) -> Any:
        if not by_rows(result, *(() if target is None else (target,))):
            return super().write_result(target, result, plan, region)
        held: Any = replace_values(result, self.cast(result.values, plan.dtype))
        return assign.allowed(self, held, plan) if target is None else assign.write(self, target, held, plan, region)

    def to_storage(self, cells: Storage, shape: tuple[int, ...]) -> Storage:
        return cells if is_matrix(cells) else super().to_storage(cells, shape)  # type: ignore[arg-type]

    def matvec(self, step: MatVec) -> VectorStorage | Deferred:
        matrix = self.orient(step.matrix, step.transposed)
        if isinstance(matrix, FullMatrix):
            return pull.pull_full(self, step, matrix)
        if step.direction == "push":
            return push.push(self, step, matrix)
        return pull_even.pull_even(self, step, matrix) if step.schedule == "edges" else pull.pull(self, step, matrix)

    def matmat(self, step: MatMat) -> MatrixStorage:
        if step.how == "rows" and step.schedule != "rows":
            return few_push.few_push(self, step) if step.schedule == "push" else few_pull.few_pull(self, step)
        left, right = self.orient(step.left, step.left_transposed), self.orient(step.right, step.right_transposed)
        if step.how == "tiles":
            return FullMatrix(tropical.product(self, step.semiring, left.values, right.values, step.out))
        if step.how == "rows":
            require_joins(step)
        left, right = as_compressed(self.xp, left), as_compressed(self.xp, right)
        return dots.dots(self, step, left, right) if step.how == "dots" else rows.rows(self, step, left, right)


def require_joins(step: MatMat) -> None:
    """Refuse a product whose terms the kernels by rows cannot add up: they join them by atomics."""
    if step.out.bits > WIDEST_ATOMIC and step.semiring.add.name != "plus":
        raise NotSupported(
            f"{step.semiring.name} of {step.out} on engine 'cuda': products of matrices join their terms "
            f"atomically, and of {step.out} only sums can be joined so: compute in FC32, or on the CPU by A.to('cpu')"
        )


def cuda_engine() -> CudaEngine:
    """The engine of the GPU that CuPy sees.

    Raises
    ------
    NotSupported
        If there is no CuPy or no GPU; the message says what to install.
    """
    return CudaEngine(require_cupy(), nvrtc_load)
