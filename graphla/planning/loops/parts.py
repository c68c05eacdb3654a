"""Translate what a loop over arrays of fixed size reads of parts: reductions of rows, ranges, transposed squares."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from functools import lru_cache
from typing import Any

from graphla.language.apply import Reduce
from graphla.language.extract import Extract
from graphla.language.operand import Transposed
from graphla.planning.loops.key import is_sparse
from graphla.planning.loops.reading import Reader
from graphla.planning.loops.slots import MOST_CELLS, Unfused, both, choose_layout, has_few_rows
from graphla.planning.loops.terms import (
    Call,
    Constant,
    Entry,
    EntryAt,
    Fold,
    FoldBeside,
    Layout,
    Presence,
    Scatter,
    Store,
    Term,
)
from graphla.planning.plan import can_join, read_operand
from semirings import Monoid, Semiring, binary, indexunary, monoid
from semirings.dtypes import BOOL, INT32, INT64, DType
from semirings.properties import IDEMPOTENT

MOST_SUMS = 8
"""Rows that are reduced side by side, each by all threads."""


@lru_cache(maxsize=256)
def make_row_semiring(add: Monoid) -> Semiring:
    """The semiring whose product with a vector combines the entries of each row."""
    return Semiring(f"{add.name}_first", add, binary.first)


class RowsReduced:
    """A reduction of the rows of a matrix that no round writes, in the place of a vector."""

    _computed, rank, _sources = True, 1, ()

    def __init__(self, e: Reduce[Any]) -> None:
        self.array, self.dtype, self.shape = e, e.dtype, e.shape

    @property
    def _storage(self) -> Any:
        return reduce_rows(self.array)


def reduce_rows(e: Reduce[Any]) -> Any:
    """Reduce each row of a matrix once; the matrix keeps the result."""
    matrix, transposed = read_operand(e.of)

    def compute(_: Any) -> Any:
        return e.new()._storage

    return matrix.cached(("reduced", e.monoid, e.axis, transposed, e.wide), compute)


class PartReader(Reader):
    """Translates expressions, those of parts and of rows, too."""

    def __init__(self, *targets: Any) -> None:
        super().__init__(*targets)
        self.integers: dict[int, Constant] = {}
        self.known_rows: dict[int, RowsReduced] = {}

    def read(self, e: Any) -> tuple[Term, Presence]:
        if isinstance(e, Reduce) and e.axis is not None:
            return self.read_reduce(e)
        if isinstance(e, Transposed) and e.shape[0] == e.shape[1]:
            return self.read_square(e)
        return super().read(e)

    def add_integer(self, value: int) -> Constant:
        """A bound integer, one for all that need it."""
        if value not in self.integers:
            self.integers[value] = self.add_number(value, INT64)
        return self.integers[value]

    def make_index(self, few_rows: bool | None = None, *, of_rows: bool = True) -> Term:
        """The index of a cell, or its row or its column."""
        zero = self.add_integer(0)
        return Call(indexunary.rowindex if of_rows else indexunary.colindex, (zero, zero), INT64, few_rows)

    # --- positions

    def read_index(self, part: Any) -> Term:
        """Translate the positions of an index: a vector of them, a range, or one."""
        if isinstance(part, int):
            return self.add_integer(part)
        if not isinstance(part, range):
            return super().read_index(part)
        step = Call(binary.times, (self.make_index(), self.add_integer(part.step)), INT64)
        return Call(binary.plus, (step, self.add_integer(part.start)), INT64)

    def read_scalar(self, e: Any) -> Term:
        """Translate an expression of one value; one entry of a vector is one, too."""
        if not isinstance(e, Extract) or e.of.rank != 1:
            return super().read_scalar(e)
        term, present = self.read_extract(e)
        if present is not True and not self.may_flag:
            raise Unfused("it takes one entry of a vector that has none in some places")
        cell = self.add_cell(e.dtype)
        self.add(Fold(cell, term, monoid.any, present), Layout(1))
        if present is not True:
            self.valid[cell.index] = self.count_entries(present, (1,)).index
        return cell

    # --- transposed squares

    def read_square(self, e: Any) -> tuple[Term, Presence]:
        """Translate the transpose of a square matrix of few rows: each cell reads the one on the other side."""
        layout = choose_layout(e.shape)
        slot, present = self.require_slot(*super().read(e.of), e.shape)
        column = Call(
            binary.min, (self.make_index(False, of_rows=False), self.add_integer(layout.width - 1)), INT64
        )  # of a cell that belongs to no entry, any
        begin = Call(binary.times, (column, self.add_integer(layout.stride)), INT64)
        at = Call(binary.plus, (begin, self.make_index(False)), INT64)
        inside = True if present is True else ("at", slot, at, layout.cells)
        return EntryAt(slot, e.dtype, at, layout.cells), inside

    def require_slot(self, term: Term, present: Presence, shape: tuple[int, ...]) -> tuple[int, Presence]:
        """The slot of a term and its flags; what is computed is stored first."""
        if isinstance(term, Entry) and present in (True, ("slot", term.slot)):
            return term.slot, present
        slot = self.store_temporary(term, present, shape, flags=present is not True)
        return slot, self.presence[slot]

    # --- reductions

    def read_reduce(self, e: Reduce[Any]) -> tuple[Term, Presence]:
        """Translate a reduction of each row or each column."""
        if is_sparse(e.of, self.targets):
            return self.read_container(self.known_rows.setdefault(id(e), RowsReduced(e)))
        term, present = self.read(e.of)
        layout, few_rows = choose_layout(e.of.shape), has_few_rows(e.of.shape)
        if (e.axis == 1) == few_rows:
            return self.reduce_along(e, term, present, layout, few_rows)
        slot, there = self.require_slot(term, present, e.of.shape)
        out = self.add_slot(e.dtype, e.shape, True if there is True else ("flags",))
        of = Entry(slot, self.types[slot])
        self.add(FoldBeside(Entry(out, e.dtype), of, e.monoid, layout, there is not True), choose_layout(e.shape))
        return Entry(out, e.dtype), self.presence[out]

    def reduce_along(
        self, e: Reduce[Any], term: Term, present: Presence, layout: Layout, few_rows: bool
    ) -> tuple[Term, Presence]:
        """Combine the cells of all vertices, for each of the few rows: as sums side by side, or else by atomics.

        Atomics pay where few of them change anything.
        """
        at = self.make_index(few_rows, of_rows=few_rows)
        needed = layout.width * (1 if present is True else 2)
        if layout.width <= MOST_SUMS and len(self.cell_types) + needed <= MOST_CELLS:
            return self.fold_along(e, term, present, layout, at)
        if not can_join(make_row_semiring(e.monoid), e.dtype) or e.monoid.name not in IDEMPOTENT:
            raise Unfused(f"many entries of {e.dtype} are combined by {e.monoid.name} in few places, by atomics")
        return self.gather_places(at, term, present, e.monoid, layout, e.shape, e.dtype)

    def fold_along(
        self, e: Reduce[Any], term: Term, present: Presence, layout: Layout, at: Term
    ) -> tuple[Term, Presence]:
        """Reduce each of a few rows to a value of its own, and put them side by side."""
        out = self.add_slot(e.dtype, e.shape, True if present is True else ("flags",))
        one, index, stores = self.add_integer(1), self.make_index(), list[Store]()
        for row in range(layout.width):
            here, number = ("true", Call(binary.eq, (at, self.add_integer(row)), BOOL)), self.add_cell(e.dtype)
            self.add(Fold(number, term, e.monoid, both(present, here)), layout)
            there: Presence = True
            if present is not True:
                count = self.add_cell(INT64)
                self.add(Fold(count, one, monoid.plus, both(present, here)), layout)
                there = ("true", count)
            mine = ("true", Call(binary.eq, (index, self.add_integer(row)), BOOL))
            stores.append(Store(Entry(out, e.dtype), number, there, mine, None, True, present is not True))
        for store in stores:
            self.add(store, choose_layout(e.shape))
        return Entry(out, e.dtype), self.presence[out]

    def gather_places(
        self,
        at: Term,
        term: Term,
        present: Presence,
        add: Monoid,
        layout: Layout,
        shape: tuple[int, ...],
        dtype: DType,
    ) -> tuple[Term, Presence]:
        """Join values by their positions in a vector of `shape`, which has an entry where there is one."""
        size = choose_layout(shape).cells
        slot = self.store_temporary(self.add_number(add.identity(dtype), dtype), True, shape)
        met = self.store_temporary(self.add_number(0, INT32), True, shape)
        self.add(Scatter(EntryAt(slot, dtype, at, size), term, present, add), layout)
        one = self.add_number(1, INT32)
        self.add(Scatter(EntryAt(met, INT32, at, size), one, present, monoid.max), layout)
        return Entry(slot, dtype), ("true", Entry(met, INT32))
