"""C<M, replace> ⊙= T of matrices by rows: unions, and what lies inside or outside a mask or a part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphla.engine.arrays.engine import honours_mask
from graphla.engine.arrays.extract import to_positions
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries import extract, merge, select
from graphla.planning.steps import Mask, Plan
from graphla.storage import Array, CompressedMatrix
from graphla.storage.formats import as_compressed
from semirings import binary
from semirings.dtypes import BOOL


@dataclass(frozen=True, eq=False)
class Part:
    """The rows and columns of a target that an assignment covers, as flags."""

    rows: Array
    columns: Array


def write(
    engine: KernelEngine, target: CompressedMatrix, result: CompressedMatrix, plan: Plan, part: Part | None
) -> CompressedMatrix:
    """Z = C ⊙ T, or T beside what the assignment does not cover; then Z where the mask allows, else C."""
    union, dtype = merge.union, plan.dtype
    if plan.accum is not None:
        z = union(engine, target, result, plan.accum, dtype)
    elif part is not None:
        z = union(engine, select.select_outside(engine, target, part.rows, part.columns), result, binary.second, dtype)
    else:
        z = result
    if plan.mask is None:
        return z
    mask, complement = mask_rows(engine, plan.mask), plan.mask.complement
    if not (z is result and honours_mask(plan)):
        z = merge.within(engine, z, mask, complement)
    if plan.replace:
        return z
    return union(engine, merge.within(engine, target, mask, not complement), z, binary.first, dtype)


def allowed(engine: KernelEngine, result: CompressedMatrix, plan: Plan) -> CompressedMatrix:
    """The entries of a new matrix that the mask lets through."""
    if plan.mask is None or honours_mask(plan):
        return result
    return merge.within(engine, result, mask_rows(engine, plan.mask), plan.mask.complement)


def mask_rows(engine: KernelEngine, mask: Mask) -> CompressedMatrix:
    """The entries of a mask that count: all, or those whose value is true."""
    matrix = as_compressed(engine.xp, mask.of)  # type: ignore[arg-type]
    return matrix if mask.structural else select.select_flagged(engine, matrix, engine.cast(matrix.values, BOOL))


def assign(
    engine: KernelEngine, source: CompressedMatrix, index: tuple[Any, Any], shape: tuple[int, int]
) -> tuple[CompressedMatrix, Part]:
    """The entries of `source` at their places in a target of that shape, and the part that they cover."""
    xp = engine.xp
    (rows, row_order), (columns, column_order) = (in_order(xp, part) for part in index)
    if row_order is not None or column_order is not None:
        every = map(range, source.shape)
        orders = zip((row_order, column_order), every, strict=True)
        source = extract.part(engine, source, *(all_of if order is None else order for order, all_of in orders))
    lengths = xp.zeros(shape[0] + 1, "int64")
    lengths[rows + 1] = xp.diff(source.indptr)
    pointers = xp.cumsum(lengths, dtype=source.indptr.dtype)
    moved = CompressedMatrix(*shape, pointers, columns[source.indices].astype("int32"), source.values)
    return moved, Part(flags(xp, rows, shape[0]), flags(xp, columns, shape[1]))


def in_order(xp: Any, index: Any) -> tuple[Array, Array | None]:
    """The positions of an index in rising order, and the permutation that puts them there (None: they are)."""
    places = to_positions(xp, index)
    if extract.rises(index, places):
        return places, None
    order = xp.argsort(places)
    return places[order], order


def flags(xp: Any, places: Array, size: int) -> Array:
    """True at some places."""
    raised = xp.zeros(size, bool)
    raised[places] = True
    return raised
