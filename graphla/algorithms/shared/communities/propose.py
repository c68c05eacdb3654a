"""Proposals by the kernels of a GPU: rows by their lengths, one launch per class of rows and round."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.level import LEAST_GAIN, Level
from graphla.engine.cuda.records import read_struct

Array = Any
THREADS = 256
WARP_ROW = 64
"""Entries of a row that a warp adds up in shared memory."""
BLOCK_ROW = 1024
"""Entries of a row that a block adds up in shared memory; the table of a longer row is in global memory."""
BLOCK_THREADS = 256
LONG_THREADS = 1024
KERNELS = Path(__file__).with_name("parallel.cuh")
ProposeParameters = read_struct(KERNELS, "ProposeParameters")
AddParameters = read_struct(KERNELS, "AddParameters")
RouseParameters = read_struct(KERNELS, "RouseParameters")


class Kernels:
    """Proposals on the rows of a level; what they need of it is kept until another level comes.

    Attributes
    ----------
    engine : CudaEngine
        The engine.
    """

    def __init__(self, engine: Any) -> None:
        self.engine, self.level = engine, None

    def prepare(self, level: Level) -> None:
        """Sort the rows by their lengths, and make room for the tables of the longest."""
        xp, rows = self.engine.xp, level.rows
        lengths = (rows.indptr[1:] - rows.indptr[:-1]).astype(np.int64)
        limits = pairwise((0, WARP_ROW, BLOCK_ROW, max(BLOCK_ROW, rows.nvals)))
        self.rows = [xp.flatnonzero((lengths > low) & (lengths <= high)).astype(np.int32) for low, high in limits]
        slots = 2 * lengths[self.rows[2]]
        self.tables = xp.cumsum(slots) - slots
        size = int(slots.sum())
        self.keys, self.sums = xp.empty(size, np.int32), xp.empty(size)
        self.level = level

    def launch(self, level: Level, **given: Any) -> None:
        """A kernel for each class of rows."""
        offset = self.engine.c_type(level.rows.indptr)
        shapes = (
            (f"propose_by_warp<{offset}>", THREADS, THREADS // 32),
            (f"propose_by_block<{offset}, {2 * BLOCK_ROW}>", BLOCK_THREADS, 1),
            (f"propose_by_block<{offset}, 0>", LONG_THREADS, 1),
        )
        for rows, (name, threads, each) in zip(self.rows, shapes, strict=True):
            if rows.size:
                kernel = self.engine.kernel(KERNELS, name, takes=ProposeParameters)
                kernel(-(-rows.size // each), threads, ProposeParameters(rows=rows, count=rows.size, **given))

    def propose(self, level: Level, community: Array, totals: Array, movers: Array, open: Array, scale: float) -> Array:
        """The community that gains most for each vertex that may move, its own for the others."""
        if self.level is not level:
            self.prepare(level)
        wanted = community.copy()
        rows = level.rows
        self.launch(
            level,
            indptr=rows.indptr,
            indices=rows.indices,
            values=rows.values,
            strengths=level.strengths,
            totals=totals,
            sides=level.strengths.shape[1],
            scale=scale,
            least=LEAST_GAIN,
            community=community,
            movers=movers,
            open=open,
            wanted=wanted,
            tables=self.tables,
            keys=self.keys,
            sums=self.sums,
        )
        return wanted

    def add_up(self, level: Level, community: Array) -> tuple[Array, Array]:
        """The strengths of communities, of shape (n, sides), and their sizes."""
        xp, sides = self.engine.xp, level.strengths.shape[1]
        totals, sizes = xp.zeros((level.n, sides)), xp.zeros(level.n, np.int32)
        kernel = self.engine.kernel(KERNELS, "add_up", takes=AddParameters)
        given = AddParameters(
            n=level.n, sides=sides, community=community, strengths=level.strengths, totals=totals, sizes=sizes
        )
        kernel(-(-level.n // THREADS), THREADS, given)
        return totals, sizes

    def rouse(self, level: Level, community: Array, moved: Array, waits: Array) -> Array:
        """Let the neighbours of vertices that have moved wait, but those of the same community."""
        rows = level.rows
        kernel = self.engine.kernel(KERNELS, f"rouse<{self.engine.c_type(rows.indptr)}>", takes=RouseParameters)
        level_and_moves = {
            "indptr": rows.indptr,
            "indices": rows.indices,
            "community": community,
            "moved": moved,
            "waits": waits,
        }
        shapes = (THREADS, 32), (BLOCK_THREADS, BLOCK_THREADS), (LONG_THREADS, LONG_THREADS)
        for some, (threads, team) in zip(self.rows, shapes, strict=True):
            if some.size:
                blocks = -(-some.size // (threads // team))
                kernel(blocks, threads, RouseParameters(rows=some, count=some.size, team=team, **level_and_moves))
        return waits
