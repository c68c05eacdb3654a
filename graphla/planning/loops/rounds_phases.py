"""The phases of a round: which statements run side by side, and what has to wait for what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from graphla.planning.loops.rounds_body import (
    Call,
    Cell,
    Constant,
    Entry,
    EntryAt,
    Finish,
    Fold,
    FoldBeside,
    Layout,
    Map,
    MapStep,
    Multiply,
    Phase,
    Put,
    Require,
    Scatter,
    SetCell,
    Store,
    Union,
)
from semirings.dtypes import INT64


class Phases:
    """Collects the phases of a round: statements join the last map unless they need what it has not finished."""

    def __init__(self) -> None:
        self.done: list[Phase] = []
        self.begin()

    def begin(self) -> None:
        self.layout = Layout(0)
        self.steps: list[Any] = []
        self.cells: list[SetCell] = []
        self.reads, self.gathers, self.writes = set[int](), set[int](), set[int]()
        self.scattered, self.pending = set[int](), set[int]()

    def add(self, step: MapStep, layout: Layout) -> None:
        """Add a statement at each cell of a layout."""
        reads, gathers, cells = find_uses(step)
        flags = list(list_step_flags(step))
        reads |= {slot for slot, elsewhere in flags if not elsewhere}
        gathers |= {slot for slot, elsewhere in flags if elsewhere}
        out = step.out.slot if isinstance(step, Store | FoldBeside) else None
        scattered = step.out.slot if isinstance(step, Scatter | Put) else None
        if self.steps and (layout != self.layout or gathers & self.writes or out in self.gathers):
            self.flush()
        touched = reads | gathers | ({out} if out is not None else set[int]())
        if touched & self.scattered or scattered in self.reads | self.gathers | self.writes | self.scattered:
            self.flush()
        if cells & self.pending:
            self.flush()
        self.layout = layout
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
        """Add a product; statements that it does not wait for join those after it, which spares loads and stores."""
        later = self.take_independent(step)
        self.flush()
        self.done.append(step)
        for held, layout in later:
            self.add(held, layout)

    def take_independent(self, product: Multiply) -> list[tuple[Any, Layout]]:
        """Take off the last map the statements that neither the product waits for nor one that it waits for."""
        if self.cells or self.scattered:
            return []
        needed = {product.operand} | ({product.mask.slot} if product.mask is not None else set[int]())
        kept, later, layout = list[Any](), list[Any](), self.layout
        read, written = set[int](), set[int]()  # by what is kept
        for step in reversed(self.steps):
            reads, writes = find_slots(step)
            waits = writes & (needed | read | written) or reads & written
            (kept if waits else later).append(step)
            if waits:
                read |= reads
                written |= writes
        self.begin()
        for step in reversed(kept):
            self.add(step, layout)
        return [(step, layout) for step in reversed(later)]

    def flush(self, *, ends: bool = False) -> None:
        """End the last map."""
        if self.steps:
            self.done.append(Map(self.layout, tuple(self.steps)))
        folds = tuple(step for step in self.steps if isinstance(step, Fold))
        if folds or self.cells or ends:
            self.done.append(Finish(folds, tuple(self.cells), ends))
        self.begin()


def find_slots(step: MapStep) -> tuple[set[int], set[int]]:
    """The slots that a statement reads, values or flags, and those that it writes."""
    reads, gathers, _ = find_uses(step)
    flags = {slot for slot, _ in list_step_flags(step)}
    return reads | gathers | flags, set[int]() if isinstance(step, Fold | Require) else {step.out.slot}


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
    elif p[0] != "slot":  # which reads flags, see `list_flags`
        for part in p[1:]:
            yield from list_reads(part)


def list_flags(term: Any) -> Iterator[tuple[int, bool]]:
    """The slots whose flags a term, or where it has entries, reads, and whether at a position of its own."""
    parts: tuple[Any, ...] = ()
    if isinstance(term, EntryAt):
        parts = (term.at,)
    elif isinstance(term, Call):
        parts = term.of
    elif isinstance(term, Union):
        parts = term.left, term.right, term.has_left, term.has_right
    elif isinstance(term, tuple) and term[0] == "slot":
        yield cast("int", term[1]), False
    elif isinstance(term, tuple):
        if term[0] == "at":
            yield cast("int", term[1]), True
        parts = cast("tuple[Any, ...]", term)[1:]
    for part in parts:
        yield from list_flags(part)


def list_step_flags(step: MapStep) -> Iterator[tuple[int, bool]]:
    """The slots whose flags a statement reads."""
    for part in (*list_parts(step), *((step.before,) if isinstance(step, Store) else ())):
        yield from list_flags(part)
    if isinstance(step, FoldBeside) and step.flags:
        yield step.of.slot, True


def list_cells(term: Any) -> Iterator[int]:
    """The cells that a term reads."""
    if isinstance(term, Cell):
        yield term.index
    parts: tuple[Any, ...] = ()
    if isinstance(term, Call):
        parts = term.of
    elif isinstance(term, Union):
        parts = term.left, term.right, term.has_left, term.has_right
    elif isinstance(term, EntryAt):
        parts = (term.at,)
    elif isinstance(term, tuple):
        parts = cast("tuple[Any, ...]", term)[1:]
    for part in parts:
        yield from list_cells(part)


def list_parts(step: MapStep) -> tuple[Any, ...]:
    """The terms that a statement reads, and where they have entries."""
    if isinstance(step, Fold):
        return step.term, step.present
    if isinstance(step, Require):
        return (step.term,)
    if isinstance(step, FoldBeside):
        return (EntryAt(step.of.slot, step.of.dtype, Constant(0, INT64), 1),)  # cells at other positions than i
    if isinstance(step, Scatter):
        return step.term, step.present, step.out.at
    if isinstance(step, Put):
        return step.term, step.present, step.out.at, step.mask
    return step.term, step.present, step.mask, *([step.out] if step.accum is not None else [])


def find_uses(step: MapStep) -> tuple[set[int], set[int], set[int]]:
    """The slots that a statement reads at i, those that it reads at other positions, and the cells."""
    parts = list_parts(step)
    found = [each for part in parts for each in list_reads(part)]
    gathers = {slot for slot, elsewhere in found if elsewhere}
    return (
        {slot for slot, elsewhere in found if not elsewhere},
        gathers,
        {c for part in parts for c in list_cells(part)},
    )


def list_gathers(term: Any) -> set[int]:
    """The slots that a term reads at other positions."""
    return {slot for slot, elsewhere in list_reads(term) if elsewhere}


def find_overwritten(phases: Iterable[Phase]) -> frozenset[int]:
    """The slots that phases write as a whole before they read them: what they held before does not matter."""
    read, whole = set[int](), set[int]()
    for phase in phases:
        for reads, writes, overwrites in list_slots_used(phase):
            read |= (reads | (set() if overwrites else writes)) - whole
            whole |= writes - read if overwrites else set()
    return frozenset(whole)


def list_slots_used(phase: Phase) -> Iterator[tuple[set[int], set[int], bool]]:
    """For each statement of a phase the slots that it reads, those that it writes, and whether that is every cell."""
    if isinstance(phase, Multiply):
        mask = set[int]() if phase.mask is None else {phase.mask.slot}
        yield {phase.operand} | mask, {phase.out}, True
    elif isinstance(phase, Map):
        for step in phase.steps:
            reads, writes = find_slots(step)
            whole = isinstance(step, Store) and step.mask is True and step.accum is None
            if isinstance(step, Store) and whole and (step.present is True or step.flags):
                used = {
                    slot for part in (step.term, step.present) for slot, _ in (*list_reads(part), *list_flags(part))
                }
                yield used, writes, True  # where it had entries before does not matter
            else:
                yield reads, writes, False
