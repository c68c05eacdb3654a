"""Unions, intersections and writes of vectors by one kernel each, where NumPy would walk over all flags several times.

A vector that is written into changes in place, unless it is a list of entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.memory import require_large
from graphla.engine.arrays import merge
from graphla.engine.arrays.lookup import expand_mask
from graphla.engine.cpu.entries.merge import compile_merge
from graphla.engine.cpu.threads import run_over_range
from graphla.planning.steps import Mask
from graphla.storage import Array, BitmapVector, FullVector, SparseVector, VectorStorage
from graphla.storage.convert import cast_indices, choose_index_dtype
from graphla.storage.formats import as_bitmap, as_flagged
from semirings import BinaryOp, binary
from semirings.dtypes import DType

NO_FLAGS = np.zeros(1, bool)
NO_MASK = False, NO_FLAGS, True
"""What `read_flags` gives where there is no mask."""
ALL_FLAGS = np.ones(1 << 12, bool)
"""Flags of short full vectors, which are read and not written."""
NO_INDICES = np.zeros(0, "int32")


def unite(left: VectorStorage, right: VectorStorage, op: BinaryOp, out: DType) -> VectorStorage:
    """Compute op where both have an entry; elsewhere take the entry that there is."""
    return combine(compile_merge("flags", op, left.type, right.type, out).unite, left, right, out)


def intersect(left: VectorStorage, right: VectorStorage, op: BinaryOp, out: DType) -> VectorStorage:
    """Compute op where both have an entry."""
    return combine(compile_merge("flags", op, left.type, right.type, out).intersect, left, right, out)


def combine(kernel: Any, left: VectorStorage, right: VectorStorage, out: DType) -> VectorStorage:
    """Run a kernel over the flags and values of two vectors."""
    require_large(left.size * (1 + out.bits // 8), "a vector of {:,} places", left.size)
    one, other = read_entries(left), read_entries(right)
    present, values = np.empty(left.size, bool), np.empty(left.size, out.numpy)
    given = one.present, one.values, other.present, other.values, present, values
    return as_flagged(present, values, sum(run_over_range(kernel, left.size, *given)))


def put(
    target: BitmapVector | FullVector, result: SparseVector, accum: BinaryOp | None, dtype: DType, mask: Mask | None
) -> BitmapVector | FullVector:
    """Write entries into a vector where the mask allows it; no entry is deleted."""
    if mask is not None and isinstance(mask.of, SparseVector):
        result, mask = merge.filter_by_mask(np, result, mask), None  # type: ignore[assignment]
    full, values = isinstance(target, FullVector), target.values
    present = NO_FLAGS if full else target.present  # type: ignore[union-attr]
    kernel = compile_merge("flags", accum or binary.second, dtype, dtype, dtype).put
    given = full, present, values, result.indices, result.values, *read_flags(mask, target.size)
    count = sum(run_over_range(kernel, result.nvals, *given))
    return FullVector(values) if full else BitmapVector(present, values, target.nvals + count)  # type: ignore[arg-type]


def write(
    target: VectorStorage, result: VectorStorage, accum: BinaryOp | None, dtype: DType, mask: Mask | None, replace: bool
) -> VectorStorage:
    """Compute C<M, replace> ⊙= T; T has the dtype of C."""
    if isinstance(target, SparseVector) and isinstance(result, SparseVector):
        return write_lists(target, result, accum, dtype, mask, replace)
    new, kernels = read_entries(result), compile_merge("flags", accum or binary.second, dtype, dtype, dtype)
    allowed = read_flags(mask, target.size)
    if isinstance(target, FullVector) and (accum is not None or new.nvals == target.size) and not (mask and replace):
        run_over_range(kernels.overlay, target.size, target.values, new.present, new.values, *allowed)
        return FullVector(target.values)
    old, kernel = as_bitmap(np, target), kernels.write
    how = *allowed, replace, accum is not None
    given = old.present, old.values, new.present, new.values, *how
    return BitmapVector(old.present, old.values, sum(run_over_range(kernel, target.size, *given)))


def write_lists(
    target: SparseVector,
    result: SparseVector,
    accum: BinaryOp | None,
    dtype: DType,
    mask: Mask | None,
    replace: bool,
) -> SparseVector:
    """Compute C<M, replace> ⊙= T of two lists of entries."""
    room, kind = target.nvals + result.nvals, choose_index_dtype(target.size)
    indices, values = np.empty(room, kind), np.empty(room, dtype.numpy)
    listed = mask is not None and isinstance(mask.of, SparseVector)
    allowed = list_true(mask) if mask is not None and listed else NO_INDICES
    masked, flags, _ = read_flags(None if listed else mask, target.size)
    keep = mask is None or not mask.complement
    kernel = compile_merge("flags", accum or binary.second, dtype, dtype, dtype).write_lists
    count = kernel(
        cast_indices(target.indices, kind), target.values, cast_indices(result.indices, kind), result.values,
        listed, cast_indices(allowed, kind), masked, flags, keep, replace, accum is not None, indices, values,
    )  # fmt: skip
    return SparseVector(target.size, indices[:count], values[:count])


def read_entries(vector: VectorStorage) -> BitmapVector:
    """Return flags and values that are read alone."""
    if isinstance(vector, FullVector) and vector.size <= ALL_FLAGS.shape[0]:
        return BitmapVector(ALL_FLAGS[: vector.size], vector.values, vector.size)
    return as_bitmap(np, vector)


def list_true(mask: Mask) -> Array:
    """List where a mask has entries that count: all, or those whose value is true."""
    of: Any = mask.of
    return of.indices if mask.structural else of.indices[of.values != 0]


def read_flags(mask: Mask | None, size: int) -> tuple[bool, Array, bool]:
    """Convert a mask to (whether there is one, flags, the flag that allows an index)."""
    if mask is None:
        return NO_MASK
    of: Any = mask.of
    if isinstance(of, BitmapVector) and mask.structural:
        flags = of.present
    elif isinstance(of, SparseVector):
        flags = np.zeros(size, bool)
        flags[list_true(mask)] = True
    else:
        flags = expand_mask(np, Mask(of, mask.structural, False), size)
    return True, flags, not mask.complement
