"""Translate the expressions of a loop over arrays of fixed size: containers and products get slots, Scalars cells."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphla.language.apply import Apply, Combine, Reduce, Select
from graphla.language.expr import is_operand
from graphla.language.extract import Extract
from graphla.language.operand import Transposed
from graphla.language.products import Ewise, MatMul
from graphla.language.scalars import choose_bound_dtype, choose_thunk_dtype, is_read_later, thunk_dtype
from graphla.planning.degrees import fills_rows
from graphla.planning.few_rows import FEW_ROWS
from graphla.planning.loops.kernel import Unfused
from graphla.planning.loops.rounds_body import (
    Call,
    Cell,
    Constant,
    Entry,
    EntryAt,
    Fold,
    FullTerm,
    Layout,
    Multiply,
    Presence,
    Product,
    SlotMask,
    Store,
    Union,
)
from graphla.planning.loops.rounds_phases import Phases, list_cells
from graphla.planning.plan import can_join, make_matvec_step, read_operand
from graphla.planning.steps import Direction, MatVec
from graphla.storage import CompressedMatrix, FullMatrix, FullVector
from semirings import IndexUnaryOp, Monoid, Semiring, UnaryOp, binary, monoid, unary
from semirings.dtypes import BOOL, INT64, UINT64, DType

MOST_SLOTS, MOST_CONSTANTS, MOST_CELLS = 24, 16, 16
"""The most vectors (with products and intermediate ones), bound numbers and Scalars that a round takes."""

MOST_CELLS_EACH = 2**30
"""Fewer cells than that are numbered by an int of four bytes, and queued by 30 bits."""


def both(p: Presence, q: Presence) -> Presence:
    """Where both have entries."""
    return q if p is True else p if q is True or p == q else ("and", p, q)


def either(p: Presence, q: Presence) -> Presence:
    """Where one of them has entries."""
    return True if p is True or q is True else p if p == q else ("or", p, q)


class NeedsFlags(Unfused):
    """A container needs flags that a round writes: where its entries are changes from round to round."""

    def __init__(self, container: Any, why: str) -> None:
        super().__init__(why)
        self.container = container


def has_few_rows(shape: tuple[int, ...]) -> bool:
    """Whether the vertices of a matrix are its columns, and not its rows."""
    return len(shape) == 2 and shape[0] < shape[1]


def is_full(storage: Any) -> bool:
    """Whether a storage has every entry."""
    if isinstance(storage, CompressedMatrix):
        return storage.nvals == storage.nrows * storage.ncols
    return isinstance(storage, FullVector | FullMatrix) or storage.nvals == storage.size


def is_vector_first(e: MatMul[Any]) -> bool:
    """Whether the vector of a product, or the matrix of few rows in its place, stands before the matrix."""
    return e.left.rank == 1 or (e.left.rank == e.right.rank == 2 and e.shape[0] <= e.shape[1])


def choose_layout(shape: tuple[int, ...]) -> Layout:
    """Where the entries of a container stand.

    Raises
    ------
    Unfused
        If its cells are too many for a thread each.
    """
    layout = Layout(max(shape), min(shape)) if len(shape) == 2 else Layout(shape[0])
    if layout.width > FEW_ROWS:
        raise Unfused(
            f"it computes with a {shape[0]:,} × {shape[1]:,} matrix, which has neither few rows nor few columns: how "
            "many entries it has after a round is not known ahead"
        )
    if 0 in shape or layout.cells >= MOST_CELLS_EACH:
        raise Unfused(f"it has a container of shape {shape}")
    return layout


class Reader:
    """Translates expressions: each container, product and intermediate result gets a slot, each Scalar a cell.

    Parameters
    ----------
    targets : sequence
        What the body writes.
    flagged : set of int or None
        The `id` of each container with flags that a round writes; None if there are none at all.
    """

    def __init__(self, targets: Sequence[Any], flagged: set[int] | None = None) -> None:
        self.targets = {id(target) for target in targets}
        self.with_flags = flagged or set[int]()
        self.may_flag = flagged is not None
        self.flagged: set[int] = set()  # slots whose flags a round writes
        self.changing: set[int] = set()  # those of them where that gives other flags in each round
        self.vectors: list[Any] = []
        self.storages: list[Any] = []
        self.types: list[DType] = []
        self.layouts: list[Layout] = []
        self.shapes: list[tuple[int, ...]] = []
        self.known: dict[int, int] = {}
        self.kept: list[Any] = []  # what `known` names by its number stays alive
        self.presence: list[Presence | None] = []
        self.numbers: list[tuple[Any, DType]] = []
        self.scalars: list[Any] = []
        self.valid: dict[int, int] = {}
        self.read_cells: set[int] = set()
        self.cells: dict[int, Cell] = {}
        self.cell_types: list[DType] = []
        self.filled: set[int] = set()
        self.products: list[Product] = []
        self.phases = Phases()

    # --- what is numbered

    def is_static(self, p: Presence) -> bool:
        """Whether where entries are is the same in each round."""
        if p is True or p[0] == "slot":
            return p is True or p[1] not in self.changing
        return p[0] in ("and", "or", "not") and all(map(self.is_static, p[1:]))

    def add_slot(self, dtype: DType, shape: tuple[int, ...], presence: Presence | None, vector: Any = None) -> int:
        """Add a slot; with ``("flags",)`` for `presence` it has flags that a round writes."""
        if dtype.kind == "c":
            raise Unfused("it has complex numbers")
        if len(self.types) == MOST_SLOTS:
            raise Unfused(f"it has more than {MOST_SLOTS} vectors and intermediate results")
        slot = len(self.types)
        self.layouts.append(choose_layout(shape))
        self.types.append(dtype)
        self.shapes.append(shape)
        self.vectors.append(vector)
        self.storages.append(None if vector is None else vector._storage)
        self.presence.append(("slot", slot) if presence == ("flags",) else presence)
        if presence == ("flags",):
            self.flagged.add(slot)
            self.changing.add(slot)
        return slot

    def find_slot(self, vector: Any) -> int:
        """Return the slot of a container, a new one if it has none yet."""
        slot = self.known.get(id(vector))
        if slot is None:
            full = self.find_presence(vector)
            slot = self.add_slot(vector.dtype, vector.shape, full, vector)
            if full is None and id(vector) not in self.targets:
                self.presence[slot] = ("slot", slot)
            self.known[id(vector)] = slot
            self.kept.append(vector)
        return slot

    def find_presence(self, vector: Any) -> Presence | None:
        """Return where a container has entries before the loop; None if that is not everywhere."""
        if id(vector) in self.with_flags:
            return ("flags",)
        return True if is_full(vector._storage) else None

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

    def read_container(self, e: Any) -> tuple[FullTerm, Presence]:
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
    ) -> tuple[FullTerm, Presence]:
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
        return self.add_product(product, e.shape, operand, fills_rows(matrix, product.rows_are_k), mask)

    def add_product(
        self, product: Product, shape: tuple[int, ...], operand: int, filled: bool, mask: Presence
    ) -> tuple[FullTerm, Presence]:
        """Add a product; `filled` says that each of its rows meets an entry of the matrix."""
        entries = product.flagged or self.layouts[operand].width > 1
        closed = self.read_slot_mask(mask, shape) if entries and self.may_flag else None
        if product.flagged or closed is not None:
            presence: Any = ("flags",)
        else:
            presence = True if product.within is True and filled else None
        slot = self.add_slot(product.out, shape, presence)
        if presence is None:
            self.presence[slot] = ("slot", slot)
            self.flagged |= {slot} if entries else set[int]()
        self.products.append(product)
        self.phases.add_product(Multiply(len(self.products) - 1, operand, slot, entries, closed))
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
        self.phases.add(Store(Entry(slot, BOOL), true, inside, True, None, None, flags=True), choose_layout(shape))
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
            self.phases.add(Store(Entry(slot, term.dtype), term, present, True, None, True), choose_layout(shape))
            return slot, present
        if not self.may_flag:
            raise Unfused("the vector of a product has no entry in some places")
        if not isinstance(term, Entry) or present != ("slot", term.slot):
            slot = self.store_temporary(term, present, shape, flags=True)
            return slot, ("slot", slot)
        return term.slot, present

    def store_temporary(self, term: FullTerm, present: Presence, shape: tuple[int, ...], *, flags: bool = False) -> int:
        """Store a term in a slot of its own: with flags, if where it has entries may change before it is read."""
        flags = flags or not self.is_static(present)
        slot = self.add_slot(term.dtype, shape, ("flags",) if flags else present)
        step = Store(Entry(slot, term.dtype), term, present, True, None, None, flags=flags)
        self.phases.add(step, choose_layout(shape))
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
            beside = self.read_thunk(e.bound, e.op, term.dtype)
        elif is_read_later(e.bound):
            beside = self.require_value(self.read_scalar(e.bound))
        else:
            beside = self.add_number(e.bound, choose_bound_dtype(e.bound, term.dtype))
        operands = (beside, term) if e.bound_left else (term, beside)
        return Call(e.op, operands, e.dtype, find_vertices(e)), present

    def read_thunk(self, thunk: Any, op: IndexUnaryOp, dtype: DType) -> FullTerm:
        """Translate what entries of `dtype` are compared with."""
        kind = choose_thunk_dtype(thunk, op, dtype)
        if not is_read_later(thunk):
            return self.add_number(thunk, kind)
        if UINT64 in (thunk.dtype, thunk_dtype(op, dtype)):
            raise Unfused("it compares UINT64, of which INT64 holds a part, with a Scalar")
        return cast(self.require_value(self.read_scalar(thunk)), kind)

    def read_extract(self, e: Extract[Any]) -> tuple[FullTerm, Presence]:
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

    def read_index(self, part: Any) -> FullTerm:
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

    def read_scalar(self, e: Any) -> FullTerm:
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
            if cell.index not in self.valid:
                self.read_cells.add(cell.index)
            return cell
        if scalar._number is None:
            raise Unfused("it reads an empty Scalar")
        return self.add_number(scalar._number, scalar.dtype)

    def require_value(self, term: FullTerm) -> FullTerm:
        """Refuse a value that may be missing where each entry needs it."""
        if any(index in self.valid for index in list_cells(term)):
            raise Unfused("it computes with a Scalar that may be empty")
        return term

    def read_fold(self, monoid: Monoid, of: Any, dtype: DType, or_identity: bool = False) -> Cell:
        term, present = self.read(of)
        if present is not True and not self.may_flag:
            raise Unfused("it reduces a vector that has no entry in some places, which may have none")
        cell = self.add_cell(dtype)
        self.phases.add(Fold(cell, term, monoid, present), choose_layout(of.shape))
        if present is not True and not or_identity:
            self.valid[cell.index] = self.count_entries(present, of.shape).index
        return cell

    def count_entries(self, present: Presence, shape: tuple[int, ...]) -> Cell:
        """Return the cell that counts entries."""
        cell = self.add_cell(INT64)
        self.phases.add(Fold(cell, self.add_number(1, INT64), monoid.plus, present), choose_layout(shape))
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
