"""What is written into a target: all of it at once, in place, or cell by cell, C<M, replace> ⊙= T."""

from __future__ import annotations

from typing import Any

from graphla.engine.arrays import merge
from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.arrays.operations import ArrayOperations, is_matrix
from graphla.planning.steps import AssignStep, EwiseStep, MatMat, MatVec, Plan, ScalarStep, Storage
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    Deferred,
    FullMatrix,
    FullVector,
    SparseVector,
    VectorStorage,
)
from graphla.storage.formats import as_best_format, as_cells, from_cells
from semirings.dtypes import DType

VECTORS = FullVector, BitmapVector, SparseVector


def write(engine: ArrayOperations, plan: Plan, result: Storage | Deferred, part: Any = None) -> Storage | Deferred:
    """Write the result of a step, which covers a part of the target (None: all of it)."""
    if is_all_of_target(plan):
        return convert_result(engine, result, plan.dtype)
    for run, when in engine.writes.get(result.__class__, ()):
        if when is None or when(engine, plan, result, part):
            return run(engine, plan, result, part)
    if isinstance(result, Deferred):  # nothing writes it while it is still being computed
        return write(engine, plan, result.resolve(), part)
    raise LookupError(f"no rule writes {result!r}")


def convert_result(engine: ArrayOperations, result: Storage | Deferred, dtype: DType) -> Storage | Deferred:
    """Convert a result that replaces the whole target to the dtype of the target."""
    if result.type is not dtype:
        result = result.resolve() if isinstance(result, Deferred) else result
        result = replace_values(result, engine.cast(result.values, dtype))
    return as_best_format(engine.xp, result) if isinstance(result, VECTORS) else result


def write_cells(engine: ArrayOperations, plan: Plan, result: Storage, part: Any) -> Storage:
    """Write the cells of a result into those of the target."""
    target: Any = plan.target
    t = as_cells(engine.xp, result)
    t = merge.set_values(t, engine.cast(t.values, plan.dtype))
    if not is_new(plan, part):
        t = merge_cells(engine, plan, t, part)
    elif target is None and plan.mask is not None and not honours_mask(plan):
        t = merge.filter_by_mask(engine.xp, t, plan.mask)
    shaped: Any = result if target is None else target
    return from_cells(engine.xp, t, shaped.shape) if is_matrix(shaped) else as_best_format(engine.xp, t)


def is_new(plan: Plan, part: Any) -> bool:
    """Whether no old entry stays, and what the mask allows is known."""
    return plan.target is None or (plan.replace and honours_mask(plan) and plan.accum is None and part is None)


def merge_cells(engine: ArrayOperations, plan: Plan, t: VectorStorage, part: Any) -> VectorStorage:
    """Merge cells, in the dtype of the target, with those of the target."""
    target: Any = plan.target

    def cast(values: Array) -> Array:
        return values

    accumulate = engine.bind_operator(plan.accum, plan.dtype, plan.dtype, plan.dtype) if plan.accum else None
    if fits_in_place(target, t, plan):
        return merge.put(engine.xp, target, filter_by_mask(engine, t, plan), accumulate, cast)  # type: ignore[arg-type]
    cells = as_cells(engine.xp, target)  # type: ignore[arg-type]
    return merge.write(engine.xp, cells, t, plan.mask, accumulate, cast, plan.replace, part)


def accumulate_into_full(engine: ArrayOperations, plan: Plan, result: CompressedMatrix, part: Any) -> FullMatrix:
    """Compute C ⊙= T where C has every entry and T has some."""
    target: Any = plan.target
    values, cells = target.values.copy().reshape(-1), engine.number_cells(result)
    accumulate = engine.bind_operator(plan.accum, plan.dtype, plan.dtype, plan.dtype)  # type: ignore[arg-type]
    values[cells] = accumulate(values[cells], engine.cast(result.values, plan.dtype))
    return FullMatrix(values.reshape(target.shape))


def accumulates_into_full(engine: Any, plan: Plan, result: Any, part: Any) -> bool:
    """Whether a plan accumulates some entries into a full matrix without a mask: then no old entry goes."""
    return isinstance(plan.target, FullMatrix) and plan.accum is not None and plan.mask is None and part is None


def filter_by_mask(engine: ArrayOperations, result: SparseVector, plan: Plan) -> SparseVector:
    """Drop the entries of `result` that the mask does not allow."""
    if plan.mask is None or honours_mask(plan):
        return result
    return merge.filter_by_mask(engine.xp, result, plan.mask)  # type: ignore[return-value]


def is_all_of_target(plan: Plan) -> bool:
    """Whether the result replaces the whole target and no mask remains to be applied."""
    if plan.accum is not None or isinstance(plan.step, AssignStep):
        return False
    if isinstance(plan.step, ScalarStep):
        return plan.step.index is None and plan.mask is None and isinstance(plan.target, VECTORS)
    return plan.mask is None or ((plan.target is None or plan.replace) and honours_mask(plan))


def fits_in_place(target: Storage, result: VectorStorage, plan: Plan) -> bool:
    """Whether sparse entries can be written into a bitmap or full target in place, because no old entry is deleted."""
    if not (isinstance(target, (BitmapVector, FullVector)) and isinstance(result, SparseVector)):
        return False
    if plan.mask is not None and plan.replace:
        return False
    return plan.accum is not None or isinstance(plan.step, ScalarStep)


def honours_mask(plan: Plan) -> bool:
    """Whether the step itself has applied the mask to its result."""
    if isinstance(plan.step, (MatVec, MatMat)):
        return plan.step.mask is not None
    if isinstance(plan.step, EwiseStep):
        return plan.step.at is not None
    return isinstance(plan.step, ScalarStep) and plan.step.index is None
