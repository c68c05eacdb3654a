"""A loop of expressions compiled: rounds that push run in one call, and a round that pulls takes all cores."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.arrays.engine import ArrayEngine
from graphla.engine.cpu import source
from graphla.engine.cpu.loop.text import body_text
from graphla.engine.cpu.presence import places_of
from graphla.engine.cpu.threads import over_rows
from graphla.planning.loop_body import Body, LoopAnswer, LoopPlan
from graphla.planning.steps import Direction
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullVector, SparseVector, VectorStorage
from graphla.storage.formats import choose_vector_format

TOLD = {None: 0, "push": 1, "pull": 2}  # kernels/loop.py


@lru_cache(maxsize=1024)
def compiled_loop(body: Body, numbers: int) -> ModuleType:
    """The rounds of a body."""
    text = body_text(body, numbers)
    return source.module("loop", text.functions, tuple(text.parts.items()))


class Run:
    """A loop under way: the vectors as bits and values of every place, and what a round needs beside them."""

    def __init__(self, engine: ArrayEngine, plan: LoopPlan) -> None:
        self.engine, self.plan, self.body = engine, plan, plan.body
        self.code = compiled_loop(plan.body, len(plan.numbers))
        self.n = n = plan.matrix.nrows
        self.has = np.zeros(-(-n // 8) * 8, np.uint8)
        slots: Any = plan.slots
        self.counts = np.array([storage.nvals for storage in slots], np.int64)
        self.held = tuple(self.entered(slot, storage) for slot, storage in enumerate(slots))
        self.numbers = tuple(engine.fill_value(value, dtype) for value, dtype in plan.numbers)
        self.product, self.listed = np.empty(n, plan.body.out.numpy), np.empty(n, np.int32)

    def entered(self, slot: int, storage: Any) -> Array:
        """The values of a slot in an array of every place; its bits are set."""
        flags, bit = self.has[: self.n], np.uint8(1 << slot)
        if isinstance(storage, SparseVector):
            values = np.empty(self.n, storage.values.dtype)
            values[storage.indices] = storage.values
            flags[storage.indices] |= bit
            return values
        flags |= bit if isinstance(storage, FullVector) else storage.present.view(np.uint8) << np.uint8(slot)
        return storage.values

    def all(self) -> LoopAnswer:
        """Every round; one that pulls is taken out of the call."""
        turn, pulled, pulls = 0, 0, True
        vectors = self.has, self.held, self.numbers, self.product
        while pulls:
            told = self.told()
            rows = self.rows("pull" if told == "pull" else "push")
            turn, pulls = self.code.rounds(
                rows.indptr, rows.indices, rows.values, *vectors, self.listed, self.counts,
                turn, self.plan.limit, TOLD[told],
            )  # fmt: skip
            if pulls:
                self.pull(turn)
                turn, pulled = turn + 1, pulled + 1
        return LoopAnswer(tuple(self.left(slot) for slot in self.body.written_slots), turn, pulled)

    def told(self) -> Direction | None:
        """The direction of the next rounds; a full operand that meets no mask is pulled, as `plan.WHOLE` has it."""
        whole = self.counts[self.body.operand] == self.n and self.body.mask is None
        return "pull" if self.plan.direction is None and whole else self.plan.direction

    def rows(self, direction: Direction) -> CompressedMatrix:
        """The matrix with the rows that a push scatters or a pull probes."""
        transposed = self.plan.push_transposed if direction == "push" else self.plan.pull_transposed
        return self.engine.orient(self.plan.matrix, transposed)

    def pull(self, turn: int) -> None:
        """The product of a round, and what follows it."""
        into, code = self.rows("pull"), self.code
        shares = into.indptr, into.nvals
        over_rows(code.pull, *shares, into.indices, into.values, self.has, self.held, self.product)
        grown = over_rows(
            lambda first, last, _, *rest: code.settle(first, last, *rest),
            *shares, self.has, self.held, self.numbers, self.product, turn,
        )  # fmt: skip
        self.counts += sum(grown)

    def left(self, slot: int) -> VectorStorage:
        """What the loop left in a slot, in the form that suits it."""
        count, before, values = int(self.counts[slot]), self.plan.slots[slot], self.held[slot]
        form = choose_vector_format(count, self.n, "sparse" if isinstance(before, SparseVector) else "bitmap")
        if form == "full" and self.n:
            return FullVector(values)
        if form == "bitmap":
            return BitmapVector(self.has[: self.n] & np.uint8(1 << slot) != 0, values, count)
        places_of(self.has, np.uint8(1 << slot), self.listed)
        places = self.listed[:count].copy()
        return SparseVector(self.n, places, values[places])


def run_loop(engine: ArrayEngine, plan: LoopPlan) -> LoopAnswer:
    """Run the loop."""
    return Run(engine, plan).all()
