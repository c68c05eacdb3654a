"""⊕ over segments of values, over the rows of a matrix, and over everything."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matvec.pull import reduce_over_rows
from graphla.planning.steps import Plan, ReduceStep
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullVector, VectorStorage
from semirings import Monoid, Semiring, binary
from semirings.dtypes import DType, lookup

THREADS = 256
STRETCH = 4096
"""Values that one block folds at least."""


@lru_cache(maxsize=1024)
def as_semiring(monoid: Monoid) -> Semiring:
    """⊕.first: its product casts a value into the dtype of the result."""
    return Semiring(monoid.name, monoid, binary.first)


def reduce_segments(engine: KernelEngine, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
    """⊕ of each segment ``values[indptr[i]:indptr[i + 1]]``; the identity where it is empty."""
    segments, given = int(indptr.shape[0]) - 1, lookup(values.dtype)
    result = engine.xp.empty(segments, out.numpy)
    if segments:
        team = choose_team(values.shape[0] / segments)
        kernel = engine.get_kernel_over_semiring(
            "entries/reduce.cuh", f"reduce_segments<S, {team}>", as_semiring(monoid), given, given, out
        )
        pointers = indptr.astype("int64", copy=False)
        kernel(-(-segments * team // THREADS), THREADS, (pointers, values, result, np.int32(segments)))
    return result


def choose_team(length: float) -> int:
    """Lanes to a segment of about this length."""
    return 1 if length <= 4 else 8 if length <= 64 else 32


def reduce_values(
    engine: KernelEngine, monoid: Monoid, values: Array, out: DType, present: Array | None = None
) -> Array:
    """⊕ of all values, or of those with a flag; an array of one."""
    blocks = min(1024, -(-values.shape[0] // STRETCH))
    partial = reduce_stretches(engine, monoid, values, out, blocks, present)
    return partial if blocks == 1 else reduce_stretches(engine, monoid, partial, out, 1, None)


def reduce_stretches(
    engine: KernelEngine, monoid: Monoid, values: Array, out: DType, blocks: int, present: Array | None
) -> Array:
    """⊕ of what falls to each of `blocks` blocks."""
    given = lookup(values.dtype)
    name = f"reduce_stretches<S, {'Full' if present is None else 'Bitmap'}>"
    kernel = engine.get_kernel_over_semiring("entries/reduce.cuh", name, as_semiring(monoid), given, given, out)
    result = engine.xp.empty(blocks, out.numpy)
    flags = engine.get_unread("bool") if present is None else present
    kernel(blocks, THREADS, (values, flags, np.int64(values.shape[0]), result))
    return result


def reduces_flagged(plan: Plan) -> bool:
    """Whether all entries of a bitmap are reduced, of which there are some."""
    step: Any = plan.step
    return isinstance(step.of, BitmapVector) and step.of.nvals > 0 and step.monoid.name != "any"


def reduce_flagged(engine: KernelEngine, plan: Plan) -> Any:
    """⊕ of the entries of a bitmap, as a NumPy scalar. Blocks without an entry give the identity."""
    step: Any = plan.step
    return engine.to_host(reduce_values(engine, step.monoid, step.of.values, step.out, step.of.present))[0]


def reduces_rows(step: ReduceStep) -> bool:
    """Whether each row, or column, of a compressed matrix is reduced."""
    return step.axis is not None and isinstance(step.of, CompressedMatrix)


def reduce_rows(engine: KernelEngine, step: ReduceStep) -> VectorStorage:
    """Reduce each row with ⊕: the matrix times a vector whose values are not read."""
    matrix = engine.orient(step.of, step.transposed != (step.axis == 0))
    kind = matrix.type
    blind = FullVector(engine.xp.zeros(1, kind.numpy))
    folded: Any = reduce_over_rows(engine, matrix, blind, as_semiring(step.monoid), step.out, flip=False, mask=None)
    return folded  # a storage already: every place of the vector has an entry, so nothing is left to count
