"""The CUDA engine: CuPy arrays, and kernels of `kernels/*.cuh` over rendered operators.

`CudaEngine(cupy, load)` runs on a GPU; with NumPy and the emulator's `load` the same Python and the same kernels
run on the host.
"""

from __future__ import annotations

from traceback import clear_frames
from typing import Any, ClassVar

from graphla.engine.arrays.formats import compressed
from graphla.engine.cuda import dots, elementwise, folds, pull, push, rows, tropical
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.launch import nvrtc_load, require_cupy
from graphla.engine.cuda.places import require_current_device
from graphla.steps import FoldStep, MatMat, MatVec, Plan
from graphla.storage import Array, FullMatrix, MatrixStorage, VectorStorage
from semirings import Monoid
from semirings.dtypes import DType


class CudaEngine(KernelEngine):
    """Runs plans on a GPU."""

    name: ClassVar[str] = "cuda"

    def __repr__(self) -> str:
        return "CudaEngine()"

    def run(self, plan: Plan) -> Any:
        if self.several_devices:
            require_current_device(self.device, plan)
        try:
            return super().run(plan)
        except MemoryError as error:
            clear_frames(error.__traceback__)  # which hold the arrays that were made so far
            self.spare.clear()
            self.device.free_pool()
            raise

    def elementwise(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        return elementwise.elementwise(self, op, operands, dtypes, out)

    def folds(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        return folds.folds(self, monoid, values, indptr, out)

    def total(self, monoid: Monoid, values: Array, out: DType) -> Array:
        return folds.total(self, monoid, values, out)

    def fold(self, step: FoldStep) -> VectorStorage:
        of = self.turned(step.of, step.turned != (step.axis == 0))
        return super().fold(step) if isinstance(of, FullMatrix) else folds.fold_rows(self, step, of)

    def matvec(self, step: MatVec) -> VectorStorage:
        matrix = self.turned(step.matrix, step.turned)
        if isinstance(matrix, FullMatrix):
            return pull.pull_full(self, step, matrix)
        return push.push(self, step, matrix) if step.direction == "push" else pull.pull(self, step, matrix)

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
