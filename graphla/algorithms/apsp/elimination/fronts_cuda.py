"""The numeric phase on the GPU: the fronts of one depth of the tree after another, from the deepest up.

At each depth a block closes each of the smaller fronts, and tiles close the large ones, as they do the blocks of
`_tiles`. Fronts of two depths are held at a time. The panels go to the strips that the sweeps read.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.apsp import tiles
from graphla.algorithms.apsp.elimination.arithmetic import Arithmetic
from graphla.algorithms.apsp.elimination.layout import Strips
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.algorithms.apsp.elimination.tables import (
    FRONT_THREADS,
    SWEEP_COLUMNS,
    Level,
    Tables,
    choose_side,
    get_layout,
    get_tables,
)
from graphla.algorithms.apsp.lanes import Branches
from graphla.algorithms.apsp.tiles import Numbers
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.storage import Array
from graphla.storage.convert import gather, make_full

FRONT_BYTES = 32  # of the pivots that a block closes together, for numbers of four bytes or more
FRONT_ROWS = 4  # of a front, which a warp combines with these pivots in one pass over them
MOST_BLOCKS = 4096
BRANCHES = 4  # large fronts of one depth that are closed side by side
KERNELS = Path(__file__).with_suffix(".cuh")
FrontParameters = read_struct(KERNELS, "FrontParameters")


class DeviceElimination:
    """One numeric elimination on a device.

    Parameters
    ----------
    engine : KernelEngine
        The engine.
    structure : Structure
        The fronts.
    weights : Array
        The weights of the arcs in CSR order, as cells, on the device.
    arithmetic : Arithmetic
        The cells.
    kind : Numbers
        The same arithmetic in the kernels.
    """

    def __init__(
        self, engine: KernelEngine, structure: Structure, weights: Array, arithmetic: Arithmetic, kind: Numbers
    ) -> None:
        self.engine, self.structure, self.arithmetic, self.kind = engine, structure, arithmetic, kind
        self.side = choose_side(arithmetic.view.itemsize)
        self.tables, self.placed = get_tables(engine, structure, self.side), get_layout(structure, self.side)
        self.values = gather(weights, self.tables.arc)
        self.up = self._allocate(int(self.placed.up[-1]), self.tables.up)
        self.down = self._allocate(int(self.placed.down[-1]), self.tables.down)
        self.cycle = make_full(engine.xp, 1, -1, "int32")

    @cached_property
    def branches(self) -> Branches:
        """Streams for large fronts."""
        return Branches(self.engine.xp, BRANCHES)

    @cached_property
    def barriers(self) -> Array:
        """A barrier for each of them."""
        return self.engine.xp.zeros(BRANCHES, np.uint32)

    def _allocate(self, cells: int, offset: Array) -> Strips:
        """Allocate strips; the kernels write every cell that is read."""
        return Strips(self.engine.xp.empty(cells + SWEEP_COLUMNS, self.arithmetic.view), offset)

    def run(self) -> int:
        """Fill `up` and `down`; return a position on a negative cycle, or −1."""
        below, ends = self.engine.xp.empty(1, self.arithmetic.view), (self.arithmetic.one, self.arithmetic.zero)
        for level in reversed(self.tables.levels):
            here = self.engine.xp.empty(level.cells, self.arithmetic.view)
            facts = here, below, self.values, (self.up, self.down), self.cycle, ends
            self._run_level(level, fill_fronts(self.tables, *facts))
            below = here
        return int(self.cycle[0])

    def _run_level(self, level: Level, parameters: Any) -> None:
        """Eliminate the fronts of one depth."""
        if level.large.size:
            self._run_branches(level, parameters)
        for side, threads, fronts in level.groups:
            kernel = self._get_kernel("eliminate_fronts", f", {side}")
            kernel(fronts.size, threads, parameters._replace(fronts=fronts))

    def _run_branches(self, level: Level, parameters: Any) -> None:
        """Eliminate large fronts, some side by side."""
        barriers = self.barriers
        with self.branches.fork() as streams:
            for number, front in enumerate(level.large):
                branch, own = number % BRANCHES, parameters._replace(fronts=level.large_there[number:])
                with streams[branch]:
                    self._run_large(int(front), own, barriers[branch:])

    def _run_large(self, s: int, own: Any, barrier: Array) -> None:
        """Eliminate one front by tiles, on the current stream."""
        F = self._view(s, own.here)
        self._get_kernel("assemble_rows")(F.shape[0], FRONT_THREADS, own)
        arcs = int(self.structure.begin[s + 1] - self.structure.begin[s])
        if arcs:
            self._get_kernel("add_arcs")(min(-(-arcs // FRONT_THREADS), MOST_BLOCKS), FRONT_THREADS, own)
        self._close(F, int(self.structure.widths[s]), int(self.structure.first[s]), barrier)
        self._get_kernel("store_rows")(min(F.shape[0], MOST_BLOCKS), FRONT_THREADS, own)

    def _view(self, s: int, here: Array) -> Array:
        """Return a front as a square."""
        begin, stride = int(self.placed.at[s]), int(self.placed.stride[s])
        return here[begin : begin + stride * stride].reshape(stride, stride)

    def _close(self, F: Array, pivots: int, name: int, barrier: Array) -> None:
        """Close a front over its first pivots, a block of them at a time."""
        made = tiles.make_buffers(self.engine.xp, F, self.side, self.kind.per_word)
        b = tiles.Buffers(F, made.before, made.squares, made.after, self.cycle, barrier)
        for first in range(0, pivots, self.side):
            one, after = self.arithmetic.one, b.after[0]
            tiles.prepare_pivot(self.engine, b, self.kind, first, self.side, after, one, name + first)
            tiles.relax(self.engine, F, self.kind, after, first, self.side)

    def _get_kernel(self, name: str, over: str = "") -> Any:
        """Return a kernel over the arithmetic and other arguments of its template."""
        return self.engine.kernel(KERNELS, f"{name}<{self.kind.name}{over}>", self.kind.prelude, takes=FrontParameters)


def fill_fronts(
    t: Tables, here: Array, below: Array, values: Array, strips: tuple[Strips, Strips], cycle: Array, ends: Any
) -> Any:
    """Return the parameters for the fronts of one depth; `ends` is the one of the arithmetic and its zero."""
    (up, down), (one, zero) = strips, ends
    return FrontParameters(
        fronts=here, here=here, below=below, at=t.at, stride=t.stride, split=t.split, first=t.first,
        indptr=t.indptr, place=t.place, begin=t.begin, front_row=t.row, front_column=t.column,
        children_of=t.children_of, children=t.children, values=values,
        up=up.cells, up_offset=up.offset, down=down.cells, down_offset=down.offset,
        cycle=cycle, one=one, zero=zero,
    )  # fmt: skip
