"""Run a compiled loop: consecutive push rounds run in one call on one core, a pull round runs on all cores."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.arrays.engine import ArrayEngine
from graphla.engine.cpu import source
from graphla.engine.cpu.loop.kernel_text import write_body
from graphla.engine.cpu.presence_bytes import list_indices
from graphla.engine.cpu.threads import run_over_rows
from graphla.planning.loops.kernel import KernelAnswer, KernelBody, KernelPlan
from graphla.planning.steps import Direction
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullVector, SparseVector, VectorStorage
from graphla.storage.formats import choose_vector_format

DIRECTION_CODES = {None: 0, "push": 1, "pull": 2}  # kernels/loop.py


@lru_cache(maxsize=1024)
def compile_loop(body: KernelBody, numbers: int) -> ModuleType:
    """Compile the rounds of a body."""
    text = write_body(body, numbers)
    return source.make_module("loop", text.functions, tuple(text.parts.items()))


class Run:
    """A running loop: the vectors as presence bytes and dense values, and the work space of a round."""

    def __init__(self, engine: ArrayEngine, plan: KernelPlan) -> None:
        self.engine, self.plan, self.body = engine, plan, plan.body
        self.code = compile_loop(plan.body, len(plan.numbers))
        self.n = n = plan.matrix.nrows
        self.has = np.zeros(-(-n // 8) * 8, np.uint8)
        slots: Any = plan.slots
        self.counts = np.array([storage.nvals for storage in slots], np.int64)
        self.values = tuple(self.enter_slot(slot, storage) for slot, storage in enumerate(slots))
        self.numbers = tuple(engine.fill_value(value, dtype) for value, dtype in plan.numbers)
        self.product, self.active = np.empty(n, plan.body.out.numpy), np.empty(n, np.int32)

    def enter_slot(self, slot: int, storage: Any) -> Array:
        """Return the values of a slot as a dense array, and set its presence bits."""
        flags, bit = self.has[: self.n], np.uint8(1 << slot)
        if isinstance(storage, SparseVector):
            values = np.empty(self.n, storage.values.dtype)
            values[storage.indices] = storage.values
            flags[storage.indices] |= bit
            return values
        flags |= bit if isinstance(storage, FullVector) else storage.present.view(np.uint8) << np.uint8(slot)
        return storage.values

    def run_rounds(self) -> KernelAnswer:
        """Run all rounds; pull rounds run outside the compiled call."""
        round_number, pulled, pulls = 0, 0, True
        vectors = self.has, self.values, self.numbers, self.product
        while pulls:
            requested = self.choose_direction()
            rows = self.get_rows("pull" if requested == "pull" else "push")
            round_number, pulls = self.code.run_rounds(
                rows.indptr, rows.indices, rows.values, *vectors, self.active, self.counts,
                round_number, self.plan.limit, DIRECTION_CODES[requested],
            )  # fmt: skip
            if pulls:
                self.pull(round_number)
                round_number, pulled = round_number + 1, pulled + 1
        return KernelAnswer(tuple(self.make_storage(slot) for slot in self.body.written_slots), round_number, pulled)

    def choose_direction(self) -> Direction | None:
        """Return the direction of the next rounds, or None if each round chooses.

        A full operand without a mask is pulled, as in `plan.PULL_OF_FULL_VECTOR`.
        """
        whole = self.counts[self.body.operand] == self.n and self.body.mask is None
        return "pull" if self.plan.direction is None and whole else self.plan.direction

    def get_rows(self, direction: Direction) -> CompressedMatrix:
        """Return the matrix whose rows a push scatters or a pull probes."""
        transposed = self.plan.push_transposed if direction == "push" else self.plan.pull_transposed
        return self.engine.orient(self.plan.matrix, transposed)

    def pull(self, round_number: int) -> None:
        """Compute the product of a pull round and run the statements after it."""
        into, code = self.get_rows("pull"), self.code
        shares = into.indptr, into.nvals
        run_over_rows(code.pull, *shares, into.indptr, into.indices, into.values, self.has, self.values, self.product)
        growth = run_over_rows(code.settle, *shares, self.has, self.values, self.numbers, self.product, round_number)
        self.counts += sum(growth)

    def make_storage(self, slot: int) -> VectorStorage:
        """Return the result in a slot, in a suitable format."""
        count, before, values = int(self.counts[slot]), self.plan.slots[slot], self.values[slot]
        form = choose_vector_format(count, self.n, "sparse" if isinstance(before, SparseVector) else "bitmap")
        if form == "full" and self.n:
            return FullVector(values)
        if form == "bitmap":
            return BitmapVector(self.has[: self.n] & np.uint8(1 << slot) != 0, values, count)
        list_indices(self.has, np.uint8(1 << slot), self.active)
        indices = self.active[:count].copy()
        return SparseVector(self.n, indices, values[indices])


def run_loop(engine: ArrayEngine, plan: KernelPlan) -> KernelAnswer:
    """Run a loop."""
    return Run(engine, plan).run_rounds()
