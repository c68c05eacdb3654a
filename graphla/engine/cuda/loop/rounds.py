"""A loop over arrays of fixed size: the launches of a round, which are the same each time, repeated by the device.

Products run by their own kernels, the statements between them as generated ones. The arrays stay where they are, so a
round can be recorded as a CUDA graph.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np

from graphla.engine.arrays.idle_cells import find_idle_flags
from graphla.engine.arrays.rounds_arrays import choose_owned, find_changed
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.loop.kernel import to_bits
from graphla.engine.cuda.loop.rounds_arrays import DeviceArrays
from graphla.engine.cuda.loop.rounds_product import make_products
from graphla.engine.cuda.loop.rounds_text import write_finish, write_map
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.source import KERNELS
from graphla.planning.loops.phases import Finish, Map, Phase
from graphla.planning.loops.rounds import RoundsAnswer, RoundsPlan
from graphla.planning.loops.slots import MOST_SLOTS
from graphla.planning.loops.terms import Multiply

FILE = KERNELS / "loop/rounds.cuh"
MAP_THREADS, FINISH_THREADS = 256, 256
MOST_BLOCKS = 2048
BLOCKS_EACH = 8  # of a map on a multiprocessor
ROUND, GOES_ON, MISPLACED, LIMIT, REPEATED, CONTROLS = 0, 1, 2, 3, 4, 5  # words of the control
MOST_RECORDED = 4
"""Loops that a matrix keeps recorded, with their arrays."""


RoundParameters = read_struct("loop/rounds.cuh", "RoundParameters")


class RoundsRun:
    """A running loop; it can run again, with other contents of what it writes.

    Attributes
    ----------
    rounds : LoopGraph or HostRounds or None
        What repeats the launches of a round without their launchers.
    """

    def __init__(self, engine: KernelEngine, plan: RoundsPlan, owned: Set[int] = frozenset()) -> None:
        self.engine, self.plan, self.body, xp = engine, plan, plan.body, engine.xp
        self.owned, self.arrays, self.rounds = owned, DeviceArrays(engine, plan, owned), None
        self.lay_out_state(plan)
        phases = (*self.body.start, *self.body.round)
        folds = max([1, *(len(phase.folds) for phase in phases if isinstance(phase, Map))])
        self.partials = xp.empty(folds * MOST_BLOCKS, "uint64")
        self.kernels = {id(phase): self.load(phase) for phase in phases if not isinstance(phase, Multiply)}
        self.blocks = 0
        self.products = make_products(engine, plan, self.arrays, phases)

    def lay_out_state(self, plan: RoundsPlan) -> None:
        """Lay out control, Scalars, numbers and counts in one array: what the device is given, and what is read."""
        constants = CONTROLS + len(plan.values)
        self.counted = constants + len(plan.numbers)
        self.state = self.engine.device.words(self.engine.xp, self.counted + len(plan.written) + 1)
        words = self.state.array
        self.control, self.cells, self.constants = words[:CONTROLS], words[CONTROLS:], words[constants:]
        self.counts = words[self.counted :]
        self.sent: Any = np.zeros(words.size, "uint64")
        self.write_constants(plan)
        self.write_state(plan)

    def write_constants(self, plan: RoundsPlan) -> None:
        """Convert the bound numbers to words."""
        bits = [to_bits(self.engine.fill_value(value, dtype)) for value, dtype in plan.numbers]
        self.sent[self.counted - len(bits) : self.counted] = bits

    def write_state(self, plan: RoundsPlan) -> None:
        """Send the words to the device."""
        cells = [0 if value is None else to_bits(value) for value in plan.values]
        self.sent[: CONTROLS + len(cells)] = [0, plan.limit > 0, 0, plan.limit, 0, *cells]
        self.state.write(self.sent)

    def refill(self, plan: RoundsPlan) -> None:
        """Take the contents and the numbers of another plan."""
        if plan.numbers is not self.plan.numbers:
            self.write_constants(plan)
        self.plan = plan
        self.arrays.refill(plan)
        self.write_state(plan)

    def load(self, phase: Map | Finish) -> Any:
        """The kernel of a phase."""
        is_map = isinstance(phase, Map)
        if isinstance(phase, Map):
            text = write_map(phase, find_idle_flags(phase, self.body.flagged))
        else:
            text = write_finish(phase, self.body.condition)
        name = "round_map<Round>" if is_map else "round_finish<Round>"
        return self.engine.kernel(FILE, name, text, takes=RoundParameters)

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
        parameters = RoundParameters(
            values=(*values, *padding),
            present=(*flags, *padding),
            constants=self.constants,
            cells=self.cells,
            partials=self.partials,
            control=self.control,
            size=size,
            blocks=self.blocks,
        )
        self.kernels[id(phase)](blocks, threads, parameters)

    def read_state(self) -> list[int]:
        """Wait for the device; the control and the bits of the cells."""
        return self.state.read()

    def run(self) -> str:
        """Run all rounds, the first of them as it is, for it compiles and loads what is not yet; return how."""
        self.run_phases(self.body.start)
        conditional = self.body.condition is not None
        if self.plan.limit == 0 or (conditional and not self.read_state()[GOES_ON]):
            return "no round"
        self.run_round()
        repeat = self.engine.device.repeat
        how, self.rounds = repeat(self.run_round, self.control[GOES_ON:], self.plan.limit - 1, conditional)
        return how

    def run_again(self, rounds: Any) -> str:
        """Run all rounds without their launchers."""
        if self.body.start:
            self.run_phases(self.body.start)
        rounds.run()
        return rounds.how

    def make_answer(self, how: str) -> RoundsAnswer:
        """Read what the loop left: once, and the host waits for the device nowhere else."""
        self.arrays.count_entries(self.counts)
        state = self.read_state()
        counts = dict(zip(self.arrays.list_counted(), state[self.counted :], strict=False))
        values = tuple(self.read_cell(index, state) for index in range(len(self.body.cells)))
        storages = self.arrays.make_storages(counts, copies=self.rounds is not None) if state[ROUND] else ()
        wrong = bool(state[MISPLACED]), bool(state[REPEATED])
        return RoundsAnswer(storages, values, state[ROUND], *wrong, how if state[ROUND] else "no round")

    def read_cell(self, index: int, state: list[int]) -> Any:
        """The value of a cell; None if there is none."""
        there = self.plan.valid.get(index)
        if there is not None and state[ROUND] and not state[CONTROLS + there]:
            return None
        return np.frombuffer(state[CONTROLS + index].to_bytes(8, "little"), self.body.cells[index].numpy, 1)[0]


def run_rounds(engine: KernelEngine, plan: RoundsPlan) -> RoundsAnswer:
    """Run a loop over arrays of fixed size; one that ran before with the same matrices runs again as recorded."""
    held, key = get_recorded(engine, plan), make_key(engine, plan)
    run = held.pop(key, None)
    changed = frozenset[int]() if run is None else find_changed(run, plan)
    if run is not None and run.rounds is not None and not changed:
        run.refill(plan)
        answer = run.make_answer(run.run_again(run.rounds))
    else:
        run = RoundsRun(engine, plan, choose_owned(run, plan, changed))
        answer = run.make_answer(run.run())
    if run.rounds is not None:
        held[key] = run
        while len(held) > MOST_RECORDED:
            held.pop(next(iter(held)))
    return answer


def get_recorded(engine: KernelEngine, plan: RoundsPlan) -> dict[Any, RoundsRun]:
    """The loops that were recorded, which its first matrix keeps, or the engine of loops without products."""
    if plan.products:
        return plan.products[0].matrix.cached("recorded_loops", make_room)
    return engine.spare.setdefault(("recorded loops",), {})


def make_room(_: Any) -> dict[Any, RoundsRun]:
    """Room for the loops of a matrix."""
    return {}


def make_key(engine: KernelEngine, plan: RoundsPlan) -> tuple[Any, ...]:
    """What two loops have in common if one can run as the other was recorded."""
    device = engine.device
    return id(engine), device.number(), device.stream(), plan.structure, *map(id, plan.matrices)
