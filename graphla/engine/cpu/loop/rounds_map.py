"""The statements of a round between two products as one compiled function, with the arrays that it takes each time."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.arrays.idle_cells import find_idle_flags
from graphla.engine.arrays.maps import list_used
from graphla.engine.arrays.rounds_arrays import Arrays
from graphla.engine.cpu import source
from graphla.engine.cpu.entries.vectors import NO_FLAGS
from graphla.engine.cpu.loop.rounds_text import PIECE, WORD, write_map
from graphla.engine.cpu.threads import run_over_rows
from graphla.planning.loops.phases import Map
from graphla.planning.loops.terms import Put, Scatter
from graphla.storage import Array


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
        self.on_one_core = any(isinstance(step, Scatter | Put) for step in phase.steps)
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
