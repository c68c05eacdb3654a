"""Ranks of many seed sets on a GPU: those of a vertex lie side by side, and a round of up to 32 reads each arc once."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.pagerank._fused_cuda import LOOK, begin_arcs
from graphla.algorithms.pagerank.distribution import Distribution, tabulate
from graphla.algorithms.pagerank.fused import inverse_sums, weights_of_entering
from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.weight_range import scale_rows
from graphla.common.memory import budget, require
from graphla.engine.cuda.matmat.dots import Way, list_tasks
from graphla.engine.cuda.matmat.few_arrange import transpose_rows
from graphla.engine.cuda.matmat.few_by_rows import choose_split
from graphla.engine.cuda.records import read_struct

KERNELS = Path(__file__).with_name("columns.cuh")
COLUMNS_THREADS = 256
COLUMNS_LONG, COLUMNS_CHUNK = 512, 2048
"""Arcs of the longest row that its lanes read alone, and arcs of a longer one that a block reads."""
WIDTH = 32
"""Rankings that are computed side by side: one line of memory for a vertex, two in FP64."""
PACK_BYTES = 16
"""The widest load of a lane."""

Array = Any
ColumnsParameters = read_struct(KERNELS, "ColumnsParameters")


def rank_columns(G: Any, s: Settings, seeds: list[Distribution]) -> tuple[Array, float]:
    """The ranks of each distribution of teleports, a row each, and how much the last round changed any of them."""
    engine, xp, item, residual = G.engine, G.engine.xp, s.dtype.bits // 8, 0.0
    require(len(seeds) * G.n * item, f"the ranks of {len(seeds):,} seed sets", xp)
    out = xp.empty((len(seeds), G.n), s.dtype.numpy)
    graph = scale_rows(G.plain, s.dtype) if s.weighted else G.plain
    width = choose_width(graph, item)
    for begin in range(0, len(seeds) if G.n else 0, width):
        block = Block(graph, s, seeds[begin : begin + width])
        residual = max(residual, block.iterate())
        if not s.has_converged(residual):
            break
        transpose_rows(engine, out[begin:], block.ranks, block.columns, block.stride, back=True)
    return out, residual


def choose_width(G: Any, item: int) -> int:
    """A power of two of rankings that fit in memory: ranks, what they hand on before and after, teleports to all."""
    xp, each, once = G.engine.xp, 4 * item * G.n, (4 + item) * G.n
    require(each + once, "a ranking", xp)
    fitting = (budget(xp) - once) // max(1, each)
    return min(WIDTH, 1 << (max(1, fitting).bit_length() - 1))


class Block:
    """The arrays of a block of rankings on the device, and their rounds."""

    def __init__(self, G: Any, s: Settings, seeds: list[Distribution]) -> None:
        self.G, self.s, self.engine, self.columns = G, s, G.engine, len(seeds)
        self.stride = 1 << (self.columns - 1).bit_length()
        begin_arcs(self.engine, s)
        self.engine.lists.begin("scan")
        self.engine.begin(KERNELS, *self.name_kernels(G.csr.indptr)[0])
        self.weights, self.inverse = weights_of_entering(G, s), inverse_sums(G, s)
        self.rows, self.chunks = G.csc, G.cached("pagerank.chunks", list_chunks)
        names, lanes = self.name_kernels(self.rows.indptr)
        get = partial(self.engine.kernel, KERNELS, beside=names)
        self.start, self.place_seeds, self.settle = (get(name) for name in names[:3])
        self.rank, self.sum = (get(name, takes=ColumnsParameters) for name in names[3:])
        self.grid = min(self.rank.resident_blocks(COLUMNS_THREADS), -(-G.n * lanes // COLUMNS_THREADS))
        self.prepare_arrays()
        self.place(seeds)

    def name_kernels(self, indptr: Array) -> tuple[tuple[str, ...], int]:
        """The kernels, and how many lanes share a vertex: each takes a pack of rankings, and some of the arcs."""
        G, kind = self.G, self.s.dtype.c
        pack = min(self.stride, PACK_BYTES // (self.s.dtype.bits // 8))
        lanes = self.stride // pack
        split = choose_split(G.nvals, G.n, lanes, pack)
        head = f"{kind}, {self.engine.c_type(indptr)}, {str(self.s.weighted).lower()}, {pack}, {lanes}"
        names = f"start_columns<{kind}>", "place_seeds", "settle_columns"
        return (*names, f"rank_columns<{head}, {split}>", f"sum_chunks<{head}>"), lanes * split

    def prepare_arrays(self) -> None:
        """Make the arrays; those of numbers that rounds tell are rows by ranking."""
        xp, n, stride, dtype = self.engine.xp, self.G.n, self.stride, self.s.dtype.numpy
        self.ranks, self.handed, self.fresh = (xp.empty(n * stride, dtype) for _ in range(3))
        self.sums = xp.empty(stride * self.chunks[0].size, np.float64)
        self.settled, self.moved = xp.empty(2 * stride, np.float64), xp.empty(2 * stride * self.grid, np.float64)
        self.returns = self.s.sinks is self.s.seeds
        self.share = self.inverse if self.returns else xp.asarray(self.s.share, dtype)

    def place(self, seeds: list[Distribution]) -> None:
        """Say where teleports go: a table of shares by vertex, and the place of each vertex in it, -1 for most."""
        xp, (chosen, table) = self.engine.xp, tabulate(seeds, self.stride)
        self.places, self.table = xp.empty(self.G.n, np.int32), xp.asarray(table.reshape(-1), self.s.dtype.numpy)
        self.engine.lists.fill(self.places, -1)
        given = np.int32(chosen.size), xp.asarray(chosen, np.int32), self.places
        self.place_seeds(-(-chosen.size // COLUMNS_THREADS), COLUMNS_THREADS, given)

    def iterate(self) -> float:
        """Run rounds until all rankings have settled, or as many as are asked for; how much the last one changed."""
        s, done, last = self.s, 0, float("inf")
        sizes = np.int32(self.G.n), np.int32(self.columns), np.int32(self.stride)
        self.start(self.grid, COLUMNS_THREADS, (*sizes, self.inverse, self.ranks, self.handed, self.moved))
        self.add_up()
        while done < s.rounds and (s.tolerance is None or last > s.tolerance):
            count = min(LOOK, s.rounds - done)
            for _ in range(count):
                self.run()
            done += count
            if s.tolerance is not None:
                last = float(self.engine.to_host(self.settled)[: self.columns].max())
        return 0.0 if s.tolerance is None else last

    def run(self) -> None:
        """One round of all rankings."""
        given = ColumnsParameters(
            n=self.G.n,
            stride=self.stride,
            tasks=int(self.chunks[0].size),
            indptr=self.rows.indptr,
            indices=self.rows.indices,
            values=self.inverse if self.weights is None else self.weights,
            inverse=self.inverse,
            places=self.places,
            table=self.table,
            share=self.share,
            share_step=min(1, int(self.share.size) - 1),
            returns=self.returns,
            task_row=self.chunks[0],
            task_chunk=self.chunks[1],
            chunks=self.sums,
            ranks=self.ranks,
            handed=self.handed,
            fresh=self.fresh,
            settled=self.settled,
            moved=self.moved,
            damping=self.s.damping,
            tolerance=-1.0 if self.s.tolerance is None else self.s.tolerance,
        )
        if given.tasks:
            self.sum(given.tasks, COLUMNS_THREADS, given)
        self.rank(self.grid, COLUMNS_THREADS, given)
        self.add_up()
        self.handed, self.fresh = self.fresh, self.handed

    def add_up(self) -> None:
        """What each ranking has changed and lost in a round."""
        given = np.int32(self.grid), np.int32(self.stride), self.moved, self.settled
        self.settle(self.stride, COLUMNS_THREADS, given)


def list_chunks(G: Any) -> tuple[Array, Array]:
    """The row of each chunk of a long row of entering arcs, and which chunk of it it is."""
    way = Way(0, 0, COLUMNS_CHUNK, COLUMNS_LONG, 2**31 - 1)
    return list_tasks(G.engine, G.engine.lists.measure_rows(G.csc.indptr), G.csc.indptr, way)
