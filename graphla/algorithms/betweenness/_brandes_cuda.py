"""Brandes's algorithm on a GPU, a source at a time: distances, the order of the vertices, one cooperative launch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.betweenness._orders import BLOCK, THREADS, Order, Orders, count_blocks
from graphla.algorithms.betweenness.settings import Settings
from graphla.algorithms.sssp.path_lengths import get_lengths, measure
from graphla.engine.cuda.records import read_struct

SWEEP, LINK, ADD = (Path(__file__).with_name(f"{name}.cuh") for name in ("brandes", "link_rows", "add_sums"))
ROOM = 2048
"""Vertices of a level whose numbers stand in shared memory."""
FEW = ROOM
"""Vertices of a level up to which one block is faster alone: a barrier of the grid takes 2 µs."""
WIDE_DEGREE = 8
"""Arcs per vertex from which on a warp owns a vertex."""
NEAR = 4
"""Places of neighbours in a row."""
CELLS = 1 << 26
"""Distances that are kept at once."""

Array = Any
LinkParameters = read_struct(LINK, "LinkParameters")
SweepParameters = read_struct(SWEEP, "SweepParameters")
AddParameters = read_struct(ADD, "AddParameters")


@dataclass(frozen=True, eq=False)
class Scratch:
    """Arrays of the vertices that each source uses again."""

    before: Array
    after: Array
    paths: Array
    shares: Array
    dependency: Array


def accumulate(G: Any, s: Settings) -> Array:
    """Sums over the sources, float64: a number per vertex, or per arc if edges are asked for."""
    sums = Sums(G, s)
    return (sums.add_weighted if s.weighted else sums.add)(s.sources.tolist())


class Sums:
    """The totals, and what every source needs."""

    def __init__(self, G: Any, s: Settings) -> None:
        xp, n, real = G.engine.xp, G.n, np.dtype(s.dtype.numpy)
        self.G, self.s, self.real = G, s, real
        self.total = xp.zeros(0 if s.edges else n)
        self.edges = xp.zeros(G.nvals if s.edges else 0)
        self.wide = G.nvals >= WIDE_DEGREE * n
        rows = 0 if self.wide else NEAR * n
        self.scratch = Scratch(
            before=xp.empty(rows, np.int32),
            after=xp.empty(rows, np.int32),
            paths=xp.empty(2 * n, real),
            shares=xp.empty(2 * n, real),
            dependency=xp.empty(n, real),
        )
        self.none = xp.empty(0, np.int32)
        self.barrier = G.cached("betweenness.barrier", lambda _: xp.zeros(1, np.uint32))
        self.orders = Orders(G, self.wide, FEW // (32 if self.wide else 1), self.barrier)

    def add(self, sources: list[int]) -> Array:
        """Add what some sources contribute; return the sums."""
        for source in sources if self.G.nvals else ():
            self.add_source(self.orders.search(source), self.none, self.none, "Hops")
        return self.edges if self.s.edges else self.total

    def add_weighted(self, sources: list[int]) -> Array:
        """The same where arcs have lengths."""
        batch = max(1, CELLS // max(1, self.G.n))
        for first in range(0, len(sources) if self.G.nvals else 0, batch):
            L, distances = measure(self.G, sources[first : first + batch])
            lengths = get_lengths(L, distances)
            for source, row in zip(sources[first : first + batch], distances, strict=True):
                self.add_source(self.orders.sort_rounds(source, row, *lengths), *lengths, "Lengths")
        return self.edges if self.s.edges else self.total

    def add_source(self, order: Order, out_lengths: Array, in_lengths: Array, length: str) -> None:
        """Link, sweep and add up one source, the first vertex of the order."""
        G, c = self.G, self.scratch
        names = f"{G.engine.c_type(G.csr.indptr)}, {G.engine.c_type(order.distances)}, {length}"
        out = {"out_indptr": G.csr.indptr, "out_indices": G.csr.indices, "out_lengths": out_lengths}
        both = {**out, "in_indptr": G.csc.indptr, "in_indices": G.csc.indices, "in_lengths": in_lengths}
        where = {"distances": order.distances, "order": order.vertices, "places": order.places}
        reached, real = order.vertices.size, G.engine.c_type(c.dependency)
        if not self.wide:
            link = G.engine.kernel(LINK, f"link_rows<{names}>", takes=LinkParameters)
            rows = LinkParameters(reached=reached, **both, **where, before=c.before, after=c.after)
            link(count_blocks(reached), BLOCK, rows)
        common = {**both, **where}
        self.sweep(order, f"{names}, {real}", common)
        add = G.engine.kernel(ADD, f"add_sums<{names}, {real}>", takes=AddParameters)
        parameters = AddParameters(
            reached=reached,
            **out,
            **where,
            paths=c.paths,
            shares=c.shares,
            dependency=c.dependency,
            extra=float(self.s.endpoints),
            total=self.total,
            edges=self.edges,
            wanted=self.s.edges,
        )
        add(count_blocks(reached * (32 if self.s.edges else 1)), BLOCK, parameters)

    def sweep(self, order: Order, names: str, common: dict[str, Array]) -> None:
        """Count paths on the way out and sum shares on the way back."""
        G, c = self.G, self.scratch
        name = f"sweep<{names}, {'Warp' if self.wide else 'Thread'}>"
        kernel = G.engine.kernel(SWEEP, name, cooperative=True, takes=SweepParameters)
        runs = find_runs(np.diff(order.starts), self.orders.few)
        parameters = SweepParameters(
            **common,
            before=c.before,
            after=c.after,
            starts=order.on_device,
            runs=G.engine.asarray(runs),
            count=runs.size // 2,
            paths=c.paths,
            shares=c.shares,
            dependency=c.dependency,
            barrier=self.barrier,
        )
        shared = 0 if self.wide or "Lengths" in names else 4 * ROOM * self.real.itemsize
        alone = runs.size == 3 and not runs[1]
        grid = 1 if alone else G.cached(f"betweenness.{name}", lambda _: kernel.resident_blocks(THREADS, shared))
        kernel(grid, THREADS, parameters, shared)


def find_runs(sizes: Any, few: int) -> Any:
    """The first level of each run and whether all blocks share it, then the number of levels: int32.

    A level of more than `few` vertices is a run; so are levels of fewer that follow each other.
    """
    large = sizes > few
    begins = np.flatnonzero(large | np.append(True, large[:-1]))
    runs = np.stack([begins, large[begins]], axis=1).ravel()
    return np.append(runs, sizes.size).astype(np.int32)
