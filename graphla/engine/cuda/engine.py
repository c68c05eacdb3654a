"""The CUDA engine: CuPy arrays, and kernels of `kernels/*.cuh` over rendered operators.

`CudaEngine(cupy, load)` runs on a GPU; with NumPy and the emulator's `load` the same Python and the same kernels
run on the host.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from graphla.engine.arrays.engine import ArrayEngine
from graphla.engine.arrays.formats import as_cells, as_sparse, from_cells
from graphla.engine.arrays.lookup import allowed_everywhere
from graphla.engine.cuda import dots, elementwise, folds, pull, push, rows, tiles
from graphla.engine.cuda.device import device_of
from graphla.engine.cuda.launch import nvrtc_load, require_cupy
from graphla.engine.cuda.source import KERNELS, unit
from graphla.steps import FoldStep, Mask, MatMat, MatVec, Plan
from graphla.storage import (
    Array,
    CompressedMatrix,
    FullMatrix,
    MatrixStorage,
    VectorStorage,
)
from semirings import Monoid, Semiring
from semirings.cuda import render_semiring
from semirings.dtypes import DType, lookup


def render_semiring_titled(semiring: Semiring, a: DType, b: DType, out: DType) -> str:
    """The struct `S`, and a line that tells a reader of a compiler's message what it is."""
    title = f"// S = {semiring.name} of {a.name} and {b.name} in {out.name}\n"
    return title + render_semiring(semiring, a, b, out)


class CudaEngine(ArrayEngine):
    """Runs plans on a GPU.

    Parameters
    ----------
    xp : module
        CuPy; or NumPy, where `load` makes kernels that run on the host.
    load : callable
        ``load(text, expression, cooperative=...)`` makes a kernel of a translation unit.
    """

    name: ClassVar[str] = "cuda"

    def __init__(self, xp: Any, load: Callable[..., Any]) -> None:
        self.xp = xp
        self.device = device_of(xp)
        self._load = load
        self._kernels: dict[tuple[Any, ...], Any] = {}
        self._products: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        self.spare: dict[tuple[Any, ...], Any] = {}
        self.no_flags, self.no_count = xp.zeros(1, bool), xp.zeros(1, "uint64")

    def __repr__(self) -> str:
        return "CudaEngine()"

    # --- kernels

    def kernel(self, file: Path, expression: str, prelude: str = "", cooperative: bool = False) -> Any:
        """The kernel that `expression` names in a file of kernels, compiled once in this process."""
        key = file, expression, prelude, cooperative, self.device.number()
        found = self._kernels.get(key)
        if found is None:
            found = self._kernels[key] = self._load(unit(file, prelude), expression, cooperative=cooperative)
        return found

    def own_kernel(self, file: str, expression: str, prelude: str = "") -> Any:
        """The same for a file beside this package's other kernels."""
        return self.kernel(KERNELS / file, expression, prelude)

    def over_semiring(self, file: str, expression: str, semiring: Semiring, a: DType, b: DType, out: DType) -> Any:
        """A kernel over the struct `S` of a semiring; `a` and `b` are the types of the operands of ⊗."""
        key = file, expression, id(semiring), a.name, b.name, out.name, self.device.number()
        found = self._products.get(key)
        if found is None:
            kernel = self.own_kernel(file, expression, render_semiring_titled(semiring, a, b, out))
            found = self._products[key] = semiring, kernel  # kept, so that its id stays its own
        return found[1]

    def over_operator(self, op: Any, dtypes: tuple[DType, ...], scalars: tuple[bool, ...], out: DType) -> Any:
        """The element-wise kernel over an operator."""
        key = id(op), *(t.name for t in dtypes), scalars, out.name, self.device.number()
        found = self._products.get(key)
        if found is None:
            name, text = elementwise.named(op, dtypes, scalars, out), elementwise.rendered(op, dtypes, out)
            found = self._products[key] = op, self.own_kernel("elementwise.cuh", name, text)
        return found[1]

    # --- what ArrayEngine leaves to a device

    def run(self, plan: Plan) -> Any:
        try:
            return super().run(plan)
        except MemoryError:
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
            return tiles.tiles(self, step, left, right)
        left, right = self.compressed(left), self.compressed(right)
        return dots.dots(self, step, left, right) if step.how == "dots" else rows.rows(self, step, left, right)

    def compressed(self, matrix: MatrixStorage) -> CompressedMatrix:
        """The matrix as rows of columns."""
        if isinstance(matrix, CompressedMatrix):
            return matrix
        return from_cells(self.xp, as_sparse(self.xp, as_cells(self.xp, matrix)), matrix.shape)  # type: ignore[return-value]

    # --- arrays

    def to_host(self, array: Any) -> Any:
        return array.get() if hasattr(array, "get") else np.asarray(array)

    def c_type(self, array: Any) -> str:
        """The C type of the elements of an array."""
        return lookup(array.dtype).c

    def flags(self, mask: Mask | None, size: int) -> tuple[str, Array]:
        """The mask as the name of a policy and one flag a place."""
        if mask is None:
            return "NoMask", self.no_flags
        return "Outside" if mask.complement else "Inside", allowed_everywhere(
            self.xp, Mask(mask.of, mask.structural, False), size
        )


def cuda_engine() -> CudaEngine:
    """The engine of the GPU that CuPy sees.

    Raises
    ------
    NotSupported
        If there is no CuPy or no GPU; the message says what to install.
    """
    return CudaEngine(require_cupy(), nvrtc_load)
