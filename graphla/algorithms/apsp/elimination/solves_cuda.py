"""Solutions from the factor of a symmetric matrix on the GPU, each in one cooperative launch."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination.ldl_cuda import DeviceDecomposition
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.algorithms.apsp.elimination.tables import SWEEP_COLUMNS, keep_with
from graphla.algorithms.apsp.elimination.tree import measure_depths
from graphla.common.memory import budget
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.storage import Array
from graphla.storage.convert import make_pointers
from graphla.storage.records import find_type

SOLVE_THREADS = 256  # of a block: a warp for each of the pivots of a strip
EACH_BLOCKS = 2
"""Blocks of a multiprocessor at most: they keep 64 bytes a thread on the way, and more make a barrier take longer."""
FEW = 4
"""Right-hand sides up to which each passes over the factor alone: with a lane for each most lanes would do nothing."""
TOGETHER = 256
"""Right-hand sides of a pass: a panel is read once for 32, and what is between the depths stays in the second cache."""
SHARE_OF_MEMORY = 4
"""What a pass holds between the depths may take this part of the memory that is free."""
KERNELS = Path(__file__).with_suffix(".cuh")
SolveParameters = read_struct(KERNELS, "SolveParameters")


class Tasks(NamedTuple):
    """Things in the order of the depths of the tree, on the device, and where each depth begins."""

    listed: Array
    depths: Array


class Way(NamedTuple):
    """What a solution reads of a structure, on the device; see `solves_cuda.cuh`."""

    order: Array
    begin: Array
    parts: Array
    positions: Tasks
    up: dict[bool, Tasks]
    down: Tasks
    deepest: int


def make_way(engine: KernelEngine, s: Structure) -> Way:
    """Copy to a device what solutions read of a structure."""
    depth = measure_depths(s.parent)
    begin, parts = list_parts(s)
    rows = {False: choose_rows(s.widths), True: np.full(s.parent.size, SWEEP_COLUMNS)}
    up = {many: cut(engine, depth, s.boundaries, step) for many, step in rows.items()}
    positions = by_depth(engine, np.arange(s.n, dtype=np.int32), np.repeat(depth, s.widths), depth)
    down = cut(engine, depth, s.widths, np.full(s.parent.size, SWEEP_COLUMNS))
    order, begin, parts = map(engine.asarray, (s.order, begin, parts))
    return Way(order, begin, parts, positions, up, down, int(depth.max(initial=-1)) + 1)


def list_parts(s: Structure) -> tuple[Any, Any]:
    """Return for each row which rows of the boundaries of children it takes: pointers and numbers, int32.

    The rows are the positions, as the own rows of their supernodes, and then the boundaries' in their order.
    """
    boundaries = s.boundaries
    above = np.repeat(s.parent, boundaries)
    own = s.place < s.widths[above]
    rows = np.where(own, s.first[above] + s.place, s.n + s.start[above] + s.place - s.widths[above])
    counts = np.bincount(rows, minlength=s.n + s.rows.size)
    return make_pointers(np, counts).astype(np.int32), np.argsort(rows, kind="stable").astype(np.int32)


def choose_rows(widths: Any) -> Any:
    """Return how many rows of a boundary a warp takes for one right-hand side: as many as leave a strip a lane."""
    strips = np.minimum(32, -(-widths // SWEEP_COLUMNS))
    return 32 >> np.ceil(np.log2(np.maximum(1, strips))).astype(int)


def cut(engine: KernelEngine, depth: Any, sizes: Any, step: Any) -> Tasks:
    """Cut so many rows or pivots of each supernode into tasks of `step`: the supernode, and the first of them."""
    pieces = -(-sizes // step)
    s = np.repeat(np.arange(sizes.size, dtype=np.int32), pieces)
    first = (np.arange(s.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)) * step[s]
    return by_depth(engine, np.stack([s, first], 1).astype(np.int32), depth[s], depth)


def by_depth(engine: KernelEngine, things: Any, depth: Any, depths: Any) -> Tasks:
    """Sort things by their depth."""
    counts = np.bincount(depth, minlength=int(depths.max(initial=-1)) + 1)
    listed, depths = things[np.argsort(depth, kind="stable")], make_pointers(np, counts).astype(np.int32)
    return Tasks(engine.asarray(listed), engine.asarray(depths))


def name_kernel(dtype: Any, many: bool = False) -> str:
    """Return the kernel for one right-hand side or for many."""
    return f"solve_{'many' if many else 'one'}<{find_type(dtype).c}>"


class DeviceSolver:
    """Solutions of A x = b by the factor of A.

    Parameters
    ----------
    work : DeviceDecomposition
        The factor.
    """

    def __init__(self, work: DeviceDecomposition) -> None:
        self.work, self.engine = work, work.engine
        key = "solves", self.engine, self.engine.device.number()
        self.way = keep_with(work.structure, key, lambda: make_way(self.engine, work.structure))

    def apply(self, b: Array, onto: Array | None = None, scale: float = 1.0) -> Array:
        """Return A⁻¹ b · scale in FP64, for b of FP64 and shape (n,) or (n, k), added to `onto` if that is given."""
        columns = 1 if b.ndim == 1 else b.shape[1]
        x = self.engine.xp.empty(b.shape, np.float64) if onto is None else self.engine.device.copy(onto)
        step = self._choose_step(columns) if x.size else 1
        for column in range(0, x.size and columns, step):
            self._pass(b, x, columns, column, step, onto is not None, scale)
        return x

    def _choose_step(self, columns: int) -> int:
        """Choose the right-hand sides of a pass: one, or a multiple of a warp's."""
        if columns <= FEW:
            return 1
        s = self.work.structure
        room = budget(self.engine.xp) // (SHARE_OF_MEMORY * self.work.dtype.itemsize * (2 * s.n + s.rows.size))
        return 32 * max(1, min(-(-columns // 32), TOGETHER // 32, room // 32))

    def _count_blocks(self, kernel: Any) -> int:
        """Count the blocks of a launch."""
        return min(kernel.resident_blocks(SOLVE_THREADS), EACH_BLOCKS * self.engine.device.processors())

    def _pass(self, b: Array, x: Array, columns: int, column: int, width: int, onto: bool, scale: float) -> None:
        """Solve for some columns."""
        w, t, xp, many = self.way, self.work.tables, self.engine.xp, width > 1
        f, u, y = (xp.empty(max(1, rows * width), self.work.dtype) for rows in (t.rank.size, t.place.size, t.rank.size))
        up = w.up[many]
        name = name_kernel(self.work.dtype, many)
        kernel = self.engine.kernel(KERNELS, name, cooperative=True, takes=SolveParameters)
        blocks = keep_with(self.work.structure, ("blocks", kernel), lambda: self._count_blocks(kernel))
        parameters = SolveParameters(
            b=b, x=x, onto=int(onto), scale=scale, columns=columns, column=column, width=width, order=w.order,
            panels=self.work.panels.cells, offset=self.work.panels.offset, first=t.first, indptr=t.indptr,
            indices=t.indices, begin=w.begin, parts=w.parts, positions=w.positions.listed,
            position_depths=w.positions.depths, up=up.listed, up_depths=up.depths, down=w.down.listed,
            down_depths=w.down.depths, deepest=w.deepest, f=f, u=u, y=y, barrier=self.engine.get_barrier(),
        )  # fmt: skip
        kernel(blocks, SOLVE_THREADS, parameters)
