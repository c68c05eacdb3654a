"""Run a loop over arrays of fixed size: products by their kernels, the statements between them compiled."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.arrays.engine import ArrayEngine
from graphla.engine.arrays.full_loop import Arrays
from graphla.engine.arrays.idle_cells import find_idle_flags
from graphla.engine.cpu import source
from graphla.engine.cpu.loop.full_product import NO_FLAGS, make_products
from graphla.engine.cpu.loop.full_text import PIECE, WORD, write_map
from graphla.engine.cpu.threads import run_over_rows
from graphla.planning.full_body import (
    Cell,
    Constant,
    Finish,
    FullAnswer,
    FullPlan,
    Map,
    Multiply,
    Phase,
    Put,
    RoundNumber,
    Scatter,
)
from graphla.storage import Array
from semirings.dtypes import DType
from semirings.python import evaluate


@lru_cache(maxsize=1024)
def compile_map(phase: Map, slots: int, constants: int, cells: int, idle: tuple[int, ...]) -> ModuleType:
    """Compile the statements of a map."""
    text = write_map(phase, slots, constants, cells, idle)
    return source.make_module("full_round", text.functions, tuple(text.parts.items()))


class FullRun:
    """A running loop."""

    def __init__(self, engine: ArrayEngine, plan: FullPlan) -> None:
        self.engine, self.plan, self.body = engine, plan, plan.body
        self.arrays = Arrays(np, plan)
        self.constants = tuple(engine.fill_value(value, dtype) for value, dtype in plan.numbers)
        self.cells = tuple(
            make_cell(value, dtype.numpy) for value, dtype in zip(plan.values, plan.body.cells, strict=True)
        )
        self.wrong = np.zeros(2, bool)  # a position was out of range; one occurred twice where it may not
        self.partials: dict[Cell, Array] = {}
        maps = [phase for phase in (*self.body.start, *self.body.round) if isinstance(phase, Map)]
        idle = {id(phase): find_idle_flags(phase, plan.body.flagged) for phase in maps}
        self.words = {key: tuple(map(self.view_words, slots)) for key, slots in idle.items()}
        counts = len(plan.body.types), len(self.constants), len(self.cells)
        self.modules = {id(phase): compile_map(phase, *counts, idle[id(phase)]) for phase in maps}
        self.round_number = 0
        self.products = make_products(engine, plan, self.arrays, (*self.body.start, *self.body.round))

    def run(self) -> FullAnswer:
        """Run all rounds."""
        with np.errstate(all="ignore"):
            self.run_phases(self.body.start)
            while self.goes_on():
                self.run_phases(self.body.round)
        cells = tuple(self.read_cell(index) for index in range(len(self.cells)))
        storages = self.arrays.make_storages({}) if self.round_number else ()
        misplaced, repeated = map(bool, self.wrong)
        return FullAnswer(storages, cells, self.round_number, misplaced, repeated, "compiled rounds")

    def view_words(self, slot: int) -> Array:
        """The flags of a slot, eight at a time."""
        flags = self.arrays.present[slot]
        return flags[: flags.size // WORD * WORD].view("uint64")

    def read_cell(self, index: int) -> Any:
        """The value of a cell; None if there is none."""
        there = self.plan.valid.get(index)
        return self.cells[index][0] if there is None or not self.round_number or self.cells[there][0] else None

    def goes_on(self) -> bool:
        condition = self.body.condition
        more = condition is None or bool(self.cells[condition][0])
        return more and self.round_number < self.plan.limit and not self.wrong.any()

    def run_phases(self, phases: tuple[Phase, ...]) -> None:
        for phase in phases:
            if isinstance(phase, Map):
                self.run_map(phase)
            elif isinstance(phase, Multiply) and phase.entries:
                self.products[id(phase)].run()
            elif isinstance(phase, Multiply):
                self.arrays.multiply(self.engine, phase)
            else:
                self.finish(phase)

    def run_map(self, phase: Map) -> None:
        """Run the statements; those that join values at other positions on one core."""
        arrays, pieces = self.arrays, -(-phase.size // PIECE)
        module = self.modules[id(phase)]
        partials = tuple(np.empty(pieces, fold.cell.dtype.numpy) for fold in phase.folds)
        self.partials.update(zip((fold.cell for fold in phase.folds), partials, strict=True))
        flags = tuple(NO_FLAGS if each is None else each for each in arrays.present)
        rest = (
            phase.size,
            tuple(arrays.values),
            flags,
            self.words[id(phase)],
            self.constants,
            self.cells,
            self.wrong,
            self.round_number,
            partials,
        )
        if any(isinstance(step, Scatter | Put) for step in phase.steps):
            module.run_map(0, pieces, *rest)
        else:
            run_over_rows(module.run_map, np.arange(pieces + 1), phase.size, *rest)

    def finish(self, phase: Finish) -> None:
        """Complete the folds, and set cells."""
        for fold in phase.folds:
            dtype = fold.cell.dtype
            self.cells[fold.cell.index][0] = self.engine.reduce_values(fold.monoid, self.partials[fold.cell], dtype)[0]
        for step in phase.cells:
            self.cells[step.cell.index][0] = self.compute(step.term)
        self.round_number += phase.ends

    def compute(self, term: Any) -> Any:
        """The value of a term of cells and constants."""
        if isinstance(term, Cell):
            return self.cells[term.index][0].item()
        if isinstance(term, Constant):
            return self.constants[term.index].item()
        if isinstance(term, RoundNumber):
            return self.round_number
        given = tuple(part.dtype for part in term.of)
        return load_operator(term.op, given, term.dtype)(*(self.compute(part) for part in term.of))


@lru_cache(maxsize=1024)
def load_operator(op: Any, given: tuple[DType, ...], out: DType) -> Any:
    """An operator as a function of numbers."""
    return evaluate(op, given, out)


def make_cell(value: Any, dtype: str) -> Array:
    return np.array([0 if value is None else value], dtype)


def run_full(engine: ArrayEngine, plan: FullPlan) -> FullAnswer:
    """Run a loop over arrays of fixed size."""
    return FullRun(engine, plan).run()
