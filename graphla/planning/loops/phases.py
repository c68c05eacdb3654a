"""The phases of a round: which statements run side by side, and what has to wait for what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphla.planning.loops.terms import Fold, FoldBeside, Layout, MapStep, Multiply, Put, Scatter, SetCell, Store
from graphla.planning.loops.uses import find_slots, find_uses, list_flags, list_reads, list_step_flags


@dataclass(frozen=True)
class Map:
    """Statements at each cell of a layout; none reads at another index what one of them writes."""

    layout: Layout
    steps: tuple[MapStep, ...]

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.layout.cells

    @property
    def folds(self) -> tuple[Fold, ...]:
        return tuple(step for step in self.steps if isinstance(step, Fold))


@dataclass(frozen=True)
class Finish:
    """The folds of the map before it are complete; then cells are set. `ends` a round: it is counted."""

    folds: tuple[Fold, ...]
    cells: tuple[SetCell, ...]
    ends: bool = False


Phase: TypeAlias = Map | Multiply | Finish


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
        out = step.out.slot if isinstance(step, (Store, FoldBeside)) else None
        scattered = step.out.slot if isinstance(step, (Scatter, Put)) else None
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


def arrange(steps: Sequence[tuple[Any, Layout | None]], *, ends: bool) -> tuple[Phase, ...]:
    """The phases of what is to be done in an order; where there is None, all before is done first."""
    phases = Phases()
    for step, layout in steps:
        if layout is not None:
            phases.add(step, layout)
        elif isinstance(step, Multiply):
            phases.add_product(step)
        elif isinstance(step, SetCell):
            phases.set_cell(step)
        else:
            phases.flush()
    phases.flush(ends=ends)
    return tuple(phases.done)


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
