"""What the engines share to run a loop over arrays of fixed size: the arrays of its slots, and what it leaves."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Any, ClassVar

from graphla.planning.loops.key import is_full
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.loops.slots import has_few_rows
from graphla.planning.loops.terms import Layout, Multiply, Presence, Product
from graphla.planning.plan import make_matvec_step
from graphla.planning.steps import MatVec
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    Deferred,
    FullMatrix,
    FullVector,
    MatrixStorage,
)
from graphla.storage.convert import count_true, raise_flags, scatter
from graphla.storage.deferred import UncheckedBitmap
from graphla.storage.formats import as_bitmap, from_cells, list_row_ids
from graphla.storage.records import get_dtype_name
from semirings import any_pair
from semirings.dtypes import BOOL


@dataclass(frozen=True, eq=False)
class Cells(Deferred):
    """A matrix of few rows or few columns as a loop leaves it, which is compressed when it is read.

    Attributes
    ----------
    values, flags : array
        The value of each cell of `layout`, and whether it is an entry.
    nvals : int
        Entries.
    """

    counted: ClassVar[bool] = True
    values: Array
    flags: Array
    layout: Layout
    shape: tuple[int, int]
    nvals: int
    xp: Any

    @property
    def size(self) -> int:  # type: ignore[override]
        return self.shape[0] * self.shape[1]

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return get_dtype_name(self.values.dtype)

    def resolve(self) -> MatrixStorage:
        rows = order_cells(self.values, self.layout, self.shape)
        if self.nvals == self.size:
            return FullMatrix(rows.reshape(self.shape))
        there = order_cells(self.flags, self.layout, self.shape)
        return from_cells(self.xp, BitmapVector(there, rows, self.nvals), self.shape)  # type: ignore[return-value]


def order_cells(cells: Array, layout: Layout, shape: tuple[int, ...]) -> Array:
    """Return the cells of a matrix row after row, without those that belong to no entry."""
    held = cells.reshape(layout.size, layout.stride)[:, : layout.width]
    return (held.T if has_few_rows(shape) else held).copy(order="C").reshape(-1)


class Arrays:
    """Values and presence flags of each slot; what a round writes is copied, as the loop may yet be refused.

    Parameters
    ----------
    owned : set of int
        Slots that no round writes, of which this has copies nevertheless, since later loops have others.

    Attributes
    ----------
    values : list of array
        One per slot, with a value for each cell.
    present : list of array or None
        Flags of the slots that have no entry in some cells.
    """

    def __init__(self, xp: Any, plan: RoundsPlan, owned: Set[int] = frozenset()) -> None:
        self.xp, self.plan = xp, plan
        self.values: list[Any] = []
        self.present: list[Any] = []
        self.rows: dict[int, Array] = {}
        self.copied = {slot for slot, _ in plan.written} | owned
        for slot, storage in enumerate(plan.slots):
            self.enter(slot, storage)

    def enter(self, slot: int, storage: Any) -> None:
        """Add a slot."""
        xp, layout, dtype = self.xp, self.plan.layouts[slot], self.plan.body.types[slot].numpy
        flagged, copied = slot in self.plan.body.flagged, slot in self.copied
        if storage is not None and not copied:
            values, flags = self.open(storage, layout)
            self.values.append(values)
            self.present.append(self.make_flags(slot) if flags is None and flagged else flags)
            return
        make = xp.zeros if dtype == "bool" else xp.empty  # where there is no entry a truth is read as one, too
        self.values.append(make(layout.cells, dtype))
        has_gaps = flagged or (storage is not None and not is_full(storage))
        self.present.append(xp.zeros(layout.cells, bool) if has_gaps else None)
        if storage is not None and slot not in self.plan.overwritten:
            self.put(slot, storage)

    def refill(self, plan: RoundsPlan) -> None:
        """Put what another plan has in its slots into the arrays that are there; the rest is the same."""
        old, self.plan = self.plan, plan
        written = {slot for slot, _ in plan.written}
        for slot in self.copied:
            storage = plan.slots[slot]
            if storage is None or slot in plan.overwritten:
                continue
            if slot in written or storage is not old.slots[slot]:
                self.put(slot, storage)

    def put(self, slot: int, storage: Any) -> None:
        """Put entries into the arrays of a slot."""
        values, flags = self.open(storage, self.plan.layouts[slot])
        self.copy(self.values[slot], values)
        if self.present[slot] is not None:
            self.copy(self.present[slot], self.make_flags(slot) if flags is None else flags)

    def copy(self, target: Array, source: Array) -> None:
        """Copy an array into another one."""
        target[...] = source

    def duplicate(self, array: Array) -> Array:
        """Return a copy of an array."""
        return array.copy()

    def make_flags(self, slot: int) -> Array:
        """Flags of a container that has all entries."""
        layout = self.plan.layouts[slot]
        flags = self.xp.zeros(layout.cells, bool)
        flags.reshape(layout.size, layout.stride)[:, : layout.width] = True
        return flags

    def open(self, storage: Any, layout: Layout) -> tuple[Array, Array | None]:
        """Return the values of the cells and the flags of those that are entries (None: all are)."""
        if isinstance(storage, Cells):
            return storage.values, storage.flags
        if isinstance(storage, (CompressedMatrix, FullMatrix)):
            return self.open_matrix(storage, layout)
        held: Any = storage.bitmap if isinstance(storage, UncheckedBitmap) else storage
        held = held.resolve() if isinstance(held, Deferred) else held
        held = held if isinstance(held, FullVector) else as_bitmap(self.xp, held)
        return held.values, held.present if isinstance(held, BitmapVector) else None

    def open_matrix(self, matrix: MatrixStorage, layout: Layout) -> tuple[Array, Array | None]:
        """Put the entries of a matrix in its cells."""
        xp, few_rows = self.xp, has_few_rows(matrix.shape)
        values = xp.zeros(layout.cells, matrix.values.dtype)
        if isinstance(matrix, FullMatrix):
            held = matrix.values.T if few_rows else matrix.values
            values.reshape(layout.size, layout.stride)[:, : layout.width] = held
            return values, None
        rows, columns = list_row_ids(matrix), matrix.indices.astype("int64")
        cells = columns * layout.stride + rows if few_rows else rows * layout.stride + columns
        scatter(values, cells, matrix.values)
        if matrix.nvals == layout.size * layout.width:
            return values, None
        flags = xp.zeros(layout.cells, bool)
        raise_flags(flags, cells)
        return values, flags

    def multiply(self, engine: Any, phase: Multiply) -> None:
        """Compute the product of a full vector; nothing is counted, but the rows of an operand with gaps once."""
        product = self.plan.products[phase.index]
        result = engine.compute(bind_product(product, FullVector(self.values[phase.operand])))
        assert not isinstance(result, Deferred), "a full vector is multiplied without counting"
        self.values[phase.out] = result.values
        self.set_presence(engine, phase, result.present if isinstance(result, BitmapVector) else None)

    def set_presence(self, engine: Any, phase: Multiply, present: Array | None) -> None:
        """Note which rows have a result: those with arcs, but for an operand with gaps those that meet an entry."""
        product = self.plan.products[phase.index]
        self.present[phase.out] = present
        if product.within is not True:
            if phase.index not in self.rows:
                self.rows[phase.index] = self.find_rows(engine, product)
            self.present[phase.out] = self.rows[phase.index]

    def find_rows(self, engine: Any, product: Product) -> Array:
        """Flag the rows of a matrix that meet an entry of the vector."""
        flags = self.find_flags(product.within)
        vector = BitmapVector(flags, flags, count_true(flags))
        step, _ = make_matvec_step(
            product.matrix, product.transposed, vector, product.flip, any_pair, BOOL, None, "pull"
        )
        result = engine.compute(step)
        found: Any = result.resolve() if isinstance(result, Deferred) else result
        return as_bitmap(self.xp, found).present

    def find_flags(self, p: Presence) -> Array:
        """The flags of where entries are."""
        if p[0] == "slot":
            found = self.present[p[1]]
            return self.xp.ones(self.plan.layouts[p[1]].cells, bool) if found is None else found
        if p[0] == "not":
            return ~self.find_flags(p[1])
        left, right = self.find_flags(p[1]), self.find_flags(p[2])
        return left & right if p[0] == "and" else left | right

    def make_storages(self, counts: dict[int, int], *, copies: bool = False) -> tuple[Any, ...]:
        """What the containers hold after the loop; copies, if another loop is to use the arrays.

        `counts` are the entries of slots whose flags have been counted.
        """
        return tuple(self.make_storage(slot, p, counts.get(slot), copies) for slot, p in self.plan.written)

    def make_storage(self, slot: int, p: Presence, count: int | None, copies: bool) -> Any:
        shape, layout = self.plan.shapes[slot], self.plan.layouts[slot]
        values = self.values[slot]
        if p is True and len(shape) == 2:
            return FullMatrix(order_cells(values, layout, shape).reshape(shape))
        values = self.duplicate(values) if copies else values
        if p is True:
            return FullVector(values)
        flags = self.find_flags(p)
        count = self.count(flags, layout) if count is None else count
        flags = self.duplicate(flags) if copies or p != ("slot", slot) else flags
        if len(shape) == 2:
            return Cells(values, flags, layout, shape, count, self.xp)
        return FullVector(values) if count == shape[0] else UncheckedBitmap(BitmapVector(flags, values, count), self.xp)

    def count(self, flags: Array, layout: Layout) -> int:
        """Count entries."""
        if layout.width == layout.stride:
            return count_true(flags)
        return count_true(flags.reshape(layout.size, layout.stride)[:, : layout.width].copy(order="C"))


def choose_owned(run: Any, plan: RoundsPlan, changed: frozenset[int]) -> frozenset[int]:
    """The slots of which a loop gets copies, as an earlier run held other contents there."""
    return frozenset() if run is None or plan.reads_structure else changed | run.owned


def find_changed(run: Any, plan: RoundsPlan) -> frozenset[int]:
    """The slots that a loop only reads, and in which an earlier run held other contents and has no copies of them."""
    kept = {slot for slot, _ in plan.written} | run.owned
    pairs = enumerate(zip(run.plan.slots, plan.slots, strict=True))
    return frozenset(slot for slot, (old, new) in pairs if slot not in kept and old is not new)


def bind_product(product: Product, vector: FullVector) -> MatVec:
    """The step that multiplies with a full vector."""
    made, _ = make_matvec_step(
        product.matrix, product.transposed, vector, product.flip, product.semiring, product.out, None, None
    )
    return made
