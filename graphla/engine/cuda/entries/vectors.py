"""w = u ∪ v or u ∩ v of vectors of which at least one is a bitmap: one kernel, which also counts the entries.

Numbers are written into a vector in place.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from graphla.engine.arrays.entrywise import combine_full
from graphla.engine.arrays.write import honours_mask
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries.merge import render_operators
from graphla.engine.cuda.lists import BY_BYTES
from graphla.engine.cuda.matvec.board import Uncounted
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.source import KERNELS
from graphla.planning.steps import EwiseStep, Plan
from graphla.storage import Array, BitmapVector, FullVector, SparseVector, VectorStorage
from graphla.storage.formats import as_best_format, as_bitmap
from semirings.dtypes import BOOL, DType

NAME = "entries/vectors.cuh"
FILE = KERNELS / NAME
THREADS, MOST_BLOCKS = 256, 1 << 12
MOST_FLAGS = 1 << 24
"""A list of entries into which a number is written gets flags, if there are so many at most, which clear in 10 us."""

MergeVectorsParameters = read_struct(NAME, "MergeVectorsParameters")


def are_flagged(step: EwiseStep) -> bool:
    """Whether a step merges vectors index by index: one has flags, and the result is not a short list."""
    kinds = (BitmapVector, FullVector) if not step.union else (BitmapVector, FullVector, SparseVector)
    sides: tuple[Any, Any] = step.left, step.right
    if step.at is not None or not all(isinstance(side, kinds) for side in sides):
        return False
    return not all(isinstance(side, SparseVector) for side in sides) and sides[0].size > 0


def merge_flagged(engine: KernelEngine, step: EwiseStep) -> VectorStorage:
    """Merge two vectors index by index; a full vector has no flags."""
    left, right = (read_side(engine, side) for side in (step.left, step.right))
    types, size = (step.left.type, step.right.type), left.size
    name = name_kernel(step.union, isinstance(left, FullVector), isinstance(right, FullVector), step.fills is None)
    kernel = engine.kernel(FILE, name, render_operators(step.op, *types, step.out), takes=MergeVectorsParameters)
    make = engine.xp.zeros if step.out is BOOL else engine.xp.empty  # a truth is always true or false
    present, out = engine.xp.empty(size, bool), make(size, step.out.numpy)
    known = count_known(step.union, left, right)
    counter = engine.device.take_counter() if known is None else None
    left_fill, right_fill = map(engine.fill_value, step.fills, types) if step.fills else map(get_zero, types)
    given = MergeVectorsParameters(
        has_left=find_flags(engine, left),
        left=left.values,
        has_right=find_flags(engine, right),
        right=right.values,
        left_fill=left_fill,
        right_fill=right_fill,
        size=size,
        present=present,
        out=out,
        entries=engine.get_unread("uint64") if counter is None else counter.array,
    )
    kernel(min(-(-size // THREADS), MOST_BLOCKS), THREADS, given)
    count = known if known is not None else engine.device.read_counters(counter)[0]
    return FullVector(out) if count == size else BitmapVector(present, out, count)


@cache
def name_kernel(union: bool, left_full: bool, right_full: bool, passes: bool) -> str:
    """Name the kernel by which operands are full, and whether an entry that one side has alone passes."""
    views = ", ".join("Full" if full else "Bitmap" for full in (left_full, right_full))
    alone = "Passing" if passes else "Meeting"
    return f"merge_vectors<{str(union).lower()}, {views}, Op, FromLeft, FromRight, {alone}<Op>>"


@cache
def get_zero(dtype: DType) -> Any:
    """Zero as a kernel's argument, for a fill that is not read."""
    return np.zeros(1, dtype.numpy)[0]


def fills_allowed(plan: Plan) -> bool:
    """Whether a number is written into a vector where a mask has entries: ``level(q.S) << d``.

    A target that is a list gets flags, unless it is too long for that.
    """
    step, mask = plan.step, plan.mask
    if mask is None or step.index is not None or plan.accum is not None or plan.replace:  # type: ignore[union-attr]
        return False
    if not mask.structural or mask.complement:
        return False
    listed = isinstance(mask.of, SparseVector) and mask.of.nvals > 0
    fits = not isinstance(plan.target, SparseVector) or plan.target.size <= MOST_FLAGS
    return (listed and fits) or (isinstance(mask.of, BitmapVector) and mask.of.size > 0)


def fill_allowed(engine: KernelEngine, plan: Plan) -> VectorStorage:
    """Write a number where a mask has entries: one launch, by its flags or by its list."""
    target, of = read_side(engine, plan.target), plan.mask.of  # type: ignore[union-attr]
    full, (c, kind) = isinstance(target, FullVector), BY_BYTES[target.values.dtype.itemsize]
    value = np.asarray(plan.step.value, target.values.dtype).reshape(1).view(kind)[0]  # type: ignore[union-attr]
    counter = None if full else engine.device.take_counter()
    added = engine.get_unread("uint64") if counter is None else counter.array
    written, view = (value, find_flags(engine, target), target.values.view(kind), added), "Full" if full else "Bitmap"
    if isinstance(of, SparseVector):
        name, where = f"fill_listed<{view}, {c}, {engine.c_type(of.indices)}>", (of.indices, np.int32(of.nvals))
    else:
        name, where = f"fill_flagged<{view}, {c}>", (of.present, np.int64(of.size))  # type: ignore[union-attr]
    kernel = engine.get_own_kernel(NAME, name)
    kernel(min(-(-int(where[1]) // THREADS), MOST_BLOCKS), THREADS, (*where, *written))
    if isinstance(target, FullVector):
        return FullVector(target.values)
    count = target.nvals + engine.device.read_counters(counter)[0]
    filled = BitmapVector(target.present, target.values, count)
    return filled if count < target.size and isinstance(of, SparseVector) else as_best_format(engine.xp, filled)


def accumulates_into_full(engine: KernelEngine, plan: Plan, result: Any, part: Any) -> bool:
    """Whether entries are combined with those of a full vector: nobody need know how many there are."""
    if part is not None or plan.accum is None or not isinstance(plan.target, FullVector):
        return False
    allowed = plan.mask is None or (honours_mask(plan) and not plan.replace)
    fits = result.type is plan.dtype or result.type.kind == plan.dtype.kind == "f"
    return allowed and fits and plan.target.size > 0


def accumulate_into_full(engine: KernelEngine, plan: Plan, result: Any, part: Any) -> VectorStorage:
    """Combine entries with those of a full vector by one launch, even if the result is still being computed."""
    entries = result.flagged if isinstance(result, Uncounted) else result
    if entries.type is not plan.dtype:
        entries = replace(entries, values=engine.cast(entries.values, plan.dtype))
    step = EwiseStep(plan.target, entries, False, False, plan.accum, plan.dtype, True, None, None)  # type: ignore[arg-type]
    return combine_full(engine, step) if isinstance(entries, FullVector) else merge_flagged(engine, step)


def count_known(union: bool, left: FullVector | BitmapVector, right: FullVector | BitmapVector) -> int | None:
    """Return how many entries the result has where a full operand says so: then nobody waits for the kernel."""
    full = [isinstance(side, FullVector) for side in (left, right)]
    if not any(full):
        return None
    return left.size if union else right.nvals if full[0] else left.nvals


def read_side(engine: KernelEngine, side: Any) -> FullVector | BitmapVector:
    """Return an operand with flags, or full."""
    return side if isinstance(side, FullVector) else as_bitmap(engine.xp, side)


def find_flags(engine: KernelEngine, side: FullVector | BitmapVector) -> Array:
    """Return the flags of an operand; a dummy for a full one."""
    return engine.get_unread("bool") if isinstance(side, FullVector) else side.present
