"""Run the products of a round over arrays of fixed size: push while few entries have arcs, else pull on all cores."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.arrays.engine import ArrayEngine
from graphla.engine.arrays.rounds_arrays import Arrays, bind_product
from graphla.engine.cpu import source, work
from graphla.engine.cpu.entries.vectors import NO_FLAGS
from graphla.engine.cpu.matvec import compile_step
from graphla.engine.cpu.threads import run_over_rows
from graphla.planning.degrees import stops_early
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.loops.terms import Multiply, Product
from graphla.planning.plan import PULL_ADVANTAGE, ROW_FLAG
from graphla.storage import Array, CompressedMatrix, FullVector
from semirings.python import render_semiring


@lru_cache(maxsize=1024)
def compile_product(text: str, constants: tuple[tuple[str, bool], ...]) -> ModuleType:
    """Compile the kernels of a product."""
    named = "".join(f"{name} = {value}\n" for name, value in constants)
    return source.make_module("rounds_product", f"{text}\n\n{named}")


class EntryProduct:
    """A product that runs in each round.

    Attributes
    ----------
    pulled : int
        Rounds that pulled.
    """

    def __init__(self, engine: ArrayEngine, plan: RoundsPlan, phase: Multiply, arrays: Arrays) -> None:
        self.engine, self.phase, self.arrays = engine, phase, arrays
        self.product: Product = plan.products[phase.index]
        layout = plan.layouts[phase.operand]
        self.shape = layout.width, layout.stride
        self.masked, self.pulled = phase.mask is not None, 0
        self.code = self.compile(arrays.present[phase.out] is not None)
        self.into = engine.orient(self.product.matrix, self.product.rows_are_k)
        self.active = np.empty(layout.size, np.int32)
        self.early = stops_early(self.product.semiring, self.product.out)

    def compile(self, flags: bool) -> ModuleType:
        product, mask = self.product, self.phase.mask
        text = render_semiring(product.semiring, *product.types)
        constants = {
            "FLIP": product.flip,
            "FLAGGED": product.flagged,
            "MASKED": self.masked,
            "COMPLEMENT": mask is not None and mask.complement,
            "FLAGS": flags,
        }
        return compile_product(text, tuple(constants.items()))

    def run(self) -> None:
        """Compute the product."""
        arrays, phase = self.arrays, self.phase
        x, y = arrays.values[phase.operand], arrays.values[phase.out]
        has, found = self.get_flags(phase.operand), self.get_flags(phase.out)
        allowed = NO_FLAGS if phase.mask is None else self.get_flags(phase.mask.slot)
        given = x, has, allowed, y, found
        size = self.list_pushed(has, allowed) if self.product.flagged else None
        if size is not None:
            found[:] = False
            out = self.get_scattered()
            self.code.push(out.indptr, out.indices, out.values, *given, self.active, size, *self.shape)
            return
        self.pulled += 1
        into, pull = self.into, self.code.pull if self.shape[0] == 1 else self.code.pull_wide
        rows = into.indptr, into.nvals * self.shape[0], into.indptr, into.indices, into.values
        run_over_rows(pull, *rows, *given, *self.shape)

    def get_flags(self, slot: int) -> Array:
        found = self.arrays.present[slot]
        return NO_FLAGS if found is None else found

    def get_scattered(self) -> CompressedMatrix:
        """Return the matrix whose rows a push scatters."""
        return self.engine.orient(self.product.matrix, not self.product.rows_are_k)

    def list_pushed(self, has: Array, allowed: Array) -> int | None:
        """List the vertices that a push scatters and return their number; None for a pull."""
        if self.product.direction == "pull":
            return None
        words = has[: has.size // 8 * 8].view("uint64")
        size, entries, products = self.code.list_active(
            words, has, self.get_scattered().indptr, self.active, *self.shape
        )
        if self.product.direction == "push":
            return size
        rows = self.arrays.values[self.phase.out].size
        if products * PULL_ADVANTAGE <= rows * ROW_FLAG:
            return size
        return None if self.estimate_pull(rows, entries, allowed) < PULL_ADVANTAGE * products else size

    def estimate_pull(self, rows: int, entries: int, allowed: Array) -> float:
        """Return the cost of a pull by the rule of `plan.choose_direction`."""
        open_rows = rows
        if self.phase.mask is not None:
            flagged = int(np.count_nonzero(allowed))
            open_rows = rows - flagged if self.phase.mask.complement else flagged
        degree = self.into.nvals / max(1, self.into.shape[0])
        cells = self.into.shape[1] * self.shape[0]
        probes = min(degree, cells / max(1, entries)) if self.early else degree
        return rows * ROW_FLAG + open_rows * (1 + probes)


class FullProduct:
    """A product of a full vector that runs in each round, into arrays of its own."""

    def __init__(self, engine: Any, plan: RoundsPlan, phase: Multiply, arrays: Arrays) -> None:
        self.engine, self.phase, self.arrays = engine, phase, arrays
        step = bind_product(plan.products[phase.index], FullVector(arrays.values[phase.operand]))
        matrix = engine.orient(step.matrix, step.transposed)
        self.pull = None
        if isinstance(matrix, CompressedMatrix) and step.direction != "push" and not work.counts_entries(step):
            self.pull = compile_step("pull", step, matrix).pull
            self.rows = matrix.indptr, matrix.nvals, matrix.indptr, matrix.indices, matrix.values, True
            self.present = np.empty(step.size, bool)

    def run(self) -> None:
        """Compute the product."""
        arrays, phase = self.arrays, self.phase
        if self.pull is None:
            arrays.multiply(self.engine, phase)
            return
        given = NO_FLAGS, arrays.values[phase.operand], False, NO_FLAGS, True  # without a mask
        run_over_rows(self.pull, *self.rows, *given, self.present, arrays.values[phase.out])
        arrays.set_presence(self.engine, phase, self.present)


def make_products(engine: ArrayEngine, plan: RoundsPlan, arrays: Arrays, phases: Any) -> dict[int, Any]:
    """The products, by the `id` of their phase."""
    chosen = [phase for phase in phases if isinstance(phase, Multiply)]
    return {
        id(phase): (EntryProduct if phase.entries else FullProduct)(engine, plan, phase, arrays) for phase in chosen
    }
