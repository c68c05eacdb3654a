"""The rows of some sources from a factor on the GPU: kernels, panels in their layout, tasks, the order of launches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination import layout
from graphla.algorithms.apsp.elimination.arithmetic import Arithmetic
from graphla.algorithms.apsp.elimination.layout import Strips
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.algorithms.apsp.elimination.tables import SWEEP_COLUMNS, keep_with
from graphla.algorithms.apsp.tiles import Numbers
from graphla.common.config import config
from graphla.common.memory import budget
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import Filler, read_struct
from graphla.storage import Array, get_dtype_name
from graphla.storage.convert import make_pointers
from semirings.dtypes import lookup

UP_VERTICES = 32  # of a supernode whose numbers a block shares on the way up
SWEEP_THREADS = 128  # rows of a front of a block on the way up; columns of X on the way down
FEW_THREADS = 256  # of a block of the cooperative grid
SQUARE_SIDE, SQUARE_ROWS = 64, 8  # of the transposition, and the rows of its threads
BEGIN_BLOCKS = 8192, 8  # for supernodes, and for the columns of each
SMALL_BYTES = 1 << 28
"""Bytes of X that fit without asking the device, which takes as long as a launch."""
FEW_WORDS = 128
"""Words of a row of X up to which one cooperative grid goes down: more fill the device with a launch per level.

Measured on an H200 over New York's roads in float32: one launch wins with 64 words (0.51 ms against 0.61), a launch per
level with 256 (0.97 against 1.09) and with 1,024 (2.26 against 3.05). Lines through 64 and 256 cross near 150.
"""
TOGETHER = 4096
"""Sources of a pass: enough threads to fill the device several times."""
SHARE_OF_MEMORY = 4
"""X may take this part of the memory that is free."""
SUBTREES = 1024
"""A subtree of less than this part of the vertices is one task."""
Done = Callable[[int], None]
KERNELS = Path(__file__).with_suffix(".cuh")
UpParameters = read_struct(KERNELS, "UpParameters")
SweepParameters = read_struct(KERNELS, "SweepParameters")
FewParameters = read_struct(KERNELS, "FewParameters")


class Way(NamedTuple):
    """The tasks of the way down: level by level, or those of all depths together with where each depth begins."""

    levels: tuple[Array, ...] | None = None
    tasks: Any = None
    depths: Any = None


class Plan(NamedTuple):
    """What the sweeps read of a structure: its arrays on the device, and the tasks of the ways down on both sides."""

    first: Array
    start: Array
    rows: Array
    rank: Array
    parent: Array
    of: Any
    owner: Array
    levels: dict[bool, list[Any]]
    ways: dict[bool, Way]


def make_plan(engine: KernelEngine, s: Structure) -> Plan:
    """Copy a structure to a device, with the tasks for many sources and for few."""
    of = np.repeat(np.arange(s.parent.size, dtype=np.int32), s.widths)
    levels = {False: layout.list_tasks(s, SUBTREES, SWEEP_COLUMNS), True: layout.list_strips(s, SWEEP_COLUMNS)}
    ways = {few: send_tasks(engine, few, tasks) for few, tasks in levels.items()}
    first, start, rows, rank, parent, owner = map(engine.asarray, (s.first, s.start, s.rows, s.rank, s.parent, of))
    return Plan(first, start, rows, rank, parent, of, owner, levels, ways)


def send_tasks(engine: KernelEngine, few: bool, levels: list[Any]) -> Way:
    """Copy tasks to the device."""
    if not few:
        return Way(levels=tuple(engine.asarray(tasks) for tasks in levels if tasks.size))
    depths = make_pointers(np, np.array([tasks.shape[0] for tasks in levels], np.int64)).astype(np.int32)
    tasks = np.concatenate([np.empty((0, 4), np.int32), *levels])
    return Way(tasks=engine.asarray(tasks), depths=engine.asarray(depths))


class DeviceSweeps:
    """Rows of distances from the panels of a factor.

    Parameters
    ----------
    engine : KernelEngine
        Where the rows are computed.
    structure : Structure
        The fronts.
    up, down : Strips
        The panels, on the device.
    arithmetic : Arithmetic
        The cells of the panels.
    kind : Numbers
        The same arithmetic in the kernels.
    """

    def __init__(
        self,
        engine: KernelEngine,
        structure: Structure,
        up: Strips,
        down: Strips,
        arithmetic: Arithmetic,
        kind: Numbers,
    ) -> None:
        self.engine, self.structure, self.arithmetic, self.kind = engine, structure, arithmetic, kind
        self.cell = lookup(get_dtype_name(arithmetic.view)).c
        self.mark, self.number = engine.xp.zeros(structure.parent.size, np.int32), 0
        self.up, self.down = up, down
        key = "sweeps", engine, engine.device.number()
        self.plan = keep_with(structure, key, lambda: make_plan(engine, structure))
        self.barrier = engine.xp.zeros(1, np.uint32)

    def compute(self, sources: Any, targets: Any, out: Array, done: Done | None = None) -> None:
        """Fill ``out[r, j]``, the distance from vertex ``sources[r]`` to ``targets[j]``; None means every vertex."""
        at = self.structure.rank[sources]
        near = np.argsort(at, kind="stable")  # sources beside each other share their ways up
        both = self.engine.asarray(np.stack([at[near], near]).astype(np.int32))
        goals = self.plan.rank if targets is None else self.engine.asarray(self.structure.rank[targets])
        width = self.choose_width(near.size)
        X, way = self._allocate(width), self._choose_way(width, targets)
        for low in range(0, near.size, width):
            here, to = both[:, low : low + width]
            self._sweep(here, way, X, width)
            self._write(X, width, goals, to, out)
            if done is not None:
                done(low + here.size)

    def stream(self, rows: int, begin: int = 0) -> Iterator[tuple[int, Array]]:
        """Yield the rows from `begin` on in blocks, with the first vertex of each; a sweep serves many blocks."""
        n, xp = self.structure.n, self.engine.xp
        width = self.choose_width(n)
        step = rows * max(1, width // rows)
        width = self.choose_width(step)
        X, way, to = self._allocate(width), self._choose_way(width, None), xp.arange(rows, dtype="int32")
        for low in range(begin, n, step):
            high = min(low + step, n)
            self._sweep(self.plan.rank[low:high], way, X, width)
            for first in range(low, high, rows):
                out = xp.empty((min(rows, high - first), n), self.arithmetic.dtype)
                self._write(X[first - low :], width, self.plan.rank, to[: out.shape[0]], out)
                yield first, out

    def _allocate(self, width: int) -> Array:
        """Allocate X."""
        return self.engine.xp.empty(self.structure.n * width, self.arithmetic.view)

    def choose_width(self, sources: int) -> int:
        """Choose the number of sources of a pass: a multiple of a warp's words."""
        step, row = 32 * self.kind.per_word, self.structure.n * self.arithmetic.view.itemsize
        if config.memory_limit is None and sources <= TOGETHER and (sources + step) * row <= SMALL_BYTES:
            return step * max(1, -(-sources // step))
        room = budget(self.engine.xp) // (SHARE_OF_MEMORY * max(1, row))
        return step * max(1, min(-(-sources // step), TOGETHER // step, room // step))

    def _choose_way(self, width: int, targets: Any) -> Way:
        """Return the tasks from the roots down, those alone that lead to the targets."""
        few = width // self.kind.per_word <= FEW_WORDS
        if targets is None:
            return self.plan.ways[few]
        marked = np.zeros(self.structure.parent.size, bool)
        marked[layout.mark_ancestors(self.structure.rank[targets], self.plan.of, self.structure.parent)] = True
        below = np.concatenate([[0], np.cumsum(marked)])
        wanted = [tasks[below[tasks[:, 1]] > below[tasks[:, 0]]] for tasks in self.plan.levels[few]]
        return send_tasks(self.engine, few, wanted)

    def _sweep(self, at: Array, way: Way, X: Array, width: int) -> None:
        """Fill X with the distances from the sources at these positions to every position."""
        self._begin(at, X, width)
        self._sweep_up(X, width, at)
        x = X if self.kind.per_word == 1 else X.view(np.uint32)
        sweep_down = self._sweep_down_few if way.levels is None else self._sweep_down
        sweep_down(x, width // self.kind.per_word, way)

    def _begin(self, at: Array, X: Array, width: int) -> None:
        """Mark the supernodes of the sources and their ancestors, and fill X there with infinity."""
        self.number += 1
        mark, supernodes = (self.mark, np.int32(self.number)), self.structure.parent.size
        sources = at, np.int32(at.size), self.plan.owner, self.plan.parent
        self.kernel("mark_ancestors", "")(-(-at.size // SWEEP_THREADS), SWEEP_THREADS, (*sources, *mark))
        grid = min(supernodes, BEGIN_BLOCKS[0]), BEGIN_BLOCKS[1]
        fill = X, np.int64(width), self.plan.first, np.int32(supernodes), *mark, self.arithmetic.zero
        self.kernel("begin", self.cell)(grid, SWEEP_THREADS, fill)

    def _sweep_up(self, X: Array, width: int, at: Array) -> None:
        """Go up from the sources at these positions, a block each."""
        parameters = UpParameters(
            x=X, width=width, panels=self.up.cells, offset=self.up.offset, first=self.plan.first,
            indptr=self.plan.start, indices=self.plan.rows, parent=self.plan.parent, owner=self.plan.owner, at=at,
            one=self.arithmetic.one,
        )  # fmt: skip
        self.kernel("sweep_up", self.kind.name, UpParameters)(at.size, SWEEP_THREADS, parameters)

    def _sweep_down(self, x: Array, words: int, way: Way) -> None:
        """Go down, a launch per level."""
        threads, sweep_down = min(SWEEP_THREADS, words), self.kernel("sweep_down", self.kind.name, SweepParameters)
        for tasks in way.levels or ():
            parameters = SweepParameters(
                x=x, width=words, panels=self.down.cells, offset=self.down.offset, first=self.plan.first,
                indptr=self.plan.start, indices=self.plan.rows, tasks=tasks, mark=self.mark, number=self.number,
            )  # fmt: skip
            sweep_down(-(-words // threads) * tasks.shape[0], threads, parameters)

    def _sweep_down_few(self, x: Array, words: int, way: Way) -> None:
        """Go down in one launch."""
        sweep_down = self.kernel("sweep_down_few", self.kind.name, FewParameters, cooperative=True)
        parameters = FewParameters(
            x=x, width=words, panels=self.down.cells, offset=self.down.offset, first=self.plan.first,
            indptr=self.plan.start, indices=self.plan.rows, tasks=way.tasks, mark=self.mark, number=self.number,
            depths=way.depths, deepest=way.depths.size - 1, one=self.arithmetic.one, barrier=self.barrier,
        )  # fmt: skip
        sweep_down(sweep_down.resident_blocks(FEW_THREADS), FEW_THREADS, parameters)

    def _write(self, X: Array, width: int, goals: Array, to: Array, out: Array) -> None:
        """Transpose X into the rows `to` of the result."""
        squares = -(-goals.size // SQUARE_SIDE), -(-to.size // SQUARE_SIDE)
        args = X, np.int64(width), goals, np.int32(goals.size), to, np.int32(to.size)
        ends = self.arithmetic.last, self.arithmetic.far
        if all(squares):
            self.kernel("write_rows", self.cell)(squares, (32, SQUARE_ROWS), (*args, *ends, out.view(X.dtype)))

    def kernel(self, name: str, over: str, takes: Filler | None = None, cooperative: bool = False) -> Any:
        """Return a kernel over a type of the arithmetic, or of its cells."""
        return self.engine.kernel(KERNELS, f"{name}<{over}>" if over else name, self.kind.prelude, cooperative, takes)
