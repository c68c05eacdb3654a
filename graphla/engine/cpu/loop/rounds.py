"""Run a loop over arrays of fixed size: products by their kernels, the statements between them compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.arrays.engine import ArrayEngine
from graphla.engine.arrays.idle_cells import find_idle_flags
from graphla.engine.arrays.maps import list_used
from graphla.engine.arrays.rounds_arrays import Arrays, choose_owned, find_changed
from graphla.engine.cpu import source
from graphla.engine.cpu.entries.vectors import NO_FLAGS
from graphla.engine.cpu.loop.rounds_product import make_products
from graphla.engine.cpu.loop.rounds_text import PIECE, WORD, write_map
from graphla.engine.cpu.threads import run_over_rows
from graphla.planning.loops.phases import Finish, Map, Phase
from graphla.planning.loops.rounds import RoundsAnswer, RoundsPlan
from graphla.planning.loops.terms import Cell, Constant, Multiply, Put, RoundNumber, Scatter
from graphla.storage import Array
from semirings.python import evaluate

MOST_BYTES, MOST_KEPT = 1 << 24, 4
"""Bytes of a loop that is kept to run again, and loops that a matrix keeps: of a large one the rounds take longer."""


@lru_cache(maxsize=1024)
def compile_map(phase: Map, constants: int, cells: int, idle: tuple[int, ...]) -> ModuleType:
    """Compile the statements of a map."""
    text = write_map(phase, constants, cells, idle)
    return source.make_module("rounds", text.functions, tuple(text.parts.items()))


class MapRun:
    """A map of a running loop.

    Attributes
    ----------
    partials : dict of Cell to array
        What the pieces leave of each sum.
    """

    def __init__(
        self, phase: Map, flagged: frozenset[int], arrays: Arrays, constants: Any, cells: Any, wrong: Array
    ) -> None:
        idle, self.arrays, self.size = find_idle_flags(phase, flagged), arrays, phase.size
        self.run_map = compile_map(phase, len(constants), len(cells), idle).run_map
        self.slots, self.words = list_used(phase), tuple(view_words(arrays.present[slot]) for slot in idle)
        self.pieces = -(-phase.size // PIECE)
        self.partials = {fold.cell: np.empty(self.pieces, fold.cell.dtype.numpy) for fold in phase.folds}
        self.on_one_core = any(isinstance(step, (Scatter, Put)) for step in phase.steps)
        self.split = np.arange(self.pieces + 1)
        self.beside = self.words, constants, cells, wrong
        self.sums = tuple(self.partials[fold.cell] for fold in phase.folds)

    def run(self, round_number: int) -> None:
        """Run the statements; those that write to other positions on one core."""
        values, present = self.arrays.values, self.arrays.present
        rest = (
            self.size,
            tuple([values[slot] for slot in self.slots]),
            tuple([NO_FLAGS if (flags := present[slot]) is None else flags for slot in self.slots]),
            *self.beside,
            round_number,
            self.sums,
        )
        if self.on_one_core or self.pieces == 1:
            self.run_map(0, self.pieces, *rest)
        else:
            run_over_rows(self.run_map, self.split, self.size, *rest)


def view_words(flags: Array) -> Array:
    """Flags, eight at a time."""
    return flags[: flags.size // WORD * WORD].view("uint64")


class RoundsRun:
    """A running loop; it can run again, with other contents of what it writes.

    Attributes
    ----------
    owned : frozenset of int
        Slots that it only reads, and of which it has copies.
    """

    def __init__(self, engine: ArrayEngine, plan: RoundsPlan, owned: frozenset[int] = frozenset()) -> None:
        self.engine, self.plan, self.body, self.owned = engine, plan, plan.body, owned
        self.arrays = Arrays(np, plan, owned)
        self.constants = tuple(engine.fill_value(value, dtype) for value, dtype in plan.numbers)
        self.cells = tuple(np.zeros(1, dtype.numpy) for dtype in plan.body.cells)
        self.wrong = np.zeros(2, bool)  # a position was out of range; one occurred twice where it may not
        phases = (*self.body.start, *self.body.round)
        self.products = make_products(engine, plan, self.arrays, phases)
        given = plan.body.flagged, self.arrays, self.constants, self.cells, self.wrong
        self.maps = {id(phase): MapRun(phase, *given) for phase in phases if isinstance(phase, Map)}
        self.partials = {cell: held for each in self.maps.values() for cell, held in each.partials.items()}
        self.setters = {
            id(phase): [(self.cells[step.cell.index], self.bind(step.term)) for step in phase.cells]
            for phase in phases
            if isinstance(phase, Finish)
        }
        self.reset(plan)

    def refill(self, plan: RoundsPlan) -> None:
        """Take the contents of another plan."""
        self.plan = plan
        self.arrays.refill(plan)
        self.reset(plan)

    def reset(self, plan: RoundsPlan) -> None:
        """Begin with the Scalars of a plan, and no round done."""
        for cell, value in zip(self.cells, plan.values, strict=True):
            cell[0] = 0 if value is None else value
        self.wrong[:] = False
        self.round_number = 0

    def run(self, *, copies: bool) -> RoundsAnswer:
        """Run all rounds; what they leave is copied, if the loop is to run again."""
        with np.errstate(all="ignore"):
            self.run_phases(self.body.start)
            while self.goes_on():
                self.run_phases(self.body.round)
        cells = tuple(self.read_cell(index) for index in range(len(self.cells)))
        storages = self.arrays.make_storages({}, copies=copies) if self.round_number else ()
        misplaced, repeated = map(bool, self.wrong)
        return RoundsAnswer(storages, cells, self.round_number, misplaced, repeated, "compiled rounds")

    def read_cell(self, index: int) -> Any:
        """The value of a cell; None if there is none."""
        there = self.plan.valid.get(index)
        return self.cells[index][0] if there is None or not self.round_number or self.cells[there][0] else None

    def goes_on(self) -> bool:
        condition = self.body.condition
        more = condition is None or bool(self.cells[condition][0])
        return more and self.round_number < self.plan.limit and not (self.wrong[0] or self.wrong[1])

    def run_phases(self, phases: tuple[Phase, ...]) -> None:
        for phase in phases:
            if isinstance(phase, Map):
                self.maps[id(phase)].run(self.round_number)
            elif isinstance(phase, Multiply):
                self.products[id(phase)].run()
            else:
                self.finish(phase)

    def finish(self, phase: Finish) -> None:
        """Complete the folds, and set cells."""
        for fold in phase.folds:
            partials = self.partials[fold.cell]
            whole = (
                partials if partials.size == 1 else self.engine.reduce_values(fold.monoid, partials, fold.cell.dtype)
            )
            self.cells[fold.cell.index][0] = whole[0]
        for cell, compute in self.setters[id(phase)]:
            cell[0] = compute()
        self.round_number += phase.ends

    def bind(self, term: Any) -> Callable[[], Any]:
        """A function that computes a term of cells and constants."""
        if isinstance(term, Cell):
            return self.cells[term.index].item
        if isinstance(term, Constant):
            return self.constants[term.index].item
        if isinstance(term, RoundNumber):
            return lambda: self.round_number
        operator = evaluate(term.op, tuple(part.dtype for part in term.of), term.dtype)
        parts = [self.bind(part) for part in term.of]
        return lambda: operator(*[part() for part in parts])


def run_rounds(engine: ArrayEngine, plan: RoundsPlan) -> RoundsAnswer:
    """Run a loop over arrays of fixed size; one that is small and ran before with the same matrices runs again."""
    if plan.nbytes > MOST_BYTES or not plan.products:
        return RoundsRun(engine, plan).run(copies=False)
    held = plan.products[0].matrix.cached("prepared_loops", make_room)
    key = id(engine), plan.structure, id(plan.numbers), *map(id, plan.matrices)
    run = held.pop(key, None)
    changed = frozenset[int]() if run is None else find_changed(run, plan)
    if run is not None and not changed:
        run.refill(plan)
    else:
        run = RoundsRun(engine, plan, choose_owned(run, plan, changed))
    answer = run.run(copies=True)
    held[key] = run
    while len(held) > MOST_KEPT:
        held.pop(next(iter(held)))
    return answer


def make_room(_: Any) -> dict[Any, RoundsRun]:
    """Room for the loops of a matrix."""
    return {}
