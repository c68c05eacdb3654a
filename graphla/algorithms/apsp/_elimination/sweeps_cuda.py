"""The rows of some sources from a factor on the GPU: kernels, panels in their layout, tasks, the order of launches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp._elimination import layout
from graphla.algorithms.apsp._elimination.arithmetic import Arithmetic
from graphla.algorithms.apsp._elimination.layout import Strips
from graphla.algorithms.apsp._elimination.structure import Structure
from graphla.algorithms.apsp._tiles import Numbers
from graphla.engine.cuda.base import KernelEngine
from graphla.memory import budget
from graphla.storage import Array, get_dtype_name
from semirings.dtypes import lookup

SWEEP_COLUMNS = (
    8  # vertices of a supernode that a thread takes together: each word of the boundary is read once for all
)
SWEEP_ROWS = 4  # rows of a front that a thread has in flight on the way up
SWEEP_THREADS = 128  # columns of X of a block
SQUARE_SIDE, SQUARE_ROWS = 32, 8  # of the transposition
TOGETHER = 4096
"""Sources of a pass: enough threads on the way up, where a warp visits the ancestors of its sources one by one."""
SHARE_OF_MEMORY = 4
"""X may take this part of the memory that is free."""
SUBTREES = 1024
"""A subtree of less than this part of the vertices is one task."""
ANY_COLUMN = np.iinfo(np.int32).max
FILL_BLOCKS = 2048
Done = Callable[[int], None]


class SweepParameters(NamedTuple):
    """The struct of sweeps_cuda.cuh."""

    x: Array
    width: int
    panels: Array
    offset: Array
    first: Array
    indptr: Array
    indices: Array
    listed: Array
    list: Array
    tasks: Array


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
        self.up, self.down = up, down
        self.first, self.start, self.rows = (
            engine.asarray(part) for part in (structure.first, structure.start, structure.rows)
        )
        self.rank = engine.asarray(structure.rank)
        self.of = np.repeat(np.arange(structure.parent.size, dtype=np.int32), structure.widths)
        self.tasks = layout.list_tasks(structure, SUBTREES, SWEEP_COLUMNS)
        self.levels = [engine.asarray(tasks) for tasks in self.tasks]

    def compute(self, sources: Any, targets: Any, out: Array, done: Done | None = None) -> None:
        """Fill ``out[r, j]``, the distance from vertex ``sources[r]`` to ``targets[j]``; None means every vertex."""
        at = self.structure.rank[sources]
        near = np.argsort(at, kind="stable")  # sources beside each other share their ways up
        goals = self.rank if targets is None else self.engine.asarray(self.structure.rank[targets])
        levels, width = self._choose_levels(targets), self.choose_width(near.size)
        X = self.engine.xp.empty(self.structure.n * width, self.arithmetic.view)
        for low in range(0, near.size, width):
            chosen = near[low : low + width]
            self._sweep(at[chosen], levels, X, width)
            self._write(X, width, goals, chosen, out)
            if done is not None:
                done(low + chosen.size)

    def stream(self, rows: int, begin: int = 0) -> Iterator[tuple[int, Array]]:
        """Yield the rows from `begin` on in blocks, with the first vertex of each; a sweep serves many blocks."""
        n, view = self.structure.n, self.arithmetic.view
        width = self.choose_width(n)
        step = rows * max(1, width // rows)
        width = self.choose_width(step)
        X = self.engine.xp.empty(n * width, view)
        for low in range(begin, n, step):
            high = min(low + step, n)
            self._sweep(self.structure.rank[low:high], self.levels, X, width)
            for first in range(low, high, rows):
                out = self.engine.xp.empty((min(rows, high - first), n), self.arithmetic.dtype)
                self._write(X[first - low :], width, self.rank, np.arange(out.shape[0]), out)
                yield first, out

    def choose_width(self, sources: int) -> int:
        """Choose the number of sources of a pass: a multiple of a warp's words."""
        step, row = 32 * self.kind.per_word, self.structure.n * self.arithmetic.view.itemsize
        room = budget(self.engine.xp) // (SHARE_OF_MEMORY * max(1, row))
        return step * max(1, min(-(-sources // step), TOGETHER // step, room // step))

    def _choose_levels(self, targets: Any) -> list[Array]:
        """Return the tasks from the roots down, those alone that lead to the targets."""
        if targets is None:
            return self.levels
        marked = np.zeros(self.structure.parent.size, bool)
        marked[layout.mark_ancestors(self.structure.rank[targets], self.of, self.structure.parent)] = True
        below = np.concatenate([[0], np.cumsum(marked)])
        wanted = [tasks[below[tasks[:, 1]] > below[tasks[:, 0]]] for tasks in self.tasks]
        return [self.engine.asarray(tasks) for tasks in wanted if tasks.size]

    def _sweep(self, at: Any, levels: list[Array], X: Array, width: int) -> None:
        """Fill X with the distances from the sources at these positions to every position."""
        words, n = width // self.kind.per_word, self.structure.n
        asarray, blocks = self.engine.asarray, -(-width // SWEEP_THREADS)
        fill = (
            X,
            np.int64(width),
            np.int32(n),
            asarray(at),
            np.int32(at.size),
            self.arithmetic.one,
            self.arithmetic.zero,
        )
        self.kernel("begin", self.cell)((blocks, min(max(n, 1), FILL_BLOCKS)), SWEEP_THREADS, fill)
        listed, ancestors = layout.list_ancestors(
            at, 32 * self.kind.per_word, words // 32, self.of, self.structure.parent
        )
        threads = min(SWEEP_THREADS, words)
        x = X if self.kind.per_word == 1 else X.view(np.uint32)
        self.kernel("sweep_up", self.kind.name, SweepParameters)(
            -(-words // 32), 32, self._fill(x, words, self.up, asarray(listed), asarray(ancestors))
        )
        sweep_down = self.kernel("sweep_down", self.kind.name, SweepParameters)
        for tasks in levels:
            down = self._fill(x, words, self.down, tasks=tasks)
            sweep_down(-(-words // threads) * tasks.shape[0], threads, down)

    def _fill(
        self, x: Array, words: int, panels: Strips,
        listed: Array | None = None, ancestors: Array | None = None, tasks: Array | None = None,
    ) -> SweepParameters:  # fmt: skip
        """Return the parameters of a sweep; what it does not read is left out."""
        unread = self.engine.get_unread("int32")
        return SweepParameters(
            x=x,
            width=words,
            panels=panels.cells,
            offset=panels.offset,
            first=self.first,
            indptr=self.start,
            indices=self.rows,
            listed=unread if listed is None else listed,
            list=unread if ancestors is None else ancestors,
            tasks=unread if tasks is None else tasks,
        )

    def _write(self, X: Array, width: int, goals: Array, to: Any, out: Array) -> None:
        """Transpose X into the rows `to` of the result."""
        squares = -(-goals.size // SQUARE_SIDE), -(-to.size // SQUARE_SIDE)
        args = (
            X,
            np.int64(width),
            goals,
            np.int32(goals.size),
            self.engine.asarray(to.astype(np.int64)),
            np.int32(to.size),
        )
        ends = self.arithmetic.last, self.arithmetic.far
        if all(squares):
            self.kernel("write_rows", self.cell)(squares, (SQUARE_SIDE, SQUARE_ROWS), (*args, *ends, out.view(X.dtype)))

    def kernel(self, name: str, over: str, takes: type | None = None) -> Any:
        """Return a kernel over a type of the arithmetic, or of its cells."""
        file = Path(__file__).with_suffix(".cuh")
        return self.engine.kernel(file, f"{name}<{over}>", self.kind.prelude, takes=takes)
