"""The steps that compute with entries by kernels of the CPU, and when they do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from graphla.engine.arrays import merge as by_arrays
from graphla.engine.arrays.assign import make_region_test
from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.arrays.extract import to_positions
from graphla.engine.arrays.rearrange import lists_entries
from graphla.engine.arrays.rows import are_rows
from graphla.engine.arrays.work import find_line
from graphla.engine.arrays.write import VECTORS, fits_in_place, honours_mask, is_new, write
from graphla.engine.cpu.entries import beside_full, extract, kronecker, merge, select, vectors
from graphla.planning.steps import ApplyStep, EwiseStep, ExtractStep, KroneckerStep, Plan, Storage
from graphla.storage import BitmapVector, CompressedMatrix, FullMatrix, FullVector, SparseVector, VectorStorage
from graphla.storage.convert import make_full
from graphla.storage.formats import as_best_format, as_compressed
from semirings import IndexUnaryOp

MASKED_FIRST = 8
"""An operand with so many times the entries of a mask is cut down to the mask before it is combined."""


def list_large(plan: Plan) -> list[str]:
    """Name the operands that have far more entries than the mask."""
    step: Any = plan.step
    most = MASKED_FIRST * plan.mask.of.nvals  # type: ignore[union-attr]
    sides = (("left", step.left), ("right", step.right))
    return [name for name, of in sides if are_rows(of) and of.nvals > most]


def has_large(plan: Plan) -> bool:
    """Whether a mask of few entries leaves out most entries of an operand."""
    mask = plan.mask
    return mask is not None and not mask.complement and are_rows(mask.of) and bool(list_large(plan))


def combine_allowed(engine: Any, plan: Plan) -> Any:
    """Run an element-wise step without those entries of its operands that the mask leaves out."""
    step: Any = plan.step
    allowed, changed = engine.list_mask(plan.mask), dict[str, Any]()
    for name in list_large(plan):
        of = engine.orient(getattr(step, name), getattr(step, f"{name}_transposed"))
        changed |= {name: merge.filter_by(of, allowed, False), f"{name}_transposed": False}
    few = replace(step, **changed)
    return write(engine, plan, engine.compute(few))


def intersect_full(engine: Any, step: EwiseStep) -> CompressedMatrix:
    """Intersect a full matrix and a compressed one."""
    left, right = engine.orient(step.left, step.left_transposed), engine.orient(step.right, step.right_transposed)
    return beside_full.intersect(engine, left, right, step.op, step.out)


def are_lists(step: EwiseStep) -> bool:
    """Whether a step unites two lists of entries."""
    plain = step.union and step.at is None and step.fills is None
    return plain and isinstance(step.left, SparseVector) and isinstance(step.right, SparseVector)


def unite_lists(engine: Any, step: EwiseStep) -> VectorStorage:
    """Unite two lists of entries."""
    return merge.unite_vectors(step.left, step.right, step.op, step.out)  # type: ignore[arg-type]


def are_flagged(step: EwiseStep) -> bool:
    """Whether a step merges vectors index by index: not both are full, and the result is not a short list."""
    left, right = step.left, step.right
    if not isinstance(left, VECTORS) or step.at is not None or step.fills is not None:
        return False
    if isinstance(left, FullVector) and isinstance(right, FullVector):
        return False
    return step.union or not (isinstance(left, SparseVector) or isinstance(right, SparseVector))


def merge_flagged(engine: Any, step: EwiseStep) -> VectorStorage:
    """Merge two vectors index by index."""
    combine = vectors.unite if step.union else vectors.intersect
    return combine(step.left, step.right, step.op, step.out)  # type: ignore[arg-type]


def reads_positions(step: ApplyStep) -> bool:
    """Whether an operator reads the positions of entries of rows."""
    op = step.op
    return isinstance(op, IndexUnaryOp) and are_rows(step.of) and (op.reads("i") or op.reads("j"))


def apply_with_positions(engine: Any, step: ApplyStep) -> Storage:
    """Apply an operator to the values and positions of entries."""
    of = engine.orient(step.of, step.transposed)
    return replace_values(of, select.evaluate(engine, of, step.op, step.bound, step.out))  # type: ignore[arg-type]


def is_line(step: ExtractStep) -> bool:
    """Whether a step extracts a whole row or a whole column of rows."""
    return are_rows(step.of) and find_line(step) is not None


def extract_line(engine: Any, step: ExtractStep) -> VectorStorage:
    """Return a whole row or column as a vector."""
    of: Any = step.of
    row, column = step.index[::-1] if step.transposed else step.index
    return extract.extract_row(of, row) if find_line(step) == "row" else extract.extract_column(of, column)


def are_full(step: KroneckerStep) -> bool:
    """Whether both operands are full."""
    return isinstance(step.left, FullMatrix) and isinstance(step.right, FullMatrix)


def multiply_full_runs(engine: Any, step: KroneckerStep) -> FullMatrix:
    """Compute the Kronecker product of full matrices."""
    a, b = engine.orient(step.left, step.left_transposed), engine.orient(step.right, step.right_transposed)
    return kronecker.multiply_full(step.op, a, b, step.out)


def are_all_rows(step: KroneckerStep) -> bool:
    """Whether both operands are rows, or full."""
    return all(isinstance(of, FullMatrix) or are_rows(of) for of in (step.left, step.right))


def multiply_runs(engine: Any, step: KroneckerStep) -> CompressedMatrix:
    """Compute the Kronecker product of rows."""
    a, b = engine.orient(step.left, step.left_transposed), engine.orient(step.right, step.right_transposed)
    return kronecker.multiply(step.op, as_compressed(np, a), as_compressed(np, b), step.out)


def fills_flags(plan: Plan) -> bool:
    """Whether the mask of a vector has flags, by which a kernel chooses what is written."""
    step: Any = plan.step
    if plan.mask is None or step.index is not None or plan.replace or not isinstance(plan.target, VECTORS):
        return False
    return not lists_entries(plan.mask)


def fill_flags(engine: Any, plan: Plan) -> Any:
    """Write one value where the mask allows it; no list of places is made."""
    target: Any = plan.target
    step: Any = plan.step
    return write(engine, plan, FullVector(make_full(np, target.size, step.value, plan.dtype.numpy)))


def fills_places(plan: Plan) -> bool:
    """Whether one value is written to places of a vector with flags, which need not be sorted."""
    step: Any = plan.step
    return step.index is not None and plan.mask is None and isinstance(plan.target, (BitmapVector, FullVector))


def fill_places(engine: Any, plan: Plan) -> Any:
    """Write one value to places of a vector."""
    step: Any = plan.step
    size = plan.target.size  # type: ignore[union-attr]
    places = to_positions(np, step.index[0])
    entries = SparseVector(size, places, make_full(np, places.shape[0], step.value, plan.dtype.numpy))
    return write(engine, plan, entries, make_region_test(np, step.index, (size,)))


def puts_entries(engine: Any, plan: Plan, result: Any, part: Any) -> bool:
    """Whether a list of entries is written in place."""
    return fits_in_place(plan.target, result, plan)  # type: ignore[arg-type]


def put_entries(engine: Any, plan: Plan, result: SparseVector, part: Any) -> Any:
    """Write a list of entries in place."""
    mask = None if honours_mask(plan) else plan.mask
    t: Any = by_arrays.set_values(result, engine.cast(result.values, plan.dtype))
    return as_best_format(np, vectors.put(plan.target, t, plan.accum, plan.dtype, mask))  # type: ignore[arg-type]


def writes_vector(engine: Any, plan: Plan, result: Any, part: Any) -> bool:
    """Whether a vector is written over another one, of which some entries stay."""
    return part is None and isinstance(plan.target, VECTORS) and not is_new(plan, part)


def write_vector(engine: Any, plan: Plan, result: VectorStorage, part: Any) -> Any:
    """Write a vector over another one by one kernel."""
    t = by_arrays.set_values(result, engine.cast(result.values, plan.dtype))
    return as_best_format(np, vectors.write(plan.target, t, plan.accum, plan.dtype, plan.mask, plan.replace))  # type: ignore[arg-type]
