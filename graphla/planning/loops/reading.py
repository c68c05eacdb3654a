"""Read the expressions of a recorded body: what they compute at a cell, and where they have entries."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from typing import Any

from graphla.language.apply import Apply, Combine, Reduce, Select
from graphla.language.expr import is_operand
from graphla.language.extract import Extract
from graphla.language.operand import Transposed
from graphla.language.products import Ewise, MatMul
from graphla.language.scalars import choose_bound_dtype, choose_thunk_dtype, is_read_later, thunk_dtype
from graphla.planning.degrees import fills_rows
from graphla.planning.loops.key import is_vector_first
from graphla.planning.loops.slots import NeedsFlags, Slots, Unfused, both, choose_layout, either, has_few_rows
from graphla.planning.loops.terms import (
    Call,
    Cell,
    Entry,
    EntryAt,
    Fold,
    Multiply,
    Presence,
    Product,
    SlotMask,
    Store,
    Term,
    Union,
)
from graphla.planning.loops.uses import list_cells
from graphla.planning.plan import can_join, read_operand
from graphla.planning.steps import Direction
from graphla.storage import CompressedMatrix, FullVector
from semirings import IndexUnaryOp, Monoid, Semiring, UnaryOp, binary, monoid, unary
from semirings.dtypes import BOOL, INT64, UINT64, DType


class Reader(Slots):
    """Reads expressions."""

    def read(self, e: Any) -> tuple[Term, Presence]:
        """Translate an expression of a vector or a matrix: its term, and where it has entries."""
        if isinstance(e, MatMul):
            return self.read_product(e, e.dtype)
        if isinstance(e, Ewise):
            return self.read_ewise(e)
        if isinstance(e, Apply):
            return self.read_apply(e)
        if isinstance(e, Select):
            term, present = self.read(e.of)
            holds = Call(e.op, (term, self.read_thunk(e.thunk, e.op, term.dtype)), BOOL, find_vertices(e))
            return term, both(present, ("true", holds))
        if isinstance(e, Extract):
            return self.read_extract(e)
        if isinstance(e, Positions) or (is_operand(e) and e.rank):
            return self.read_container(e)
        raise Unfused(f"it has an expression of another kind: {type(e).__name__}")

    def read_container(self, e: Any) -> tuple[Term, Presence]:
        """Translate a vector, a matrix of few rows or few columns, or its transpose, whose cells are the same."""
        held = e.of if isinstance(e, Transposed) else e
        if held is not e and e.shape[0] == e.shape[1]:
            raise Unfused("it transposes a square matrix")
        slot = self.find_slot(held)
        present = self.presence[slot]
        if present is None:
            raise NeedsFlags(held, "it reads a vector that has no entry in some places before the round writes it")
        return Entry(slot, e.dtype), present

    def read_product(
        self, e: MatMul[Any], out: DType, mask: Presence = True, direction: Direction | None = None
    ) -> tuple[Term, Presence]:
        """Translate a product with a sparse matrix: a phase of its own, into a slot of its own.

        Cells where `mask` does not hold need no result.
        """
        flip = is_vector_first(e)
        A, x = (e.right, e.left) if flip else (e.left, e.right)
        if A.rank != 2:
            raise Unfused("it has an inner product of vectors")
        if not is_operand(A):
            raise Unfused("it computes a matrix in each round")
        matrix, transposed = read_operand(A)
        if id(getattr(A, "of", A)) in self.targets or not isinstance(matrix, CompressedMatrix) or not matrix.nvals:
            raise Unfused("its matrix is full, empty or written by the round")
        if x.rank == 2 and (has_few_rows(x.shape) != flip or has_few_rows(e.shape) != flip):
            raise Unfused(
                f"it multiplies to a {e.shape[0]:,} × {e.shape[1]:,} matrix, which has not few rows or columns"
            )
        if not can_join(e.semiring, out):
            raise Unfused(f"entries of {out} cannot be joined in one place")
        neutral = find_neutral(e.semiring, A.dtype, x.dtype, out, flip) if x.rank == 1 else None
        operand, within = self.read_operand_slot(x, neutral)
        product = Product(
            matrix, transposed, e.semiring, out, flip, x.dtype, within, within == ("slot", operand), direction
        )
        return self.add_product(product, e.shape, operand, mask)

    def add_product(
        self, product: Product, shape: tuple[int, ...], operand: int, mask: Presence
    ) -> tuple[Term, Presence]:
        """Add a product."""
        entries = product.flagged or self.layouts[operand].width > 1
        closed = self.read_slot_mask(mask, shape) if entries and self.may_flag else None
        if product.flagged or closed is not None:
            presence: Any = ("flags",)
        else:
            filled = product.within is True and fills_rows(product.matrix, product.rows_are_k)
            presence = True if filled else None
        slot = self.add_slot(product.out, shape, presence)
        if presence is None:
            self.presence[slot] = ("slot", slot)
            self.flagged |= {slot} if entries else set[int]()
        self.products.append(product)
        self.add(Multiply(len(self.products) - 1, operand, slot, entries, closed))
        return Entry(slot, product.out), self.presence[slot]

    def read_slot_mask(self, mask: Presence, shape: tuple[int, ...]) -> SlotMask | None:
        """Return a mask as flags of a slot; what computes where it holds is stored first."""
        if mask is True:
            return None
        complement, inside = (mask[0] == "not", mask[1] if mask[0] == "not" else mask)
        if inside is True:
            return None
        if inside[0] == "slot":
            return SlotMask(inside[1], complement)
        slot = self.add_slot(BOOL, shape, ("flags",))
        true = self.add_number(True, BOOL)
        self.add(Store(Entry(slot, BOOL), true, inside, True, None, None, flags=True), choose_layout(shape))
        return SlotMask(slot, complement)

    def read_operand_slot(self, x: Any, neutral: Any) -> tuple[int, Presence]:
        """Return the slot of the vector of a product, and where it has entries; what is an expression is stored first.

        Where it has no entry, `neutral` is stored, if there is such a value.
        """
        (term, present), shape = self.read(x), x.shape
        if present is True:
            return (term.slot if isinstance(term, Entry) else self.store_temporary(term, present, shape)), True
        if neutral is not None and self.is_static(present):
            slot = self.store_temporary(self.add_number(neutral, term.dtype), True, shape)
            self.add(Store(Entry(slot, term.dtype), term, present, True, None, True), choose_layout(shape))
            return slot, present
        if not self.may_flag:
            raise Unfused("the vector of a product has no entry in some places")
        if not isinstance(term, Entry) or present != ("slot", term.slot):
            slot = self.store_temporary(term, present, shape, flags=True)
            return slot, ("slot", slot)
        return term.slot, present

    def store_temporary(self, term: Term, present: Presence, shape: tuple[int, ...], *, flags: bool = False) -> int:
        """Store a term in a slot of its own: with flags, if where it has entries may change before it is read."""
        flags = flags or not self.is_static(present)
        slot = self.add_slot(term.dtype, shape, ("flags",) if flags else present)
        step = Store(Entry(slot, term.dtype), term, present, True, None, None, flags=flags)
        self.add(step, choose_layout(shape))
        return slot

    def read_ewise(self, e: Ewise[Any]) -> tuple[Term, Presence]:
        (x, has_x), (y, has_y) = self.read(e.left), self.read(e.right)
        if not e.union or (has_x is True and has_y is True):
            return Call(e.op, (x, y), e.dtype), both(has_x, has_y)
        fills = None
        if e.fills is not None:
            fills = self.add_number(e.fills[0], x.dtype), self.add_number(e.fills[1], y.dtype)
        return Union(e.op, x, y, has_x, has_y, fills, e.dtype), either(has_x, has_y)

    def read_apply(self, e: Apply[Any]) -> tuple[Term, Presence]:
        term, present = self.read(e.of)
        if isinstance(e.op, UnaryOp):
            return Call(e.op, (term,), e.dtype), present
        if isinstance(e.op, IndexUnaryOp):
            beside = self.read_thunk(e.bound, e.op, term.dtype)
        elif is_read_later(e.bound):
            beside = self.require_value(self.read_scalar(e.bound))
        else:
            beside = self.add_number(e.bound, choose_bound_dtype(e.bound, term.dtype))
        operands = (beside, term) if e.bound_left else (term, beside)
        return Call(e.op, operands, e.dtype, find_vertices(e)), present

    def read_thunk(self, thunk: Any, op: IndexUnaryOp, dtype: DType) -> Term:
        """Translate what entries of `dtype` are compared with."""
        kind = choose_thunk_dtype(thunk, op, dtype)
        if not is_read_later(thunk):
            return self.add_number(thunk, kind)
        if UINT64 in (thunk.dtype, thunk_dtype(op, dtype)):
            raise Unfused("it compares UINT64, of which INT64 holds a part, with a Scalar")
        return cast(self.require_value(self.read_scalar(thunk)), kind)

    def read_extract(self, e: Extract[Any]) -> tuple[Term, Presence]:
        """Translate ``x[p]``."""
        if e.of.rank != 1:
            raise Unfused("it takes a part of a matrix")
        of, present = self.read(e.of)
        at = self.read_index(e.index[0])
        if not isinstance(of, Entry):
            of = Entry(self.store_temporary(of, present, e.of.shape), of.dtype)
            present = self.presence[of.slot]
        inside = present if present is True else ("at", of.slot, at, e.of.shape[0])
        if present is not True and present != ("slot", of.slot):
            raise Unfused("it takes positions of a vector that has no entry in some places")
        return EntryAt(of.slot, of.dtype, at, e.of.shape[0]), inside

    def read_index(self, part: Any) -> Term:
        """Translate the positions of an index, of which each is there."""
        if not hasattr(part, "_sources"):
            part = self.wrap_positions(part)
        at, present = self.read(part)
        if present is not True:
            raise Unfused("a vector of positions has no entry in some places")
        return at

    def wrap_positions(self, places: Any) -> Any:
        """An array of positions as a vector."""
        known = next((held for held in self.kept if getattr(held, "array", None) is places), None)
        if known is None:
            known = Positions(places)
            self.kept.append(known)
        return known

    def read_scalar(self, e: Any) -> Term:
        """Translate an expression of one value."""
        if isinstance(e, Reduce):
            return self.read_fold(e.monoid, e.of, e.dtype, e.or_identity)
        if isinstance(e, MatMul):
            if e.semiring.multiply.positional:
                raise Unfused("it has a positional operator")
            inner = Ewise(e.left, e.right, e.semiring.multiply, False)
            return self.read_fold(e.semiring.add, inner, e.dtype)
        if isinstance(e, Combine):
            own = next(part.dtype for part in e.operands if hasattr(part, "_sources"))
            return Call(e.op, tuple(self.read_one(part, own) for part in e.operands), e.dtype)
        if is_operand(e) and not e.rank:
            return self.read_held(e)
        raise Unfused(f"it has an expression of one value of another kind: {type(e).__name__}")

    def read_one(self, part: Any, beside: DType) -> Term:
        """Translate an operand of an operator of values: an expression of one value, or a number."""
        if hasattr(part, "_sources"):
            return self.read_scalar(part)
        return self.add_number(part, choose_bound_dtype(part, beside))

    def read_held(self, scalar: Any) -> Term:
        if id(scalar) in self.targets:
            cell = self.find_cell(scalar)
            if cell.index not in self.filled:
                raise Unfused("it reads a Scalar that is empty before the round writes it")
            if cell.index not in self.valid:
                self.read_cells.add(cell.index)
            return cell
        if scalar._number is None:
            raise Unfused("it reads an empty Scalar")
        return self.add_number(scalar._number, scalar.dtype)

    def require_value(self, term: Term) -> Term:
        """Refuse a value that may be missing where each entry needs it."""
        if any(index in self.valid for index in list_cells(term)):
            raise Unfused("it computes with a Scalar that may be empty")
        return term

    def read_fold(self, monoid: Monoid, of: Any, dtype: DType, or_identity: bool = False) -> Cell:
        term, present = self.read(of)
        if present is not True and not self.may_flag:
            raise Unfused("it reduces a vector that has no entry in some places, which may have none")
        cell = self.add_cell(dtype)
        self.add(Fold(cell, term, monoid, present), choose_layout(of.shape))
        if present is not True and not or_identity:
            self.valid[cell.index] = self.count_entries(present, of.shape).index
        return cell

    def count_entries(self, present: Presence, shape: tuple[int, ...]) -> Cell:
        """Return the cell that counts entries."""
        cell = self.add_cell(INT64)
        self.add(Fold(cell, self.add_number(1, INT64), monoid.plus, present), choose_layout(shape))
        return cell


class Positions:
    """An array of positions in the place of a vector."""

    _computed, rank, _sources = True, 1, ()

    def __init__(self, array: Any) -> None:
        self.array, self._storage = array, FullVector(array)
        self.dtype, self.shape = self._storage.type, (int(array.shape[0]),)


def find_vertices(e: Any) -> bool | None:
    """Whether the vertices of a matrix are its columns; None of a vector."""
    return has_few_rows(e.shape) if e.rank == 2 else None


def cast(term: Term, dtype: DType) -> Term:
    """A term converted to another dtype."""
    return term if term.dtype == dtype else Call(unary.identity, (term,), dtype)


def find_neutral(semiring: Semiring, matrix: DType, vector: DType, out: DType, flip: bool) -> Any:
    """The value of a vector that adds nothing to a product, whatever it meets; None if it is not known.

    Where ⊗ gives the operand from the vector, that is the identity of ⊕; and zero in sums of whole multiples.
    """
    passes = semiring.multiply is (binary.first if flip else binary.second)
    if semiring.add is monoid.plus and (passes or (semiring.multiply is binary.times and matrix.kind in "biu")):
        return 0
    return semiring.add.identity(out) if passes and vector == out and not semiring.add.is_any else None
