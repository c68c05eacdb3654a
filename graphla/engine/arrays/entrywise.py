"""The steps that compute with values: union, intersection, apply, select and reduce."""

from __future__ import annotations

from functools import cache
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
    Plan,
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
from semirings import IndexUnaryOp, Monoid, UnaryOp
from semirings.dtypes import DType, lookup


def combine_full(engine: ArrayOperations, step: EwiseStep) -> FullVector:
    """Compute op of two full vectors."""
    left, right = step.left, step.right
    return FullVector(engine.apply_operator(step.op, (left.values, right.values), (left.type, right.type), step.out))


def are_full(step: EwiseStep) -> bool:
    """Whether a step combines full vectors."""
    return isinstance(step.left, FullVector) and isinstance(step.right, FullVector) and step.at is None


def combine_cells(engine: ArrayOperations, step: EwiseStep) -> Storage:
    """Compute a union or intersection by the keys of cells."""
    left, right = engine.orient(step.left, step.left_transposed), engine.orient(step.right, step.right_transposed)
    x, y = as_cells(engine.xp, left), as_cells(engine.xp, right)
    types = left.type, right.type
    f = engine.bind_operator(step.op, *types, step.out)

    def cast(values: Array) -> Array:
        return engine.cast(values, step.out)

    fills = tuple(map(engine.fill_value, step.fills, types)) if step.fills is not None else None
    if step.at is not None:
        return combine_at(engine, step, x, y, f, cast, fills)
    result = merge.union(engine.xp, x, y, f, cast, fills) if step.union else merge.intersect(engine.xp, x, y, f, cast)
    return from_cells(engine.xp, result, left.shape) if is_matrix(left) else result


def combine_at(
    engine: ArrayOperations, step: EwiseStep, x: VectorStorage, y: VectorStorage, f: Any, cast: Any, fills: Any
) -> VectorStorage:
    """Compute a union or intersection only at the indices of a sparse structural mask."""
    xp, indices = engine.xp, step.at.indices  # type: ignore[union-attr]
    (has_x, vx), (has_y, vy) = look_up(xp, x, indices), look_up(xp, y, indices)
    values = merge.blend(xp, has_x, vx, has_y, vy, f, cast, fills) if step.union else f(vx, vy)
    present = has_x | has_y if step.union else has_x & has_y
    return SparseVector(x.size, indices[present], values[present])


def apply(engine: ArrayOperations, step: ApplyStep) -> Storage:
    of = engine.orient(step.of, step.transposed)
    values = apply_values(engine, of, step.op, step.bound, step.bound_left, step.out)
    if isinstance(of, BitmapVector):  # vectors must not share flags, which may be written in place later
        return BitmapVector(copy_array(of.present), values, of.nvals)
    return replace_values(of, values)


def apply_values(engine: ArrayOperations, of: Storage, op: Any, bound: Any, bound_left: bool, out: DType) -> Array:
    """Apply op to the values of a storage, with a bound scalar or thunk if op takes one."""
    kind = of.type
    if isinstance(op, UnaryOp):
        return engine.apply_operator(op, (of.values,), (kind,), out)
    if isinstance(op, IndexUnaryOp):
        scalar = engine.cast_scalar(bound, thunk_dtype(op, kind))
        return engine.apply_operator(
            op, (of.values, *list_positions(engine, op, of), scalar), (kind, lookup(scalar.dtype)), out
        )
    beside = choose_bound_dtype(bound, kind)
    scalar = make_scalar(beside.numpy)(bound)
    if bound_left:
        return engine.apply_operator(op, (scalar, of.values), (beside, kind), out)
    return engine.apply_operator(op, (of.values, scalar), (kind, beside), out)


@cache
def make_scalar(dtype: str) -> Any:
    """Return the class of NumPy's numbers of a dtype."""
    return np.dtype(dtype).type


def list_positions(engine: ArrayOperations, op: IndexUnaryOp, of: Storage) -> tuple[Array, ...]:
    """Return row and column of each value, or nothing if the operator does not read them."""
    return engine.list_coordinates(of) if op.reads("i") or op.reads("j") else ()


def select(engine: ArrayOperations, step: SelectStep) -> Storage:
    of = engine.orient(step.of, step.transposed)
    flags = apply_values(engine, of, step.op, step.thunk, False, lookup("BOOL")).astype(bool, copy=False)
    if isinstance(of, (BitmapVector, FullVector)):
        present = flags if isinstance(of, FullVector) else of.present & flags
        return BitmapVector(present, copy_array(of.values), count_true(present))
    if isinstance(of, CompressedMatrix):
        return merge.select_flagged_entries(engine.xp, of, flags)
    cells = as_sparse(engine.xp, as_cells(engine.xp, of))
    selected = merge.select_flagged(engine.xp, cells, flags.reshape(-1))
    return from_cells(engine.xp, selected, of.shape) if is_matrix(of) else selected


def reduce(engine: ArrayOperations, step: ReduceStep) -> VectorStorage:
    """Reduce the rows or columns of a matrix with ⊕; an empty row gives no entry."""
    of = engine.orient(step.of, step.transposed != (step.axis == 0))
    if isinstance(of, FullMatrix):
        rows, cols = of.shape
        pointers = engine.xp.arange(0, rows * cols + 1, max(1, cols), dtype="int64")
        if cols == 0:
            return SparseVector(rows, engine.xp.zeros(0, "int32"), engine.xp.zeros(0, step.out.numpy))
        return FullVector(engine.reduce_segments(step.monoid, of.values.reshape(-1), pointers, step.out))
    values = engine.reduce_segments(step.monoid, of.values, of.indptr, step.out)  # type: ignore[union-attr]
    present = engine.xp.diff(of.indptr) > 0  # type: ignore[union-attr]
    return BitmapVector(present, values, count_true(present))


def reduce_all(engine: ArrayOperations, plan: Plan) -> Any:
    """Reduce all entries with ⊕ to a NumPy scalar; None if there is no entry."""
    step: Any = plan.step
    return reduce_values(engine, step.of, step.monoid, step.out)


def reduce_values(engine: ArrayOperations, of: Storage, monoid: Monoid, out: DType) -> Any:
    """Reduce all values of a storage; None if there is none."""
    if of.nvals == 0:
        return None
    whole = is_matrix(of) or isinstance(of, FullVector)
    listed = of if whole else as_sparse(engine.xp, of)  # type: ignore[arg-type]
    return engine.to_host(engine.reduce_values(monoid, listed.values.reshape(-1), out))[0]


def multiply_inner(engine: ArrayOperations, plan: Plan) -> Any:
    """Compute ⊕_k u[k] ⊗ v[k] as a NumPy scalar; None if the vectors share no index."""
    step: Any = plan.step
    if step.semiring.multiply.positional:
        raise NotSupported(f"{step.semiring.name}: positional operators have no meaning in an inner product")
    types = step.left.type, step.right.type
    f = engine.bind_operator(step.semiring.multiply, *types, step.out)
    product = as_sparse(engine.xp, merge.intersect(engine.xp, step.left, step.right, f, lambda values: values))
    return reduce_values(engine, product, step.semiring.add, step.out)


def replace_values(of: Storage, values: Array) -> Storage:
    """Return a storage with the structure of `of` and other values."""
    if isinstance(of, CompressedMatrix):
        return CompressedMatrix(of.nrows, of.ncols, of.indptr, of.indices, values)
    return FullMatrix(values) if isinstance(of, FullMatrix) else merge.set_values(of, values)
