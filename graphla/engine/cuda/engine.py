"""The CUDA engine: CuPy arrays, and kernels of `kernels/*.cuh` over rendered operators.

`CudaEngine(cupy, load)` runs on a GPU; with NumPy and the emulator's `load` the same Python and the same kernels
run on the host.
"""

from __future__ import annotations

from typing import Any, ClassVar

from graphla.engine.arrays.device import is_matrix
from graphla.engine.arrays.entrywise import restored
from graphla.engine.arrays.formats import compressed
from graphla.engine.cuda import work
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.current_device import require_current_device
from graphla.engine.cuda.entries import apply as elementwise
from graphla.engine.cuda.entries import assign as write
from graphla.engine.cuda.entries import extract as gather
from graphla.engine.cuda.entries import merge
from graphla.engine.cuda.entries import reduce as folds
from graphla.engine.cuda.entries import select as keep
from graphla.engine.cuda.entries.by_rows import by_rows
from graphla.engine.cuda.launch import nvrtc_load, require_cupy
from graphla.engine.cuda.loop import run as loops
from graphla.engine.cuda.matmat import dots, rows, tropical
from graphla.engine.cuda.matvec import pull, push
from graphla.engine.cuda.matvec import pull_even as even
from graphla.planning.loop_body import LoopPlan
from graphla.planning.steps import (
    EwiseStep,
    FilterStep,
    FoldStep,
    MatMat,
    MatVec,
    PlaceStep,
    Plan,
    ScalarStep,
    Step,
    Storage,
)
from graphla.storage import Array, CompressedMatrix, FullMatrix, Later, MatrixStorage, VectorStorage
from semirings import Monoid
from semirings.dtypes import DType


class CudaEngine(KernelEngine):
    """Runs plans on a GPU."""

    name: ClassVar[str] = "cuda"
    few_wait: ClassVar[bool] = True

    def __repr__(self) -> str:
        return "CudaEngine()"

    def run(self, plan: Plan | LoopPlan) -> Any:
        if self.device.several:
            require_current_device(self.device, plan)
        return loops.loop(self, plan) if isinstance(plan, LoopPlan) else super().run(plan)

    def work_bytes(self, step: Step) -> int:
        return work.work_bytes(step)

    def release(self) -> None:
        self.spare.clear()
        self.device.free_pool()

    def elementwise(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        return elementwise.elementwise(self, op, operands, dtypes, out)

    def folds(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        return folds.folds(self, monoid, values, indptr, out)

    def total(self, monoid: Monoid, values: Array, out: DType) -> Array:
        return folds.total(self, monoid, values, out)

    def fold(self, step: FoldStep) -> VectorStorage:
        of = self.turned(step.of, step.turned != (step.axis == 0))
        return super().fold(step) if isinstance(of, FullMatrix) else folds.fold_rows(self, step, of)

    def ewise(self, step: EwiseStep) -> Storage:
        if not is_matrix(step.left) or step.at is not None or not by_rows(step.left, step.right):
            return super().ewise(step)
        left, right = self.turned(step.left, step.left_turned), self.turned(step.right, step.right_turned)
        if step.union:
            return merge.union(self, left, right, step.op, step.out, step.fills)
        return merge.intersection(self, left, right, step.op, step.out)

    def filter(self, step: FilterStep) -> Storage:
        if not by_rows(step.of):
            return super().filter(step)
        return keep.chosen(self, self.turned(step.of, step.turned), step.op, step.thunk)

    def gather_compressed(self, of: CompressedMatrix, rows: Any, cols: Any) -> CompressedMatrix:
        return gather.part(self, of, rows, cols) if by_rows(of) else super().gather_compressed(of, rows, cols)

    def transposed(self, matrix: CompressedMatrix) -> CompressedMatrix:
        if not by_rows(matrix):
            return super().transposed(matrix)
        return matrix.kept("transposed", lambda held: gather.transposed(self, held))

    def scalar_everywhere(self, step: ScalarStep, plan: Plan) -> tuple[Storage, Any]:
        mask = plan.mask
        if step.index is not None or mask is None or mask.complement or not by_rows(plan.target):
            return super().scalar_everywhere(step, plan)
        entries = write.mask_rows(self, mask)
        return restored(entries, self.xp.full(entries.nvals, step.value, plan.dtype.numpy)), None

    def placed(self, step: PlaceStep, plan: Plan) -> tuple[Storage, Any]:
        if not by_rows(step.of, plan.target):
            return super().placed(step, plan)
        return write.placed(self, self.turned(step.of, step.turned), step.index, plan.target.shape)  # type: ignore

    def written(self, target: Storage | None, result: Storage, plan: Plan, region: Any) -> Storage:
        if not by_rows(result, *(() if target is None else (target,))):
            return super().written(target, result, plan, region)
        held: Any = restored(result, self.cast(result.values, plan.dtype))
        return write.allowed(self, held, plan) if target is None else write.write(self, target, held, plan, region)

    def finished(self, cells: Storage, shape: tuple[int, ...]) -> Storage:
        return cells if is_matrix(cells) else super().finished(cells, shape)  # type: ignore[arg-type]

    def matvec(self, step: MatVec) -> VectorStorage | Later:
        matrix = self.turned(step.matrix, step.turned)
        if isinstance(matrix, FullMatrix):
            return pull.pull_full(self, step, matrix)
        if step.direction == "push":
            return push.push(self, step, matrix)
        return even.pull_even(self, step, matrix) if step.schedule == "edges" else pull.pull(self, step, matrix)

    def matmat(self, step: MatMat) -> MatrixStorage:
        left, right = self.turned(step.left, step.left_turned), self.turned(step.right, step.right_turned)
        if step.how == "tiles":
            return FullMatrix(tropical.product(self, step.semiring, left.values, right.values, step.out))
        left, right = compressed(self.xp, left), compressed(self.xp, right)
        return dots.dots(self, step, left, right) if step.how == "dots" else rows.rows(self, step, left, right)


def cuda_engine() -> CudaEngine:
    """The engine of the GPU that CuPy sees.

    Raises
    ------
    NotSupported
        If there is no CuPy or no GPU; the message says what to install.
    """
    return CudaEngine(require_cupy(), nvrtc_load)
