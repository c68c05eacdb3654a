"""Fuse the recorded body of a loop over full vectors into one `FullPlan`, or say why it cannot be. A pure function."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from graphla.language.apply import Apply, Combine, Reduce, Select
from graphla.language.expr import is_operand
from graphla.language.extract import Extract
from graphla.language.index import resolve_index
from graphla.language.products import Ewise, MatMul
from graphla.language.scalars import choose_bound_dtype, choose_scalar_dtype, is_read_later, thunk_dtype
from graphla.planning.degrees import fills_rows
from graphla.planning.full_body import (
    Call,
    Cell,
    Constant,
    Entry,
    EntryAt,
    Finish,
    Fold,
    FullBody,
    FullPlan,
    FullTerm,
    Map,
    Multiply,
    Phase,
    Presence,
    Product,
    RoundNumber,
    Scatter,
    SetCell,
    Store,
    Union,
)
from graphla.planning.fusion import Unfused
from graphla.planning.plan import can_join, choose_product_dtype, make_matvec_step, read_operand
from graphla.planning.steps import MatVec
from graphla.storage import CompressedMatrix, FullVector
from semirings import IndexUnaryOp, Monoid, Semiring, UnaryOp, binary, unary
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


class Phases:
    """Collects the phases of a round: statements join the last map unless they need what it has not finished."""

    def __init__(self) -> None:
        self.done: list[Phase] = []
        self.begin()

    def begin(self) -> None:
        self.size = 0
        self.steps: list[Any] = []
        self.cells: list[SetCell] = []
        self.reads, self.gathers, self.writes = set[int](), set[int](), set[int]()
        self.scattered, self.pending = set[int](), set[int]()

    def add(self, step: Store | Scatter | Fold, size: int) -> None:
        """Add a statement at each index below `size`."""
        reads, gathers, cells = find_uses(step)
        out = step.out.slot if isinstance(step, Store) else None
        scattered = step.out.slot if isinstance(step, Scatter) else None
        if self.steps and (size != self.size or gathers & self.writes or out in self.gathers):
            self.flush()
        touched = reads | gathers | ({out} if out is not None else set[int]())
        if touched & self.scattered or scattered in self.reads | self.gathers | self.writes | self.scattered:
            self.flush()
        if cells & self.pending:
            self.flush()
        self.size = size
        self.steps.append(step)
        self.reads |= reads
        self.gathers |= gathers
        self.writes |= {out} if out is not None else set()
        self.scattered |= {scattered} if scattered is not None else set()
        self.pending |= {step.cell.index} if isinstance(step, Fold) else set()

    def set_cell(self, step: SetCell) -> None:
        """Set a cell once the folds of the last map are complete."""
        self.cells.append(step)
        self.pending.add(step.cell.index)

    def add_product(self, step: Multiply) -> None:
        self.flush()
        self.done.append(step)

    def flush(self, *, ends: bool = False) -> None:
        """End the last map."""
        if self.steps:
            self.done.append(Map(self.size, tuple(self.steps)))
        folds = tuple(step for step in self.steps if isinstance(step, Fold))
        if folds or self.cells or ends:
            self.done.append(Finish(folds, tuple(self.cells), ends))
        self.begin()


class FullFusion:
    """Translates statements: each vector, product and intermediate result gets a slot, each Scalar a cell."""

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
        if not size:
            raise Unfused("its vectors have no places")
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
        operand = self.read_operand_slot(x)
        step = bind_product(Product(matrix, transposed, e.semiring, out, flip), FullVector(np.empty(0, x.dtype.numpy)))
        slot = self.add_slot(out, e.shape[0], None)
        self.presence[slot] = True if fills_rows(matrix, step.transposed) else ("slot", slot)
        self.products.append(Product(matrix, transposed, e.semiring, out, flip))
        self.phases.add_product(Multiply(len(self.products) - 1, operand, slot))
        return Entry(slot, out), self.presence[slot]

    def read_operand_slot(self, x: Any) -> int:
        """Return the slot of the vector of a product; what is an expression is stored first."""
        term, present = self.read(x)
        if present is not True:
            raise Unfused("the vector of a product has no entry in some places")
        return term.slot if isinstance(term, Entry) else self.store_temporary(term, present, x.shape[0])

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

    # --- statements

    def write(self, update: Any, value: Any) -> None:
        """Translate a statement."""
        if update.out.rank == 2:
            raise Unfused("it writes a matrix")
        if update.out.rank == 0:
            self.write_cell(update, value)
        elif getattr(update, "input_mask", None) is not None or update.direction == "push":
            raise Unfused("it asks for a push, or for an input mask")
        elif update.index is None:
            self.write_vector(update, value)
        else:
            self.write_places(update, value)

    def write_cell(self, update: Any, value: Any) -> None:
        cell = self.find_cell(update.out)
        term = self.read_value(value, cell.dtype)
        if not keeps_values(term.dtype, cell.dtype):
            raise Unfused(f"it writes {term.dtype} into a Scalar of {cell.dtype}, which may not hold it")
        if update.accum is not None:
            if cell.index not in self.filled:
                raise Unfused("it accumulates into a Scalar that is empty")
            term = Call(update.accum, (cell, cast(term, cell.dtype)), cell.dtype)
        self.phases.set_cell(SetCell(cell, term))
        self.filled.add(cell.index)

    def read_value(self, value: Any, dtype: DType) -> FullTerm:
        """Translate one value that is written: an expression, the number of the round, or a number."""
        if hasattr(value, "now"):
            return RoundNumber(dtype)
        return self.read_scalar(value) if is_read_later(value) else self.add_number(value, dtype)

    def write_vector(self, update: Any, value: Any) -> None:
        out, accum = self.find_slot(update.out), update.accum
        dtype, size, before = self.types[out], self.sizes[out], self.presence[out]
        if is_read_later(value) or not hasattr(value, "_sources"):
            term, present = self.read_value(value, dtype), True
            if not keeps_values(term.dtype, dtype):
                raise Unfused(f"it writes a Scalar of {term.dtype} into entries of {dtype}, which may not hold it")
        elif isinstance(value, MatMul):
            term, present = self.read_product(value, choose_product_dtype(value, dtype))
        else:
            term, present = self.read(value)
        mask = True if update.mask is None else self.read_mask(update.mask)
        after = self.find_presence_after(update, mask, before, present)
        if not is_static(after):
            raise Unfused("where a vector has entries changes from round to round")
        if out in gathered_by(term):
            term = Entry(self.store_temporary(term, present, size), term.dtype)
        self.phases.add(Store(Entry(out, dtype), term, present, mask, accum, before), size)
        self.presence[out] = after

    def find_presence_after(self, update: Any, mask: Presence, before: Presence | None, present: Presence) -> Presence:
        """Return where the target has entries after a statement."""
        if update.replace and mask is not True:
            raise Unfused("it removes entries (replace)")
        if update.accum is None and mask is True:
            return present
        if before is None:
            raise Unfused("it writes to a part of a vector that has no entry in some places")
        if before is True and (update.accum is not None or present is True):
            return True
        if update.accum is not None and mask is True:
            return either(before, present)
        raise Unfused("where a vector has entries changes from round to round")

    def read_mask(self, mask: Any) -> Presence:
        """Translate a mask into where it holds."""
        term, present = self.read(mask.of)
        inside = present if mask.structural else both(present, ("true", term))
        if mask.complement:
            return ("not", inside) if inside is not True else ("not", True)
        return inside

    def write_places(self, update: Any, value: Any) -> None:
        """Translate ``x(accum)[p] << y``."""
        accum = update.accum
        if accum is None or accum.monoid is None or update.mask is not None:
            raise Unfused("it assigns to a part of a vector without the operator of a monoid, or under a mask")
        out = self.find_slot(update.out)
        if self.presence[out] is not True:
            raise Unfused("it assigns to a part of a vector that has no entry in some places")
        index = update.index[0] if isinstance(update.index, tuple) else update.index
        if getattr(index, "rank", None) != 1:
            index = resolve_index(index, update.out.shape)[0]
        if not hasattr(value, "_sources") or value.rank != 1:
            raise Unfused("it assigns one value to a part of a vector")
        at = self.read_index(index)
        size = value.shape[0]
        if size != (index.shape[0] if hasattr(index, "shape") else len(index)):
            raise Unfused("an index and its values differ in size")
        term, present = self.read(value)
        dtype = self.types[out]
        if not can_join(Semiring(accum.name, accum.monoid, binary.first), dtype):
            raise Unfused(f"entries of {dtype} cannot be joined in one place")
        if out in {slot for slot, _ in list_reads(term)} | {slot for slot, _ in list_reads(at)}:
            self.phases.flush()  # what reads the target runs before: positions and values are stored first
            term = Entry(self.store_temporary(term, present, size), term.dtype)
            at = Entry(self.store_temporary(at, True, size), at.dtype)
        place = EntryAt(out, dtype, at, self.sizes[out])
        self.phases.add(Scatter(place, term, present, accum.monoid), size)

    # --- the round

    def take_phases(self, goes_on: Cell | None, condition: Any, *, ends: bool) -> tuple[Phase, ...]:
        """Ask whether another round is to run, and return the phases so far."""
        if goes_on is not None:
            self.phases.set_cell(SetCell(goes_on, cast(self.read_scalar(condition), BOOL)))
        self.phases.flush(ends=ends)
        done, self.phases = tuple(self.phases.done), Phases()
        return done

    def require_same_presence(self) -> None:
        """Refuse a round that begins with an entry everywhere and ends without."""
        for vector, storage, present in zip(self.vectors, self.storages, self.presence, strict=True):
            if vector is not None and storage.nvals == storage.size and present is not True:
                raise Unfused("a vector that is full before the loop loses entries in a round")


class Positions:
    """An array of positions in the place of a vector."""

    _computed, rank, _sources = True, 1, ()

    def __init__(self, array: Any) -> None:
        self.array, self._storage = array, FullVector(array)
        self.dtype, self.shape = self._storage.type, (int(array.shape[0]),)


def keeps_values(given: DType, wanted: DType) -> bool:
    """Whether every value of a dtype is one of the other, or rounds to one."""
    return bool(np.can_cast(given.numpy, wanted.numpy, "safe")) or (given.kind == wanted.kind == "f")


def cast(term: FullTerm, dtype: DType) -> FullTerm:
    """A term converted to another dtype."""
    return term if term.dtype == dtype else Call(unary.identity, (term,), dtype)


def list_reads(term: Any) -> Iterator[tuple[int, bool]]:
    """The slots that a term, or where it has entries, reads, and whether at a position of its own."""
    if isinstance(term, Entry):
        yield term.slot, False
    elif isinstance(term, EntryAt):
        yield term.slot, True
        yield from list_reads(term.at)
    elif isinstance(term, Call):
        for part in term.of:
            yield from list_reads(part)
    elif isinstance(term, Union):
        for part in (term.left, term.right, term.has_left, term.has_right):
            yield from list_reads(part)
    elif isinstance(term, tuple):
        yield from list_presence_reads(term)


def list_presence_reads(p: Any) -> Iterator[tuple[int, bool]]:
    if p[0] == "at":
        yield from list_reads(p[2])
    elif p[0] != "slot":  # whose flags no round writes
        for part in p[1:]:
            yield from list_reads(part)


def list_cells(term: Any) -> Iterator[int]:
    """The cells that a term reads."""
    if isinstance(term, Cell):
        yield term.index
    parts: Any = ()
    if isinstance(term, Call):
        parts = term.of
    elif isinstance(term, Union):
        parts = term.left, term.right, term.has_left, term.has_right
    elif isinstance(term, EntryAt):
        parts = (term.at,)
    elif isinstance(term, tuple):
        parts = term[1:]
    for part in parts:
        yield from list_cells(part)


def list_parts(step: Store | Scatter | Fold) -> tuple[Any, ...]:
    """The terms that a statement reads, and where they have entries."""
    if isinstance(step, Fold):
        return (step.term,)
    if isinstance(step, Scatter):
        return step.term, step.present, step.out.at
    return step.term, step.present, step.mask, *([step.out] if step.accum is not None else [])


def find_uses(step: Store | Scatter | Fold) -> tuple[set[int], set[int], set[int]]:
    """The slots that a statement reads at i, those that it reads at other positions, and the cells."""
    parts = list_parts(step)
    found = [each for part in parts for each in list_reads(part)]
    gathers = {slot for slot, elsewhere in found if elsewhere}
    return (
        {slot for slot, elsewhere in found if not elsewhere},
        gathers,
        {c for part in parts for c in list_cells(part)},
    )


def gathered_by(term: FullTerm) -> set[int]:
    """The slots that a term reads at other positions."""
    return {slot for slot, elsewhere in list_reads(term) if elsewhere}


def bind_product(product: Product, vector: FullVector) -> MatVec:
    """The step that multiplies with a full vector."""
    made, _ = make_matvec_step(
        product.matrix, product.transposed, vector, product.flip, product.semiring, product.out, None, None
    )
    return made


def fuse_full(statements: Sequence[Any], condition: Any, limit: int) -> tuple[FullPlan, FullFusion]:
    """Build the plan of a loop over recorded statements; return it with the vectors and Scalars that it numbers.

    Raises
    ------
    Unfused
        If a round could not be the same launches each time: a vector gains or loses entries, or a statement computes
        with matrices.
    """
    fusion = FullFusion([s.update.out for s in statements])
    goes_on = None if condition is None else fusion.add_cell(BOOL)
    start = () if goes_on is None else fusion.take_phases(goes_on, condition, ends=False)
    for s in statements:
        fusion.write(s.update, s.value)
    body_round = fusion.take_phases(goes_on, condition, ends=True)
    fusion.require_same_presence()
    written = tuple(
        (slot, fusion.presence[slot])
        for slot, vector in enumerate(fusion.vectors)
        if vector is not None and id(vector) in fusion.targets
    )
    body = FullBody(
        tuple(fusion.types),
        tuple(fusion.cell_types),
        start,
        body_round,
        None if goes_on is None else goes_on.index,
        tuple(dtype for _, dtype in fusion.numbers),
    )
    plan = FullPlan(
        body,
        tuple(fusion.storages),
        tuple(fusion.sizes),
        written,
        tuple(fusion.numbers),
        tuple(None if scalar is None else scalar._number for scalar in fusion.scalars),
        tuple(fusion.products),
        limit,
        sum(size * (dtype.bits // 8 + 1) for size, dtype in zip(fusion.sizes, fusion.types, strict=True)),
    )
    return plan, fusion
