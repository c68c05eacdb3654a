"""Translate the expressions of a loop over full vectors: vectors and products get slots, Scalars cells."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphla.language.apply import Apply, Combine, Reduce, Select
from graphla.language.expr import is_operand
from graphla.language.extract import Extract
from graphla.language.products import Ewise, MatMul
from graphla.language.scalars import choose_bound_dtype, choose_scalar_dtype, is_read_later, thunk_dtype
from graphla.planning.degrees import fills_rows
from graphla.planning.full_body import (
    Call,
    Cell,
    Constant,
    Entry,
    EntryAt,
    Fold,
    FullTerm,
    Multiply,
    Presence,
    Product,
    Store,
    Union,
)
from graphla.planning.full_phases import Phases
from graphla.planning.fusion import Unfused
from graphla.planning.plan import make_matvec_step, read_operand
from graphla.planning.steps import MatVec
from graphla.storage import CompressedMatrix, FullVector
from semirings import IndexUnaryOp, Monoid, Semiring, UnaryOp, binary, monoid, unary
from semirings.dtypes import BOOL, DType

MOST_SLOTS, MOST_CONSTANTS, MOST_CELLS = 24, 16, 16
"""The most vectors (with products and intermediate ones), bound numbers and Scalars that a round takes."""


def both(p: Presence, q: Presence) -> Presence:
    """Where both have entries."""
    return q if p is True else p if q is True or p == q else ("and", p, q)


def either(p: Presence, q: Presence) -> Presence:
    """Where one of them has entries."""
    return True if p is True or q is True else p if p == q else ("or", p, q)


def is_static(p: Presence) -> bool:
    """Whether where entries are depends on no value."""
    return p is True or p[0] == "slot" or (p[0] in ("and", "or", "not") and all(map(is_static, p[1:])))


class Reader:
    """Translates expressions: each vector, product and intermediate result gets a slot, each Scalar a cell."""

    def __init__(self, targets: Sequence[Any]) -> None:
        self.targets = {id(target) for target in targets}
        self.vectors: list[Any] = []
        self.storages: list[Any] = []
        self.types: list[DType] = []
        self.sizes: list[int] = []
        self.known: dict[int, int] = {}
        self.kept: list[Any] = []  # what `known` names by its number stays alive
        self.presence: list[Presence | None] = []
        self.numbers: list[tuple[Any, DType]] = []
        self.scalars: list[Any] = []
        self.cells: dict[int, Cell] = {}
        self.cell_types: list[DType] = []
        self.filled: set[int] = set()
        self.products: list[Product] = []
        self.phases = Phases()

    # --- what is numbered

    def add_slot(self, dtype: DType, size: int, presence: Presence | None, vector: Any = None) -> int:
        if dtype.kind == "c":
            raise Unfused("it has complex numbers")
        if not 0 < size < 2**31:
            raise Unfused(f"it has vectors of size {size:,}")
        if len(self.types) == MOST_SLOTS:
            raise Unfused(f"it has more than {MOST_SLOTS} vectors and intermediate results")
        self.types.append(dtype)
        self.sizes.append(size)
        self.vectors.append(vector)
        self.storages.append(None if vector is None else vector._storage)
        self.presence.append(presence)
        return len(self.types) - 1

    def find_slot(self, vector: Any) -> int:
        """Return the slot of a vector, a new one if it has none yet."""
        slot = self.known.get(id(vector))
        if slot is None:
            storage = vector._storage
            full: Presence | None = True if isinstance(storage, FullVector) or storage.nvals == storage.size else None
            slot = self.add_slot(vector.dtype, vector.shape[0], full, vector)
            if full is None and id(vector) not in self.targets:
                self.presence[slot] = ("slot", slot)
            self.known[id(vector)] = slot
            self.kept.append(vector)
        return slot

    def add_number(self, value: Any, dtype: DType) -> Constant:
        if dtype.kind == "c":
            raise Unfused("it has complex numbers")
        if len(self.numbers) == MOST_CONSTANTS:
            raise Unfused(f"it has more than {MOST_CONSTANTS} bound numbers")
        self.numbers.append((value, dtype))
        return Constant(len(self.numbers) - 1, dtype)

    def add_cell(self, dtype: DType, scalar: Any = None) -> Cell:
        if dtype.kind == "c":
            raise Unfused("it has complex numbers")
        if len(self.cell_types) == MOST_CELLS:
            raise Unfused(f"it has more than {MOST_CELLS} Scalars and reductions")
        self.cell_types.append(dtype)
        self.scalars.append(scalar)
        return Cell(len(self.cell_types) - 1, dtype)

    def find_cell(self, scalar: Any) -> Cell:
        cell = self.cells.get(id(scalar))
        if cell is None:
            cell = self.cells[id(scalar)] = self.add_cell(scalar.dtype, scalar)
            self.kept.append(scalar)
            if scalar._number is not None:
                self.filled.add(cell.index)
        return cell

    # --- terms

    def read(self, e: Any) -> tuple[FullTerm, Presence]:
        """Translate an expression of a vector: its term, and where it has entries."""
        if isinstance(e, MatMul):
            return self.read_product(e, e.dtype)
        if isinstance(e, Ewise):
            return self.read_ewise(e)
        if isinstance(e, Apply):
            return self.read_apply(e)
        if isinstance(e, Select):
            term, present = self.read(e.of)
            thunk = choose_scalar_dtype(e.thunk, thunk_dtype(e.op, term.dtype))
            holds = Call(e.op, (term, self.add_number(e.thunk, thunk)), BOOL)
            return term, both(present, ("true", holds))
        if isinstance(e, Extract):
            return self.read_extract(e)
        if is_operand(e) and e.rank == 1:
            slot = self.find_slot(e)
            present = self.presence[slot]
            if present is None:
                raise Unfused("it reads a vector that has no entry in some places before the round writes it")
            return Entry(slot, e.dtype), present
        raise Unfused(f"it has an expression of another kind: {type(e).__name__}")

    def read_product(self, e: MatMul[Any], out: DType) -> tuple[FullTerm, Presence]:
        """Translate a product of a matrix and a vector: a phase of its own, into a slot of its own."""
        if (e.left.rank, e.right.rank) not in ((2, 1), (1, 2)):
            raise Unfused("it has a product of matrices")
        flip = e.left.rank == 1
        A, x = (e.right, e.left) if flip else (e.left, e.right)
        if not is_operand(A):
            raise Unfused("it computes a matrix in each round")
        matrix, transposed = read_operand(A)
        if id(getattr(A, "of", A)) in self.targets or not isinstance(matrix, CompressedMatrix) or not matrix.nvals:
            raise Unfused("its matrix is full, empty or written by the round")
        operand, within = self.read_operand_slot(x, find_neutral(e.semiring, A.dtype, x.dtype, out, flip))
        product = Product(matrix, transposed, e.semiring, out, flip, within)
        step = bind_product(product, FullVector(np.empty(0, x.dtype.numpy)))
        slot = self.add_slot(out, e.shape[0], None)
        self.presence[slot] = True if within is True and fills_rows(matrix, step.transposed) else ("slot", slot)
        self.products.append(product)
        self.phases.add_product(Multiply(len(self.products) - 1, operand, slot))
        return Entry(slot, out), self.presence[slot]

    def read_operand_slot(self, x: Any, neutral: Any) -> tuple[int, Presence]:
        """Return the slot of the vector of a product, and where it has entries; what is an expression is stored first.

        Where it has no entry, `neutral` is stored, if there is such a value.
        """
        (term, present), size = self.read(x), x.shape[0]
        if present is True:
            return (term.slot if isinstance(term, Entry) else self.store_temporary(term, present, size)), True
        if neutral is None or not is_static(present):
            raise Unfused("the vector of a product has no entry in some places")
        slot = self.store_temporary(self.add_number(neutral, term.dtype), True, size)
        self.phases.add(Store(Entry(slot, term.dtype), term, present, True, None, True), size)
        return slot, present

    def store_temporary(self, term: FullTerm, present: Presence, size: int) -> int:
        slot = self.add_slot(term.dtype, size, present)
        self.phases.add(Store(Entry(slot, term.dtype), term, present, True, None, None), size)
        return slot

    def read_ewise(self, e: Ewise[Any]) -> tuple[FullTerm, Presence]:
        (x, has_x), (y, has_y) = self.read(e.left), self.read(e.right)
        if not e.union or (has_x is True and has_y is True):
            return Call(e.op, (x, y), e.dtype), both(has_x, has_y)
        fills = None
        if e.fills is not None:
            fills = self.add_number(e.fills[0], x.dtype), self.add_number(e.fills[1], y.dtype)
        return Union(e.op, x, y, has_x, has_y, fills, e.dtype), either(has_x, has_y)

    def read_apply(self, e: Apply[Any]) -> tuple[FullTerm, Presence]:
        term, present = self.read(e.of)
        if isinstance(e.op, UnaryOp):
            return Call(e.op, (term,), e.dtype), present
        if isinstance(e.op, IndexUnaryOp):
            beside = self.add_number(e.bound, choose_scalar_dtype(e.bound, thunk_dtype(e.op, term.dtype)))
        elif is_read_later(e.bound):
            beside = self.read_scalar(e.bound)
        else:
            beside = self.add_number(e.bound, choose_bound_dtype(e.bound, term.dtype))
        return Call(e.op, (beside, term) if e.bound_left else (term, beside), e.dtype), present

    def read_extract(self, e: Extract[Any]) -> tuple[FullTerm, Presence]:
        """Translate ``x[p]``."""
        if e.of.rank != 1:
            raise Unfused("it takes a part of a matrix")
        of, present = self.read(e.of)
        at = self.read_index(e.index[0])
        if not isinstance(of, Entry):
            of = Entry(self.store_temporary(of, present, e.of.shape[0]), of.dtype)
        inside = present if present is True else ("at", of.slot, at, e.of.shape[0])
        if present is not True and present != ("slot", of.slot):
            raise Unfused("it takes positions of a vector that has no entry in some places")
        return EntryAt(of.slot, of.dtype, at, e.of.shape[0]), inside

    def read_index(self, part: Any) -> FullTerm:
        """Translate the positions of an index, of which each is there."""
        if isinstance(part, int | range):
            raise Unfused("it takes one place, or a range of places, of a vector")
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

    def read_scalar(self, e: Any) -> FullTerm:
        """Translate an expression of one value."""
        if isinstance(e, Reduce):
            return self.read_fold(e.monoid, e.of, e.dtype)
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

    def read_one(self, part: Any, beside: DType) -> FullTerm:
        """Translate an operand of an operator of values: an expression of one value, or a number."""
        if hasattr(part, "_sources"):
            return self.read_scalar(part)
        return self.add_number(part, choose_bound_dtype(part, beside))

    def read_held(self, scalar: Any) -> FullTerm:
        if id(scalar) in self.targets:
            cell = self.find_cell(scalar)
            if cell.index not in self.filled:
                raise Unfused("it reads a Scalar that is empty before the round writes it")
            return cell
        if scalar._number is None:
            raise Unfused("it reads an empty Scalar")
        return self.add_number(scalar._number, scalar.dtype)

    def read_fold(self, monoid: Monoid, of: Any, dtype: DType) -> Cell:
        if of.rank != 1:
            raise Unfused("it reduces a matrix")
        term, present = self.read(of)
        if present is not True:
            raise Unfused("it reduces a vector that has no entry in some places, which may have none")
        cell = self.add_cell(dtype)
        self.phases.add(Fold(cell, term, monoid), of.shape[0])
        return cell


class Positions:
    """An array of positions in the place of a vector."""

    _computed, rank, _sources = True, 1, ()

    def __init__(self, array: Any) -> None:
        self.array, self._storage = array, FullVector(array)
        self.dtype, self.shape = self._storage.type, (int(array.shape[0]),)


def cast(term: FullTerm, dtype: DType) -> FullTerm:
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


def bind_product(product: Product, vector: FullVector) -> MatVec:
    """The step that multiplies with a full vector."""
    made, _ = make_matvec_step(
        product.matrix, product.transposed, vector, product.flip, product.semiring, product.out, None, None
    )
    return made
