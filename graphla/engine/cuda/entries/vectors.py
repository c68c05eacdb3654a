"""w = u ∪ v or u ∩ v of vectors of which at least one is a bitmap: one kernel, which also counts the entries."""

from __future__ import annotations

from typing import Any

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries.merge import render_operators
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.source import KERNELS
from graphla.planning.steps import EwiseStep
from graphla.storage import Array, BitmapVector, FullVector, SparseVector, VectorStorage
from graphla.storage.formats import as_bitmap
from semirings.dtypes import BOOL

FILE = KERNELS / "entries/vectors.cuh"
THREADS, MOST_BLOCKS = 256, 1 << 12


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
    counter = engine.device.take_counter()
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
        entries=counter.array,
    )
    kernel(min(-(-size // THREADS), MOST_BLOCKS), THREADS, given)
    count = engine.device.read_counters(counter)[0]
    return FullVector(out) if count == size else BitmapVector(present, out, count)


def read_side(engine: KernelEngine, side: Any) -> FullVector | BitmapVector:
    """Return an operand with flags, or full."""
    return side if isinstance(side, FullVector) else as_bitmap(engine.xp, side)


def find_flags(engine: KernelEngine, side: FullVector | BitmapVector) -> Array:
    """Return the flags of an operand; a dummy for a full one."""
    return engine.get_unread("bool") if isinstance(side, FullVector) else side.present
