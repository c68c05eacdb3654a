"""w = u ∪ v or u ∩ v of vectors of which at least one is a bitmap: one kernel, which also counts the entries."""

from __future__ import annotations

from typing import Any

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries.merge import render_operators
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.source import KERNELS
from graphla.planning.steps import EwiseStep, Plan
from graphla.storage import Array, BitmapVector, FullVector, SparseVector, VectorStorage
from graphla.storage.convert import make_full
from graphla.storage.formats import as_best_format, as_bitmap
from semirings import binary
from semirings.dtypes import BOOL

FILE = KERNELS / "entries/vectors.cuh"
THREADS, MOST_BLOCKS = 256, 1 << 12
UNITED_SIZE = 1 << 18
"""Places of a vector that is copied to write a number where a mask has flags: some 30 bytes a place, 8 MB at most.

Of a longer one the entries of the mask are listed, which takes seven launches more."""


MergeVectorsParameters = read_struct("entries/vectors.cuh", "MergeVectorsParameters")


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
    views = ", ".join("Full" if isinstance(side, FullVector) else "Bitmap" for side in (left, right))
    alone = "Passing" if step.fills is None else "Meeting"
    name = f"merge_vectors<{str(step.union).lower()}, {views}, Op, FromLeft, FromRight, {alone}<Op>>"
    kernel = engine.kernel(FILE, name, render_operators(step.op, *types, step.out), takes=MergeVectorsParameters)
    make = engine.xp.zeros if step.out is BOOL else engine.xp.empty  # a truth is always true or false
    present, out = engine.xp.empty(size, bool), make(size, step.out.numpy)
    known = count_known(step.union, left, right)
    counter = engine.device.take_counter() if known is None else None
    left_fill, right_fill = map(engine.fill_value, step.fills or (0, 0), types)
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


def fills_flags(plan: Plan) -> bool:
    """Whether a number is written into a short vector where a mask with flags has entries: ``level(q.S) << d``."""
    step, mask = plan.step, plan.mask
    if mask is None or step.index is not None or plan.accum is not None or plan.replace:  # type: ignore[union-attr]
        return False
    plain = mask.structural and not mask.complement and isinstance(mask.of, BitmapVector)
    return plain and 0 < mask.of.size <= UNITED_SIZE  # type: ignore[union-attr]


def fill_flags(engine: KernelEngine, plan: Plan) -> VectorStorage:
    """Unite a vector and the entries of a mask, all of one value: two launches, and no list of entries."""
    mask: Any = plan.mask
    value = make_full(engine.xp, mask.of.size, plan.step.value, plan.dtype.numpy)  # type: ignore[union-attr]
    entries = BitmapVector(mask.of.present, value, mask.of.nvals)
    step = EwiseStep(plan.target, entries, False, False, binary.second, plan.dtype, True, None, None)  # type: ignore[arg-type]
    return as_best_format(engine.xp, merge_flagged(engine, step))


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
