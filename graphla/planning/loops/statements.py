"""Read the statements of a recorded body, in their order: each becomes steps over slots and cells."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.language.products import MatMul
from graphla.language.scalars import is_read_later
from graphla.planning.loops.parts import PartReader
from graphla.planning.loops.reading import cast
from graphla.planning.loops.slots import NeedsFlags, Unfused, both, choose_layout, either
from graphla.planning.loops.terms import (
    Call,
    Cell,
    Entry,
    EntryAt,
    Layout,
    Presence,
    Put,
    Require,
    RoundNumber,
    Scatter,
    SetCell,
    Store,
    Term,
)
from graphla.planning.loops.uses import list_cells, list_flags, list_gathers, list_reads
from graphla.planning.plan import can_join, choose_product_dtype
from semirings import Semiring, binary
from semirings.dtypes import BOOL, INT64, DType


class BodyReader(PartReader):
    """Reads statements."""

    def write(self, update: Any, value: Any) -> None:
        """Translate a statement."""
        if update.out.rank == 0:
            self.write_cell(update, value)
        elif getattr(update, "input_mask", None) is not None or (update.direction == "push" and not self.may_flag):
            raise Unfused("it asks for a push, or for an input mask")
        elif update.index is None:
            self.write_container(update, value)
        elif update.out.rank == 2:
            raise Unfused("it assigns to a part of a matrix")
        else:
            self.write_places(update, value)

    def write_cell(self, update: Any, value: Any) -> None:
        if value is None:
            raise Unfused("it empties a Scalar")
        cell = self.find_cell(update.out)
        term = self.read_value(value, cell.dtype)
        if not keeps_values(term.dtype, cell.dtype):
            raise Unfused(f"it writes {term.dtype} into a Scalar of {cell.dtype}, which may not hold it")
        if update.accum is not None:
            if cell.index not in self.filled:
                raise Unfused("it accumulates into a Scalar that is empty")
            term = Call(update.accum, (cell, cast(term, cell.dtype)), cell.dtype)
        there = self.find_validity(term)
        if there is not None and (update.accum is not None or cell.index in self.read_cells):
            raise Unfused("it computes with a Scalar that may be empty")
        self.add(SetCell(cell, term))
        self.filled.add(cell.index)
        self.valid.pop(cell.index, None)
        if there is not None:
            self.valid[cell.index] = self.add_cell(BOOL).index
            self.add(SetCell(Cell(self.valid[cell.index], BOOL), there))

    def find_validity(self, term: Term) -> Term | None:
        """Return the term that says whether a value is there, or None if it always is."""
        found: Term | None = None
        for index in sorted({index for index in list_cells(term) if index in self.valid}):
            there = cast(Cell(self.valid[index], self.cell_types[self.valid[index]]), BOOL)
            found = there if found is None else Call(binary.land, (found, there), BOOL)
        return found

    def read_value(self, value: Any, dtype: DType) -> Term:
        """Translate one value that is written: an expression, the number of the round, or a number."""
        if hasattr(value, "now"):
            return RoundNumber(dtype)
        return self.read_scalar(value) if is_read_later(value) else self.add_number(value, dtype)

    def write_container(self, update: Any, value: Any) -> None:
        """Translate a statement that writes a vector or a matrix as a whole, where its mask holds."""
        out = self.find_slot(update.out)
        dtype, shape = self.types[out], self.shapes[out]
        mask = True if update.mask is None else self.read_mask(update.mask)
        if is_read_later(value) or not hasattr(value, "_sources"):
            term, present = self.read_written(value, dtype)
        elif isinstance(value, MatMul):
            wanted = choose_product_dtype(value, dtype)
            term, present = self.read_product(value, wanted, mask, update.direction)
        else:
            term, present = self.read(value)
        if out in list_gathers(term) | list_gathers(present) | list_gathers(mask) | find_flags_elsewhere(present, mask):
            if out not in self.flagged and out in list_gathers(present) | list_gathers(mask):
                raise Unfused("where it writes depends on other places of what it writes")
            slot = self.store_temporary(term, present, shape)
            term, present = Entry(slot, term.dtype), self.presence[slot]
            if out in list_gathers(mask) | find_flags_elsewhere(mask):
                mask = self.presence[self.store_temporary(self.add_number(True, BOOL), mask, shape, flags=True)]
        self.store(update, term, present, mask)

    def store(self, update: Any, term: Term, present: Presence, mask: Presence) -> None:
        """Write a term that reads its target at its own cell at most."""
        out, accum = self.find_slot(update.out), update.accum
        dtype, before = self.types[out], self.presence[out]
        if out in self.flagged:
            store = Store(Entry(out, dtype), term, present, mask, accum, before, True, update.replace)
            self.add(store, self.layouts[out])
            return
        after = self.find_presence_after(update, mask, before, present)
        if not self.is_static(after):
            raise NeedsFlags(update.out, "where a vector has entries changes from round to round")
        self.add(Store(Entry(out, dtype), term, present, mask, accum, before), self.layouts[out])
        self.presence[out] = after

    def find_presence_after(self, update: Any, mask: Presence, before: Presence | None, present: Presence) -> Presence:
        """Return where the target has entries after a statement."""
        if update.replace and mask is not True:
            raise NeedsFlags(update.out, "it removes entries (replace)")
        if update.accum is None and mask is True:
            return present
        if before is None:
            raise NeedsFlags(update.out, "it writes to a part of a vector that has no entry in some places")
        if before is True and (update.accum is not None or present is True):
            return True
        if update.accum is not None and mask is True:
            return either(before, present)
        raise NeedsFlags(update.out, "where a vector has entries changes from round to round")

    def read_mask(self, mask: Any) -> Presence:
        """Translate a mask into where it holds."""
        term, present = self.read(mask.of)
        inside = present if mask.structural else both(present, ("true", term))
        if mask.complement:
            return ("not", inside) if inside is not True else ("not", True)
        return inside

    def read_written(self, value: Any, dtype: DType) -> tuple[Term, Presence]:
        """Translate one value that is written to many places."""
        term = self.require_value(self.read_value(value, dtype))
        if not keeps_values(term.dtype, dtype):
            raise Unfused(f"it writes a Scalar of {term.dtype} into entries of {dtype}, which may not hold it")
        return term, True

    def write_places(self, update: Any, value: Any) -> None:
        """Translate ``x(mask, accum)[p] << y``."""
        index, out = update.index[0], self.find_slot(update.out)
        size = 1 if isinstance(index, int) else index.shape[0] if hasattr(index, "shape") else len(index)
        if is_read_later(value) or not hasattr(value, "_sources"):
            term, present = self.read_written(value, self.types[out])
        elif value.shape != (size,):
            raise Unfused("an index and its values differ in size")
        else:
            term, present = self.read(value)
        at = self.read_index(index)
        if out in {slot for part in (term, present, at) for slot, _ in (*list_reads(part), *list_flags(part))}:
            self.add(None)  # what reads the target runs before: positions and values are stored first
            slot = self.store_temporary(term, present, (size,))
            term, present = Entry(slot, term.dtype), self.presence[slot]
            at = Entry(self.store_temporary(at, True, (size,)), at.dtype)
        place, layout = EntryAt(out, self.types[out], at, self.layouts[out].size), choose_layout((size,))
        if update.accum is not None and update.accum.monoid is not None:
            self.join_places(update, place, term, present, layout)
            return
        if not isinstance(index, (int, range)):
            self.require_once(place, layout)
        self.put_places(update, place, term, present, layout)

    def join_places(self, update: Any, place: EntryAt, term: Term, present: Presence, layout: Layout) -> None:
        """Join values with those at their places, and with others that come there."""
        accum, out, dtype = update.accum, place.slot, place.dtype
        if not can_join(Semiring(accum.name, accum.monoid, binary.first), dtype):
            raise Unfused(f"entries of {dtype} cannot be joined in one place")
        if update.mask is None and self.presence[out] is True:
            self.add(Scatter(place, term, present, accum.monoid), layout)
            return
        joined, there = self.gather_places(place.at, term, present, accum.monoid, layout, self.shapes[out], dtype)
        self.store(update, joined, there, True if update.mask is None else self.read_mask(update.mask))

    def put_places(self, update: Any, place: EntryAt, term: Term, present: Presence, layout: Layout) -> None:
        """Assign values to places, each of which is named once."""
        if update.replace:
            raise Unfused("it assigns to a part and removes what its mask leaves out (replace)")
        out, flags = place.slot, place.slot in self.flagged
        if not flags and (self.presence[out] is not True or (present is not True and update.accum is None)):
            raise NeedsFlags(update.out, "it assigns to a part of a vector that has no entry in some places")
        mask = True if update.mask is None else self.read_mask_at(update.mask, place)
        before = ("at", out, place.at, place.size) if flags else True
        self.add(Put(place, cast(term, place.dtype), present, mask, update.accum, before, flags), layout)

    def read_mask_at(self, mask: Any, place: EntryAt) -> Presence:
        """Translate a mask into where it holds at a position."""
        whole = self.read_mask(mask)
        held = self.read_slot_mask(whole, self.shapes[place.slot])
        if held is None:
            return whole
        inside = ("at", held.slot, place.at, place.size)
        return ("not", inside) if held.complement else inside

    def require_once(self, place: EntryAt, layout: Layout) -> None:
        """Refuse a round that names a place twice: each index claims its place, and looks who has it."""
        index = self.make_index()
        claims = self.add_slot(INT64, (place.size,), True)
        claim = EntryAt(claims, INT64, place.at, place.size)
        self.add(Put(claim, index, True, True, None, True, False), layout)
        self.add(Require(Call(binary.eq, (claim, index), BOOL)), layout)

    def ask_for_more(self, goes_on: Cell | None, live: Any, condition: Any) -> None:
        """Set the cell that says whether another round is to run."""
        if live is not None and goes_on is not None:
            _, present = self.read_container(live)
            self.add(SetCell(goes_on, cast(self.count_entries(present, live.shape), BOOL)))
        elif goes_on is not None:
            self.ask(goes_on, self.read_scalar(condition))

    def ask(self, goes_on: Cell, term: Term) -> None:
        """Set the condition; an empty value is not true."""
        asked, there = cast(term, BOOL), self.find_validity(term)
        whole = asked if there is None else Call(binary.land, (asked, there), BOOL)
        self.add(SetCell(goes_on, whole))

    def require_same_presence(self) -> None:
        """Refuse a round that begins with an entry everywhere and ends without."""
        for slot, (vector, present) in enumerate(zip(self.vectors, self.presence, strict=True)):
            if vector is None or present is True or slot in self.flagged:
                continue
            if self.find_presence(vector) is True:
                raise NeedsFlags(vector, "a vector that is full before the loop loses entries in a round")


def keeps_values(given: DType, wanted: DType) -> bool:
    """Whether every value of a dtype is one of the other, or rounds to one."""
    return bool(np.can_cast(given.numpy, wanted.numpy, "safe")) or (given.kind == wanted.kind == "f")


def find_flags_elsewhere(*terms: Any) -> set[int]:
    """The slots whose flags are read at other positions."""
    return {slot for term in terms for slot, elsewhere in list_flags(term) if elsewhere}
