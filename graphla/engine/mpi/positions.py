"""Operators that read the row and the column of an entry: they get those in the whole, not those in a block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.common.errors import NotSupported
from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.mpi.entries import list_entries
from graphla.engine.mpi.indices import shift
from graphla.language.scalars import thunk_dtype
from graphla.planning.steps import ApplyStep, SelectStep
from graphla.storage import (
    Array,
    BitmapVector,
    DistributedMatrix,
    SparseVector,
)
from graphla.storage.convert import copy_array, count_true, gather, list_true
from graphla.storage.formats import as_bitmap, as_compressed
from semirings import IndexUnaryOp, Semiring, binary
from semirings.dtypes import BOOL, DType, lookup

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks


def reads_positions(op: Any) -> bool:
    """Whether an operator reads the row or the column of an entry."""
    return isinstance(op, IndexUnaryOp) and (op.reads("i") or op.reads("j"))


def apply_with_positions(ranks: Ranks, of: Any, step: ApplyStep) -> Any:
    """Apply an operator to the entries of this rank's part, with their positions in the whole."""
    values = evaluate(ranks, of, step.op, step.bound, step.out)  # type: ignore[arg-type]
    if isinstance(of.part, BitmapVector):
        return BitmapVector(of.part.present.copy(), values, of.part.nvals)
    return replace_values(of.part, values)


def select_with_positions(ranks: Ranks, of: Any, step: SelectStep) -> Any:
    """Select entries of this rank's part by their positions in the whole."""
    xp, part = ranks.xp, of.part
    flags = evaluate(ranks, of, step.op, step.thunk, BOOL).astype(bool, copy=False)
    if isinstance(part, SparseVector):
        chosen = list_true(flags)
        return SparseVector(part.size, gather(part.indices, chosen), gather(part.values, chosen))
    if isinstance(of, DistributedMatrix):
        return ranks.local.select_flagged_rows(as_compressed(xp, part), flags.reshape(-1))
    bitmap = as_bitmap(xp, part)
    present = bitmap.present & flags
    return BitmapVector(present, copy_array(bitmap.values), count_true(present))


def evaluate(ranks: Ranks, of: Any, op: IndexUnaryOp, bound: Any, out: DType) -> Array:
    """Return op(value, i, j, thunk) for each value of this rank's part."""
    scalar = ranks.local.cast_scalar(bound, thunk_dtype(op, of.type))
    operands = (of.part.values.reshape(-1), *list_positions(ranks, of), scalar)
    found = ranks.local.apply_operator(op, operands, (of.type, lookup(scalar.dtype)), out)
    return found.reshape(of.part.values.shape)


def list_positions(ranks: Ranks, of: Any) -> tuple[Array, Array]:
    """Return the global row and column of each value of this rank's part; the columns of a vector are 0."""
    if isinstance(of, DistributedMatrix):
        return list_entries(ranks, of)[:2]
    rows, columns = ranks.local.list_coordinates(of.part)
    return shift(rows, ranks.grid.find_block(of.size)[0]), columns


def replace_positions(ranks: Ranks, semiring: Semiring, left: Any, right: Any) -> tuple[Semiring, Any, Any]:
    """Replace a ⊗ that reads positions by one that reads values, and the values of its operand by the positions."""
    if not semiring.multiply.positional:
        return semiring, left, right
    side, axis, one = parse_positional(semiring.multiply.name)
    chosen = left if side == "first" else right
    held = hold_positions(ranks, chosen, axis, one)
    plain = Semiring(f"{semiring.add.name}_{side}", semiring.add, getattr(binary, side))
    return (plain, held, right) if side == "first" else (plain, left, held)


def parse_positional(name: str) -> tuple[str, str, int]:
    """Return which operand a positional operator reads, row or column of it, and the number that it counts from."""
    one = int(name.endswith("1"))
    word = name.removesuffix("1")
    side, axis = word[:-1], word[-1]
    if side not in ("first", "second") or axis not in "ij":
        raise NotSupported(f"{name} on matrices that are spread over ranks is not written")
    return side, axis, one


def hold_positions(ranks: Ranks, of: Any, axis: str, one: int) -> Any:
    """Return a matrix or vector whose values are the rows (or columns) of its entries."""
    places = list_positions(ranks, of)[0 if axis == "i" else 1]
    values = (shift(places, one) if one else places).reshape(of.part.values.shape)
    part = BitmapVector(of.part.present, values, of.part.nvals) if isinstance(of.part, BitmapVector) else None
    part = replace_values(of.part, values) if part is None else part
    return type(of)(of.shape if isinstance(of, DistributedMatrix) else of.size, part, ranks)
