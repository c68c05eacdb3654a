"""What the engines share to run a loop over arrays of fixed size: the arrays of its slots, and what it leaves."""

from __future__ import annotations

from typing import Any

from graphla.planning.full_body import FullPlan, Layout, Multiply, Presence, Product
from graphla.planning.full_reading import bind_product, has_few_rows
from graphla.planning.plan import make_matvec_step
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    Deferred,
    FullMatrix,
    FullVector,
    MatrixStorage,
    VectorStorage,
)
from graphla.storage.convert import count_true, raise_flags, scatter
from graphla.storage.formats import as_best_format, as_bitmap, from_cells, list_row_ids
from semirings import any_pair
from semirings.dtypes import BOOL


class Arrays:
    """Values and presence flags of each slot; what a round writes is copied, as the loop may yet be refused.

    Attributes
    ----------
    values : list of array
        One per slot, with a value for each cell.
    present : list of array or None
        Flags of the slots that have no entry in some cells.
    """

    def __init__(self, xp: Any, plan: FullPlan) -> None:
        self.xp, self.plan = xp, plan
        self.values: list[Any] = []
        self.present: list[Any] = []
        self.rows: dict[int, Array] = {}
        self.written = {slot for slot, _ in plan.written}
        for slot, (storage, dtype) in enumerate(zip(plan.slots, plan.body.types, strict=True)):
            self.enter(slot, storage, dtype.numpy, slot in self.written)

    def enter(self, slot: int, storage: Any, dtype: str, written: bool) -> None:
        """Add a slot."""
        layout, flagged = self.plan.layouts[slot], slot in self.plan.body.flagged
        if storage is None:
            self.values.append(self.xp.empty(layout.cells, dtype))
            self.present.append(self.xp.zeros(layout.cells, bool) if flagged else None)
            return
        values, flags = self.open(storage, layout, written)
        if flags is None and flagged:
            flags = self.make_flags(slot)
        self.values.append(values)
        self.present.append(flags)

    def refill(self, plan: FullPlan) -> None:
        """Put what another plan has in its slots into the arrays that are there; the rest is the same."""
        old, self.plan = self.plan, plan
        for slot, storage in enumerate(plan.slots):
            if storage is None or (storage is old.slots[slot] and slot not in self.written):
                continue
            values, flags = self.open(storage, plan.layouts[slot], written=False)
            self.values[slot][...] = values
            if self.present[slot] is not None:
                self.present[slot][...] = self.make_flags(slot) if flags is None else flags

    def make_flags(self, slot: int) -> Array:
        """Flags of a container that has all entries."""
        layout = self.plan.layouts[slot]
        flags = self.xp.zeros(layout.cells, bool)
        flags.reshape(layout.size, layout.stride)[:, : layout.width] = True
        return flags

    def open(self, storage: Any, layout: Layout, written: bool) -> tuple[Array, Array | None]:
        """Return the values of the cells and the flags of those that are entries (None: all are)."""
        if isinstance(storage, CompressedMatrix | FullMatrix):
            return self.open_matrix(storage, layout)
        held = storage if isinstance(storage, FullVector) else as_bitmap(self.xp, storage)
        flags = held.present if isinstance(held, BitmapVector) else None
        if not written:
            return held.values, flags
        return held.values.copy(), None if flags is None else flags.copy()

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
        result = engine.matvec(bind_product(product, FullVector(self.values[phase.operand])))
        assert not isinstance(result, Deferred), "a full vector is multiplied without counting"
        self.values[phase.out] = result.values
        self.present[phase.out] = result.present if isinstance(result, BitmapVector) else None
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
        result = engine.matvec(step)
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

    def make_storages(self, *, copies: bool = False) -> tuple[VectorStorage | MatrixStorage, ...]:
        """What the containers hold after the loop; copies, if another loop is to use the arrays."""
        return tuple(self.make_storage(slot, p, copies) for slot, p in self.plan.written)

    def make_storage(self, slot: int, p: Presence, copies: bool) -> VectorStorage | MatrixStorage:
        flags = None if p is True else self.find_flags(p)
        if len(self.plan.shapes[slot]) == 2:
            return self.make_matrix(slot, flags)
        values = self.values[slot].copy() if copies else self.values[slot]
        if flags is None:
            return FullVector(values)
        flags = flags.copy()
        return as_best_format(self.xp, BitmapVector(flags, values, count_true(flags)))

    def make_matrix(self, slot: int, flags: Array | None) -> MatrixStorage:
        """What a matrix holds after the loop."""
        xp, layout, shape = self.xp, self.plan.layouts[slot], self.plan.shapes[slot]
        rows = self.order(self.values[slot], layout, shape)
        if flags is None:
            return FullMatrix(rows.reshape(shape))
        there = self.order(flags, layout, shape)
        count = count_true(there)
        if count == shape[0] * shape[1]:
            return FullMatrix(rows.reshape(shape))
        return from_cells(xp, BitmapVector(there, rows, count), shape)  # type: ignore[return-value]

    def order(self, cells: Array, layout: Layout, shape: tuple[int, ...]) -> Array:
        """Return the cells of a matrix row after row, without those that belong to no entry."""
        held = cells.reshape(layout.size, layout.stride)[:, : layout.width]
        return (held.T if has_few_rows(shape) else held).copy(order="C").reshape(-1)
