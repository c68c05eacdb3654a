"""What is written into a CSR matrix, row by row: over it, beside it, or under a mask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.arrays.operations import ArrayOperations
from graphla.engine.arrays.rows import Part, are_rows
from graphla.engine.arrays.write import honours_mask
from graphla.planning.steps import CopyStep, Mask, Plan
from graphla.storage import Array, CompressedMatrix
from graphla.storage.convert import cast_indices
from graphla.storage.formats import as_compressed, list_rows

MANY_TIMES = 16
"""Rows of a target, relative to those that are few, from which writing only the changed ones pays."""
ALL_ALLOWED = object()
"""In the place of a part: the result has an entry wherever the mask allows one, and nowhere else."""


def write_new_rows(engine: ArrayOperations, plan: Plan, result: CompressedMatrix, part: Any) -> CompressedMatrix:
    """Make a new matrix of the entries that the mask allows."""
    t: Any = replace_values(result, engine.cast(result.values, plan.dtype))
    return t if plan.mask is None or honours_mask(plan) else keep_allowed(engine, t, plan.mask)


def makes_rows(engine: Any, plan: Plan, result: Any, part: Any) -> bool:
    """Whether a plan makes a new matrix of rows."""
    return plan.target is None and are_rows(result)


def writes_rows(engine: Any, plan: Plan, result: Any, part: Any) -> bool:
    """Whether a plan writes rows into rows."""
    return are_rows(result, plan.target)


def write_rows(engine: ArrayOperations, plan: Plan, result: CompressedMatrix, part: Any) -> CompressedMatrix:
    """Z = C ⊙ T, or T beside what the assignment does not cover; then Z where the mask allows, else C."""
    target: Any = plan.target
    result = replace_values(result, engine.cast(result.values, plan.dtype))  # type: ignore[assignment]
    if part is ALL_ALLOWED:
        return write_all_allowed(engine, target, result, plan)
    if part is not None and part.places is not None:
        return write_few_rows(engine, target, result, plan, part.places, part)
    if part is None and changes_few_rows(engine, target, plan):
        places = cast_indices(list_rows(as_compressed(engine.xp, plan.mask.of)), "int64")  # type: ignore[union-attr, arg-type]
        return write_few_rows(engine, target, result, plan, places, None)
    if part is None and engine.overlays and is_its_mask(plan) and target.nvals:
        return write_all_allowed(engine, target, result, plan)
    return write_all_rows(engine, target, result, plan, part)


def writes_alone(engine: ArrayOperations, rows: int, plan: Plan) -> bool:
    """Whether the rows of a part are written alone, and those between them copied."""
    plain = plan.mask is None and plan.accum is None and not engine.copies_between
    return rows <= engine.few_rows and keeps_other_rows(plan) and not plain


def changes_few_rows(engine: ArrayOperations, target: CompressedMatrix, plan: Plan) -> bool:
    """Whether a mask has so few entries that most rows of the target stay as they are."""
    mask = plan.mask
    if mask is None or mask.complement or plan.replace or not are_rows(mask.of):
        return False
    if target.nrows + target.nvals < engine.walks_at_once:
        return False
    return mask.of.nvals <= engine.few_rows and target.nrows >= MANY_TIMES * engine.few_rows


def write_all_allowed(
    engine: ArrayOperations, target: CompressedMatrix, result: CompressedMatrix, plan: Plan
) -> CompressedMatrix:
    """Write entries that are all of those that the mask allows: what else there is in C is outside the mask."""
    if plan.replace and plan.accum is None:
        return result
    if plan.accum is None:
        return engine.overlay_rows(target, result, plan.dtype)
    z = engine.unite_rows(target, result, plan.accum, plan.dtype)
    return engine.filter_rows(z, result, False) if plan.replace else z


def write_all_rows(
    engine: ArrayOperations, target: CompressedMatrix, result: CompressedMatrix, plan: Plan, part: Part | None
) -> CompressedMatrix:
    if plan.accum is not None and plan.mask is not None and not plan.replace:
        allowed = result if honours_mask(plan) else keep_allowed(engine, result, plan.mask)
        return engine.unite_rows(target, allowed, plan.accum, plan.dtype)
    z = combine_with_target(engine, target, result, plan, part)
    if plan.mask is None:
        return z
    mask, complement = engine.list_mask(plan.mask), plan.mask.complement
    replaces, within = plan.replace or target.nvals == 0, z is result and honours_mask(plan)
    if replaces:
        return z if within else engine.filter_rows(z, mask, complement)
    return engine.write_under_mask(target, z, mask, plan, within)


def write_few_rows(
    engine: ArrayOperations,
    target: CompressedMatrix,
    result: CompressedMatrix,
    plan: Plan,
    places: Array,
    inner: Part | None,
) -> CompressedMatrix:
    """Write only the rows at some places, whose part `inner` is assigned; copy those between them.

    Of an assignment the result has these rows alone.
    """
    all_columns = range(target.ncols)
    old = engine.extract_part(target, places, all_columns)
    new = result if inner is not None else engine.extract_part(result, places, all_columns)
    mask = plan.mask
    if mask is not None:
        mask = replace(mask, of=engine.extract_part(as_compressed(engine.xp, mask.of), places, all_columns))  # type: ignore[arg-type]
    return engine.splice_rows(target, places, write_all_rows(engine, old, new, replace(plan, mask=mask), inner))


def combine_with_target(
    engine: ArrayOperations, target: CompressedMatrix, result: CompressedMatrix, plan: Plan, part: Part | None
) -> CompressedMatrix:
    """Z = C ⊙ T with an accumulator; without one T, and the entries of C that the assignment does not cover."""
    if plan.accum is not None:
        return engine.unite_rows(target, result, plan.accum, plan.dtype)
    if part is None:
        return result
    return engine.replace_part(target, result, part, plan.dtype)


def keep_allowed(engine: ArrayOperations, matrix: CompressedMatrix, mask: Mask) -> CompressedMatrix:
    """Return the entries that the mask allows."""
    return engine.filter_rows(matrix, engine.list_mask(mask), mask.complement)


def is_its_mask(plan: Plan) -> bool:
    """Whether the plan is ``C(A.S) << A``: the result has every entry that the mask allows."""
    step, mask = plan.step, plan.mask
    if mask is None or mask.complement or not mask.structural or not isinstance(step, CopyStep):
        return False
    return mask.of is step.of and not step.transposed


def keeps_other_rows(plan: Plan) -> bool:
    """Whether an assignment changes no row beside those that it covers: with `replace` a mask deletes everywhere."""
    return not (plan.replace and plan.mask is not None)
