"""The factor of a symmetric matrix on the GPU: the fronts of one depth of the tree after another, from the deepest up.

A front keeps the inverse of its pivots and W = F[S, S]⁻¹ F[S, B], w × m numbers as L of the host has: a solution then
has products of dense blocks alone, and nothing waits within a front.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination import tables
from graphla.algorithms.apsp.elimination.fronts_cuda import MOST_BLOCKS, FrontParameters, fill_fronts
from graphla.algorithms.apsp.elimination.layout import Strips
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.algorithms.apsp.elimination.tables import (
    FRONT_THREADS,
    SWEEP_COLUMNS,
    Level,
    get_layout,
    get_tables,
    keep_with,
)
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.storage import Array
from graphla.storage.records import find_type

SQUARE = 64  # pivots of a large front that are taken together, and the side of a block's square of it
SLAB = 16  # rows of two squares that are in shared memory at once
EACH = 4  # rows and columns of a thread's cells
LARGE = "assemble_rows", "add_arcs", "invert_pivots", "scale_rows", "take_update", "store_panels"
NONE = np.iinfo(np.int32).max
"""The position where no elimination ends."""
KERNELS = Path(__file__).with_suffix(".cuh")
PivotParameters = read_struct(KERNELS, "PivotParameters")


def choose_large(depth: Any, widths: Any, heights: Any) -> Any:
    """Choose the fronts that go together in squares: those that no block can, and those that squares fill.

    All of a depth go together, so that none waits for a turn; but a step of few pivots computes with SQUARE.
    """
    return (heights > tables.LARGE_SIDE) | ((heights >= 2 * SQUARE) & (widths >= SQUARE // 2))


class Large(NamedTuple):
    """The large fronts of one depth, those with the most pivots first.

    Parameters
    ----------
    fronts : Array
        Their supernodes, on the device.
    rows, arcs : int
        The most rows of one, with padding, and the most arcs.
    steps : tuple of (int, int)
        Of each step, how many fronts still have pivots, and the most squares along one of them.
    """

    fronts: Array
    rows: int
    arcs: int
    steps: tuple[tuple[int, int], ...]


def list_large(engine: KernelEngine, s: Structure, level: Level) -> Large:
    """Prepare the large fronts of a depth."""
    widths, stride = s.widths[level.large], get_layout(s, SQUARE, choose_large).stride[level.large]
    order = np.argsort(-widths, kind="stable")
    fronts, stride, steps = level.large[order], stride[order], -(-widths[order] // SQUARE)
    counts = [int((steps > step).sum()) for step in range(int(steps.max(initial=0)))]
    sizes = tuple((count, int(stride[:count].max()) // SQUARE) for count in counts)
    arcs = int((s.begin[fronts + 1] - s.begin[fronts]).max(initial=0))
    return Large(engine.asarray(fronts), int(stride.max(initial=0)), arcs, sizes)


class DeviceDecomposition:
    """The pivots' inverses and W of a symmetric matrix on a device; `run` fills them.

    Parameters
    ----------
    engine : KernelEngine
        The engine.
    structure : Structure
        The fronts.
    values : Array
        The entries of the matrix in CSR order, FP32 or FP64, on the device.
    least : float
        The magnitude that a pivot must exceed.

    Attributes
    ----------
    panels : Strips
        F[S, S]⁻¹ and W of each front, row by row of its transpose in strips of SWEEP_COLUMNS of its pivots.
    d : Array
        The pivots by positions: the diagonal of D in L D Lᵀ.
    """

    def __init__(self, engine: KernelEngine, structure: Structure, values: Array, least: float) -> None:
        self.engine, self.structure, self.dtype = engine, structure, values.dtype
        self.tables, self.least = get_tables(engine, structure, SQUARE, choose_large), least
        key = "ldl", engine, engine.device.number()
        self.large = keep_with(structure, key, lambda: [list_large(engine, structure, x) for x in self.tables.levels])
        self.values = engine.lists.gather(values, self.tables.arc)
        cells = int(get_layout(structure, SQUARE, choose_large).up[-1])
        self.panels = Strips(engine.xp.empty(cells + SWEEP_COLUMNS, values.dtype), self.tables.up)
        self.d = engine.xp.empty(structure.n, values.dtype)

    def run(self) -> int:
        """Fill `panels` and `d`; return the first position with a bad pivot, or −1."""
        xp = self.engine.xp
        found, below = self.engine.asarray(np.array([NONE], np.int32)), xp.empty(1, self.dtype)
        for level, large in reversed([*zip(self.tables.levels, self.large, strict=True)]):
            here = xp.empty(level.cells, self.dtype)
            self._run_level(level, large, self._fill(here, below, found, large))
            below = here
        first = int(self.engine.to_host(found)[0])
        return -1 if first == NONE else first

    def _run_level(self, level: Level, large: Large, parameters: Any) -> None:
        """Eliminate the fronts of one depth."""
        if large.steps:
            self._run_large(large, self._choose(parameters, large.fronts))
        for side, threads, fronts in level.groups:
            kernel = self._get_kernel("factorize_fronts", f", {side}")
            kernel(fronts.size, threads, self._choose(parameters, fronts))

    def _run_large(self, large: Large, own: Any) -> None:
        """Eliminate the large fronts of one depth together."""
        count, arcs = large.steps[0][0], min(max(1, -(-large.arcs // FRONT_THREADS)), MOST_BLOCKS)
        self._get_kernel("assemble_rows")((large.rows, count), FRONT_THREADS, own.front)
        self._get_kernel("add_arcs")((arcs, count), FRONT_THREADS, own.front)
        invert, scale, update = map(self._get_kernel, ("invert_pivots", "scale_rows", "take_update"))
        for step, (fronts, squares) in enumerate(large.steps):
            now = own._replace(step=step)
            invert((1, fronts), FRONT_THREADS, now)
            scale((squares, fronts), FRONT_THREADS, now)
            update((squares * squares, fronts), FRONT_THREADS, now)
        self._get_kernel("store_panels")((min(large.rows, MOST_BLOCKS), count), FRONT_THREADS, own)

    def _choose(self, parameters: Any, fronts: Array) -> Any:
        """Return the parameters for some fronts."""
        return parameters._replace(front=parameters.front._replace(fronts=fronts))

    def _fill(self, here: Array, below: Array, found: Array, large: Large) -> Any:
        """Return the parameters for the fronts of one depth."""
        xp, zero, count = self.engine.xp, self.dtype.type(0), large.steps[0][0] if large.steps else 0
        front = fill_fronts(self.tables, here, below, self.values, (self.panels, self.panels), found, (zero, zero))
        old, fresh = (xp.empty(max(1, count * SQUARE * large.rows), self.dtype) for _ in range(2))
        return PivotParameters(
            front=front, d=self.d, least=self.least, inverse=xp.empty(max(1, count * SQUARE * SQUARE), self.dtype),
            old=old, fresh=fresh, width=large.rows, step=0,
        )  # fmt: skip

    def _get_kernel(self, name: str, over: str = "") -> Any:
        """Return a kernel over the numbers and other arguments of its template."""
        takes = FrontParameters if name in ("assemble_rows", "add_arcs") else PivotParameters
        beside = name_large(self.dtype) if name in LARGE else ()
        return self.engine.kernel(KERNELS, name_kernel(name, self.dtype, over), takes=takes, beside=beside)


def name_kernel(name: str, dtype: Any, over: str = "") -> str:
    """Return a kernel over numbers and other arguments of its template."""
    return f"{name}<Reals<{find_type(dtype).c}>{over}>"


def name_large(dtype: Any) -> tuple[str, ...]:
    """Return the kernels of large fronts, which are one module."""
    return tuple(name_kernel(name, dtype) for name in LARGE)


def begin(engine: KernelEngine, s: Structure, dtype: Any) -> None:
    """Begin to compile what a factor needs, while other things are done."""
    levels = get_tables(engine, s, SQUARE, choose_large).levels
    for side in sorted({side for level in levels for side, _, _ in level.groups}):
        engine.begin(KERNELS, name_kernel("factorize_fronts", dtype, f", {side}"))
    if any(level.large.size for level in levels):
        engine.begin(KERNELS, *name_large(dtype))


def count_bytes(s: Structure, itemsize: int) -> int:
    """Count the bytes of the panels and of the fronts of two depths, which are held at once, with what steps keep."""
    placed = get_layout(s, SQUARE, choose_large)
    fronts = int((placed.cells + np.append(placed.cells[1:], 0)).max(initial=0))
    depth, stride = placed.depth[placed.large], placed.stride[placed.large]
    rows = np.zeros(placed.cells.size, np.int64)
    np.maximum.at(rows, depth, stride)
    steps = 2 * SQUARE * int((np.bincount(depth, minlength=rows.size) * rows).max(initial=0))
    return (int(placed.up[-1]) + fronts + steps) * itemsize
