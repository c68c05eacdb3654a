"""A loop over arrays of fixed size: the launches of a round, which are the same each time, repeated by the device.

Products run by their own kernels, the statements between them as generated ones. The arrays stay where they are, so a
round can be recorded as a CUDA graph.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.engine.arrays.full_loop import Arrays
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.loop.full_product import make_products
from graphla.engine.cuda.loop.full_text import write_finish, write_map
from graphla.engine.cuda.loop.run import to_bits
from graphla.engine.cuda.source import KERNELS
from graphla.planning.full_body import Finish, FullAnswer, FullPlan, Map, Multiply, Phase
from graphla.planning.full_reading import MOST_CONSTANTS, MOST_SLOTS
from graphla.storage import Array

FILE = KERNELS / "loop/full_round.cuh"
MAP_THREADS, FINISH_THREADS = 256, 256
MOST_BLOCKS = 2048
BLOCKS_EACH = 8  # of a map on a multiprocessor
ROUND, GOES_ON, MISPLACED, CONTROLS = 0, 1, 2, 3  # words of the control


class FullParameters(NamedTuple):
    """The struct of full_round.cuh."""

    values: tuple[Array, ...]
    present: tuple[Array, ...]
    constants: tuple[int, ...]
    cells: Array
    partials: Array
    control: Array
    size: int
    blocks: int
    limit: int


class FullRun:
    """A running loop."""

    def __init__(self, engine: KernelEngine, plan: FullPlan) -> None:
        self.engine, self.plan, self.body, xp = engine, plan, plan.body, engine.xp
        self.arrays = Arrays(xp, plan)
        constants = [to_bits(engine.fill_value(value, dtype)) for value, dtype in plan.numbers]
        self.constants = (*constants, *[0] * (MOST_CONSTANTS - len(constants)))
        cells = [0 if value is None else to_bits(value) for value in plan.values]
        # Scalars and control in one array, which is read back at once
        self.state = xp.asarray(np.array([*[0] * CONTROLS, *cells, 0], "uint64"))
        self.control, self.cells = self.state[:CONTROLS], self.state[CONTROLS:]
        phases = (*self.body.start, *self.body.round)
        folds = max([1, *(len(phase.folds) for phase in phases if isinstance(phase, Map))])
        self.partials = xp.empty(folds * MOST_BLOCKS, "uint64")
        self.kernels = {id(phase): self.load(phase) for phase in phases if not isinstance(phase, Multiply)}
        self.blocks = 0
        self.products = make_products(engine, plan, self.arrays, phases)

    def load(self, phase: Map | Finish) -> Any:
        """The kernel of a phase."""
        is_map = isinstance(phase, Map)
        text = write_map(phase) if is_map else write_finish(phase, self.body.condition)
        name = "full_map<Round>" if is_map else "full_finish<Round>"
        return self.engine.kernel(FILE, name, text, takes=FullParameters)

    def run_phases(self, phases: tuple[Phase, ...]) -> None:
        """Launch phases one after the other."""
        for phase in phases:
            if isinstance(phase, Multiply) and phase.entries:
                self.products[id(phase)].run()
            elif isinstance(phase, Multiply):
                self.arrays.multiply(self.engine, phase)
            elif isinstance(phase, Map):
                self.blocks = self.count_blocks(phase.size)
                self.launch(phase, self.blocks, MAP_THREADS, phase.size)
            else:
                self.launch(phase, 1, FINISH_THREADS, 0)

    def run_round(self) -> None:
        """Launch a round."""
        self.run_phases(self.body.round)

    def count_blocks(self, size: int) -> int:
        return min(MOST_BLOCKS, BLOCKS_EACH * self.engine.device.processors(), -(-size // MAP_THREADS))

    def launch(self, phase: Map | Finish, blocks: int, threads: int, size: int) -> None:
        none = self.engine.get_unread("uint8")
        values, flags = self.arrays.values, [none if each is None else each for each in self.arrays.present]
        padding = [none] * (MOST_SLOTS - len(values))
        parameters = FullParameters(
            values=(*values, *padding),
            present=(*flags, *padding),
            constants=self.constants,
            cells=self.cells,
            partials=self.partials,
            control=self.control,
            size=size,
            blocks=self.blocks,
            limit=self.plan.limit,
        )
        self.kernels[id(phase)](blocks, threads, parameters)

    def read_state(self) -> list[int]:
        """Wait for the device; the control and the bits of the cells."""
        return self.engine.to_host(self.state).tolist()

    def make_answer(self, how: str) -> FullAnswer:
        """Read what the loop left."""
        state = self.read_state()
        values = tuple(self.read_cell(index, state) for index in range(len(self.body.cells)))
        storages = self.arrays.make_storages() if state[ROUND] else ()
        return FullAnswer(storages, values, state[ROUND], bool(state[MISPLACED]), how)

    def read_cell(self, index: int, state: list[int]) -> Any:
        """The value of a cell; None if there is none."""
        there = self.plan.valid.get(index)
        if there is not None and state[ROUND] and not state[CONTROLS + there]:
            return None
        return np.frombuffer(state[CONTROLS + index].to_bytes(8, "little"), self.body.cells[index].numpy, 1)[0]


def run_full(engine: KernelEngine, plan: FullPlan) -> FullAnswer:
    """Run a loop over arrays of fixed size."""
    run = FullRun(engine, plan)
    run.run_phases(plan.body.start)
    goes_on = plan.limit > 0 and (plan.body.condition is None or bool(run.read_state()[GOES_ON]))
    if not goes_on:
        return run.make_answer("no round")
    run.run_round()  # which compiles and loads what is not yet
    how = engine.device.repeat(run.run_round, run.control[GOES_ON:], plan.limit - 1, plan.body.condition is not None)
    return run.make_answer(how)
