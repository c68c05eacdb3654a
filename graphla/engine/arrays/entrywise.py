"""The entry-wise steps: union, intersection, apply, select and reduce."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import NotSupported
from graphla.engine.arrays import merge
from graphla.engine.arrays.lookup import look_up
from graphla.engine.arrays.operations import ArrayOperations, is_matrix
from graphla.language.scalars import choose_bound_dtype, thunk_dtype
from graphla.planning.steps import (
    ApplyStep,
    EwiseStep,
    Inner,
    ReduceStep,
    SelectStep,
    Storage,
)
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    SparseVector,
    VectorStorage,
)
from graphla.storage.convert import copy_array, count_true
from graphla.storage.formats import (
    as_cells,
    as_sparse,
    from_cells,
)
from semirings import IndexUnaryOp, UnaryOp
from semirings.dtypes import DType, lookup


class Entrywise(ArrayOperations):
    """The steps that compute with values."""

    def ewise(self, step: EwiseStep) -> Storage:
        left, right = self.orient(step.left, step.left_transposed), self.orient(step.right, step.right_transposed)
        if isinstance(left, FullVector) and isinstance(right, FullVector) and step.at is None:
            values = self.apply_operator(step.op, (left.values, right.values), (left.type, right.type), step.out)
            return FullVector(values)
        x, y = as_cells(self.xp, left), as_cells(self.xp, right)
        types = left.type, right.type
        f = self.bind_operator(step.op, *types, step.out)

        def cast(values: Array) -> Array:
            return self.cast(values, step.out)

        fills = tuple(map(self.fill_value, step.fills, types)) if step.fills is not None else None
        if step.at is not None:
            return self.ewise_at(step, x, y, f, cast, fills)
        result = merge.union(self.xp, x, y, f, cast, fills) if step.union else merge.intersect(self.xp, x, y, f, cast)
        return from_cells(self.xp, result, left.shape) if is_matrix(left) else result

    def ewise_at(
        self, step: EwiseStep, x: VectorStorage, y: VectorStorage, f: Any, cast: Any, fills: Any
    ) -> VectorStorage:
        """Compute a union or intersection only at the indices of a sparse structural mask."""
        xp, indices = self.xp, step.at.indices  # type: ignore[union-attr]
        (has_x, vx), (has_y, vy) = look_up(xp, x, indices), look_up(xp, y, indices)
        values = merge.blend(xp, has_x, vx, has_y, vy, f, cast, fills) if step.union else f(vx, vy)
        present = has_x | has_y if step.union else has_x & has_y
        return SparseVector(x.size, indices[present], values[present])

    def apply(self, step: ApplyStep) -> Storage:
        of = self.orient(step.of, step.transposed)
        values = self.apply_values(of, step.op, step.bound, step.bound_left, step.out)
        if isinstance(of, BitmapVector):  # vectors must not share flags, which may be written in place later
            return BitmapVector(copy_array(of.present), values, of.nvals)
        return replace_values(of, values)

    def apply_values(self, of: Storage, op: Any, bound: Any, bound_left: bool, out: DType) -> Array:
        """Apply op to the values of a storage, with a bound scalar or thunk if op takes one."""
        kind = of.type
        if isinstance(op, UnaryOp):
            return self.apply_operator(op, (of.values,), (kind,), out)
        if isinstance(op, IndexUnaryOp):
            scalar = self.cast_scalar(bound, thunk_dtype(op, kind))
            return self.apply_operator(
                op, (of.values, *self.positions(op, of), scalar), (kind, lookup(scalar.dtype)), out
            )
        beside = choose_bound_dtype(bound, kind)
        scalar = np.asarray(bound, beside.numpy)[()]
        if bound_left:
            return self.apply_operator(op, (scalar, of.values), (beside, kind), out)
        return self.apply_operator(op, (of.values, scalar), (kind, beside), out)

    def positions(self, op: IndexUnaryOp, of: Storage) -> tuple[Array, ...]:
        """Return row and column of each value, or nothing if the operator does not read them."""
        return self.list_coordinates(of) if op.reads("i") or op.reads("j") else ()

    def select(self, step: SelectStep) -> Storage:
        of = self.orient(step.of, step.transposed)
        flags = self.apply_values(of, step.op, step.thunk, False, lookup("BOOL")).astype(bool, copy=False)
        if isinstance(of, BitmapVector | FullVector):
            present = flags if isinstance(of, FullVector) else of.present & flags
            return BitmapVector(present, copy_array(of.values), count_true(present))
        if isinstance(of, CompressedMatrix):
            return merge.select_flagged_entries(self.xp, of, flags)
        cells = as_sparse(self.xp, as_cells(self.xp, of))
        selected = merge.select_flagged(self.xp, cells, flags.reshape(-1))
        return from_cells(self.xp, selected, of.shape) if is_matrix(of) else selected

    def reduce(self, step: ReduceStep) -> VectorStorage:
        """Reduce the rows or columns of a matrix with ⊕; an empty row gives no entry."""
        of = self.orient(step.of, step.transposed != (step.axis == 0))
        if isinstance(of, FullMatrix):
            rows, cols = of.shape
            pointers = self.xp.arange(0, rows * cols + 1, max(1, cols), dtype="int64")
            if cols == 0:
                return SparseVector(rows, self.xp.zeros(0, "int32"), self.xp.zeros(0, step.out.numpy))
            return FullVector(self.reduce_segments(step.monoid, of.values.reshape(-1), pointers, step.out))
        values = self.reduce_segments(step.monoid, of.values, of.indptr, step.out)  # type: ignore[union-attr]
        present = self.xp.diff(of.indptr) > 0  # type: ignore[union-attr]
        return BitmapVector(present, values, count_true(present))

    def reduce_all(self, step: ReduceStep) -> Any:
        """Reduce all entries with ⊕ to a NumPy scalar; None if there is no entry."""
        if step.of.nvals == 0:
            return None
        whole = is_matrix(step.of) or isinstance(step.of, FullVector)
        of = step.of if whole else as_sparse(self.xp, step.of)  # type: ignore[arg-type]
        return self.to_host(self.reduce_values(step.monoid, of.values.reshape(-1), step.out))[0]

    def inner(self, step: Inner) -> Any:
        """Compute ⊕_k u[k] ⊗ v[k] as a NumPy scalar; None if the vectors share no index."""
        if step.semiring.multiply.positional:
            raise NotSupported(f"{step.semiring.name}: positional operators have no meaning in an inner product")
        types = step.left.type, step.right.type
        f = self.bind_operator(step.semiring.multiply, *types, step.out)
        product = as_sparse(self.xp, merge.intersect(self.xp, step.left, step.right, f, lambda values: values))
        return self.reduce_all(ReduceStep(product, False, step.semiring.add, step.out, None))


def replace_values(of: Storage, values: Array) -> Storage:
    """Return a storage with the structure of `of` and other values."""
    if isinstance(of, CompressedMatrix):
        return CompressedMatrix(of.nrows, of.ncols, of.indptr, of.indices, values)
    return FullMatrix(values) if isinstance(of, FullMatrix) else merge.set_values(of, values)
