"""The CPU engine: NumPy arrays, and Numba kernels over rendered operators, on all cores."""

from __future__ import annotations

import math
from functools import lru_cache
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from graphla.engine.arrays.engine import ArrayEngine
from graphla.engine.arrays.lookup import allowed_everywhere, true_entries
from graphla.engine.cpu import bits, source, structure
from graphla.engine.cpu.loop.run import run_loop
from graphla.engine.cpu.threads import over_rows
from graphla.memory import SMALLER, require
from graphla.planning.loop_body import LoopPlan
from graphla.planning.steps import Mask, MatMat, MatVec, Plan, Storage
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
)
from graphla.storage.formats import (
    as_bitmap,
    as_cells,
    as_sparse,
    choose_vector_format,
    compressed,
    from_cells,
    index_dtype,
)
from graphla.typing import EngineName
from semirings import IndexUnaryOp, Monoid, Semiring, binary, lor_land
from semirings.dtypes import BOOL, DType, lookup
from semirings.python import render_function, render_semiring

NO_FLAGS = np.zeros(1, bool)
NO_ROWS = np.zeros(1, "int32")


@lru_cache(maxsize=4096)
def compiled(template: str, semiring: Semiring, a: DType, b: DType, out: DType, flip: bool) -> ModuleType:
    """A product kernel over a semiring; with `flip` the vector is the first operand."""
    first, second = (b, a) if flip else (a, b)
    return source.module(template, f"{render_semiring(semiring, first, second, out)}\n\nFLIP = {flip}\n")


@lru_cache(maxsize=4096)
def compiled_apply(op: Any, dtypes: tuple[DType, ...], out: DType) -> ModuleType:
    """The element-wise loops over an operator."""
    return source.module("elementwise", render_function(op, "apply", dtypes, out))


@lru_cache(maxsize=1024)
def compiled_reduce(monoid: Monoid, given: DType, out: DType) -> ModuleType:
    """The fold of segments over a monoid."""
    cast_then_add = Semiring(monoid.name, monoid, binary.first)
    return source.module("folds", render_semiring(cast_then_add, given, given, out))


class CpuEngine(ArrayEngine):
    """Runs plans with NumPy and Numba."""

    name: ClassVar[EngineName] = "cpu"
    xp = np

    def __init__(self) -> None:
        self._spare: dict[tuple[int, str], tuple[Array, Array, Array]] = {}

    def __repr__(self) -> str:
        return "CpuEngine()"

    def apply_operator(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        shape = np.broadcast_shapes(*(np.shape(part) for part in operands))
        result = np.empty(math.prod(shape), out.numpy)
        parts = [part if np.ndim(part) == 0 else np.broadcast_to(part, shape).reshape(-1) for part in operands]
        loops = compiled_apply(op, dtypes, out)
        parts = [part[()] if np.ndim(part) == 0 else part for part in parts]
        if isinstance(op, IndexUnaryOp):
            (loops.anywhere if len(parts) == 2 else loops.indexed)(*parts, result)
        elif len(parts) == 1:
            loops.one(*parts, result)
        else:
            choice = {(1, 1): loops.two, (1, 0): loops.scalar_right, (0, 1): loops.scalar_left}
            choice[np.ndim(parts[0]), np.ndim(parts[1])](*parts, result)
        return result.reshape(shape)

    def positions(self, op: IndexUnaryOp, of: Storage) -> tuple[Array, ...]:
        """None where the operator reads none."""
        return super().positions(op, of) if op.reads("i") or op.reads("j") else ()

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        result = np.empty(indptr.shape[0] - 1, out.numpy)
        kernel = compiled_reduce(monoid, lookup(values.dtype), out).folds
        over_rows(kernel, indptr, values.shape[0], values, result)
        return result

    def run(self, plan: Plan | LoopPlan) -> Any:
        """Answer a plan."""
        return run_loop(self, plan) if isinstance(plan, LoopPlan) else super().run(plan)

    # --- matrix times vector

    def matvec(self, step: MatVec) -> VectorStorage:
        matrix = self.orient(step.matrix, step.transposed)
        if step.direction == "push" and not isinstance(matrix, FullMatrix):
            return self.push(step, matrix)
        return self.pull(step, matrix)

    def push(self, step: MatVec, matrix: CompressedMatrix) -> VectorStorage:
        """Scatter the rows of the entries; the work space is clean again afterwards."""
        vector = as_sparse(np, step.vector)
        kernel = self.product("push", step, matrix).push
        masked, flags, keep = self.flags(step.mask, step.size)
        key = (step.size, step.out.numpy)
        present, out, touched = self._spare.pop(key, None) or self.workspace(step.size, step.out)
        rows = matrix.indptr, matrix.indices, matrix.values
        count = kernel(*rows, vector.indices, vector.values, masked, flags, keep, present, out, touched)
        if choose_vector_format(count, step.size) != "sparse":
            return BitmapVector(present, out, count)
        places = np.sort(touched[:count])
        result = SparseVector(step.size, places, out[places])
        present[places] = False
        self._spare[key] = present, out, touched
        return result

    def workspace(self, size: int, dtype: DType) -> tuple[Array, Array, Array]:
        """Flags (all down), values and a list, as long as the result."""
        return np.zeros(size, bool), np.empty(size, dtype.numpy), np.empty(size, index_dtype(size))

    def pull(self, step: MatVec, matrix: MatrixStorage) -> VectorStorage:
        """Probe the rows that the mask allows."""
        full = isinstance(step.vector, FullVector)
        has = NO_FLAGS if full else as_bitmap(np, step.vector).present
        given = step.vector.values if full else as_bitmap(np, step.vector).values
        masked, flags, keep = self.flags(step.mask, step.size)
        present, out = np.empty(step.size, bool), np.empty(step.size, step.out.numpy)
        module = self.product("pull", step, matrix)
        if isinstance(matrix, FullMatrix):
            rows = np.arange(step.size + 1) * matrix.shape[1]
            counts = over_rows(
                lambda first, last, _, *rest: module.pull_full(first, last, matrix.shape[1], *rest),
                rows, matrix.nvals, matrix.values, has, given, full, masked, flags, keep, present, out,
            )  # fmt: skip
        else:
            counts = over_rows(
                module.pull, matrix.indptr, matrix.nvals, matrix.indices, matrix.values,
                full, has, given, masked, flags, keep, present, out,
            )  # fmt: skip
        return BitmapVector(present, out, sum(counts))

    def product(self, template: str, step: MatVec, matrix: MatrixStorage) -> ModuleType:
        """The compiled template for the dtypes at hand."""
        types = matrix.type, step.vector.type
        return compiled(template, step.semiring, *types, step.out, step.flip)

    def flags(self, mask: Mask | None, size: int) -> tuple[bool, Array, bool]:
        """The mask as (is there one, flags, the flag that lets a place through)."""
        if mask is None:
            return False, NO_FLAGS, True
        plain = Mask(mask.of, mask.structural, False)
        return True, allowed_everywhere(np, plain, size), not mask.complement

    # --- matrix times matrix

    def matmat(self, step: MatMat) -> MatrixStorage:
        left, right = self.orient(step.left, step.left_transposed), self.orient(step.right, step.right_transposed)
        if step.how == "tiles":
            return self.tiles(step, left, right)
        left, right = compressed(np, left), compressed(np, right)
        return self.dots(step, left, right) if step.how == "dots" else self.rows(step, left, right)

    def tiles(self, step: MatMat, left: FullMatrix, right: FullMatrix) -> FullMatrix:
        types = left.type, right.type
        if step.semiring == lor_land and types == (BOOL, BOOL):
            return FullMatrix(bits.lor_land(left.values, right.values))
        out = np.empty(step.shape, step.out.numpy)
        compiled("full", step.semiring, *types, step.out, False).full_full(left.values, right.values, out)
        return FullMatrix(out)

    def rows(self, step: MatMat, left: CompressedMatrix, right: CompressedMatrix) -> CompressedMatrix:
        """Gustavson, in two passes."""
        module = compiled("rows", step.semiring, left.type, right.type, step.out, False)
        mode, mask_indptr, mask_indices = self.mask_rows(step.mask, step.shape)
        products = self.products(left, right)
        counts = np.zeros(step.shape[0], "int64")
        places = left.indices, right.indptr, right.indices, step.shape[1], mode, mask_indptr, mask_indices
        over_rows(structure.count, left.indptr, products, *places, counts)
        pointers = np.zeros(step.shape[0] + 1, "int64")
        np.cumsum(counts, out=pointers[1:])
        entries = int(pointers[-1])
        require(entries * (4 + step.out.bits // 8), f"a product of {entries:,} entries", np, SMALLER)
        columns, values = np.empty(entries, index_dtype(step.shape[1])), np.empty(entries, step.out.numpy)
        over_rows(
            module.fill, left.indptr, products, left.indices, left.values, right.indptr, right.indices,
            right.values, step.shape[1], mode, mask_indptr, mask_indices, pointers, columns, values,
        )  # fmt: skip
        return CompressedMatrix(*step.shape, pointers.astype(index_dtype(entries)), columns, values)

    def products(self, left: CompressedMatrix, right: CompressedMatrix) -> int:
        """How many products the rows make: the sum of the lengths of the rows met."""
        return int(np.diff(right.indptr)[left.indices].sum(dtype="int64"))

    def mask_rows(self, mask: Mask | None, shape: tuple[int, int]) -> tuple[int, Array, Array]:
        """The mask as rows of columns, and 1 to keep them or 2 to leave them out."""
        if mask is None:
            return 0, NO_ROWS, NO_ROWS
        rows = true_entries(np, mask)
        return 2 if mask.complement else 1, rows.indptr, rows.indices

    def dots(self, step: MatMat, left: CompressedMatrix, right: CompressedMatrix) -> CompressedMatrix:
        """A dot product for each entry of the mask."""
        mask, columns = true_entries(np, step.mask), self.transpose(right)  # type: ignore[arg-type]
        module = compiled("dots", step.semiring, left.type, right.type, step.out, False)
        present, out = np.empty(mask.nvals, bool), np.empty(mask.nvals, step.out.numpy)
        over_rows(
            module.dots, mask.indptr, mask.nvals, mask.indices, left.indptr, left.indices, left.values,
            columns.indptr, columns.indices, columns.values, present, out,
        )  # fmt: skip
        cells = as_cells(np, CompressedMatrix(*step.shape, mask.indptr, mask.indices, out))
        kept = SparseVector(cells.size, cells.indices[present], out[present])  # type: ignore[union-attr]
        return from_cells(np, kept, step.shape)  # type: ignore[return-value]
