"""Brandes's algorithm on a GPU: distances, the order of the vertices, one cooperative launch for each source.

From several sources of a deep graph of low degree a block takes each: a level keeps one multiprocessor busy.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.betweenness._orders import BLOCK, THREADS, Order, Orders, count_blocks
from graphla.algorithms.betweenness.settings import Settings
from graphla.algorithms.bfs.many import narrow as many
from graphla.algorithms.sssp.path_lengths import get_lengths, measure
from graphla.engine.cuda.records import read_struct
from graphla.storage.convert import make_range, scatter

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
EACH_BYTES = 1 << 32
"""Memory that sources side by side may take."""

Array = Any
LinkParameters = read_struct(LINK, "LinkParameters")
SweepParameters = read_struct(SWEEP, "SweepParameters")
AddParameters = read_struct(ADD, "AddParameters")
SweepEachParameters = read_struct(SWEEP, "SweepEachParameters")


@dataclass(frozen=True, eq=False)
class Scratch:
    """Arrays of the vertices that each source uses again; or a row of each for every source of some."""

    before: Array
    after: Array
    paths: Array
    shares: Array
    dependency: Array

    @classmethod
    def allocate(cls, xp: Any, shape: tuple[int, ...], linked: bool, real: Any) -> Scratch:
        """Arrays for n vertices, the last number of `shape`; with places of neighbours if they are linked."""
        *rows, n = shape
        links, counts = (*rows, NEAR * n if linked else 0), (*rows, 2 * n)
        return cls(
            before=xp.empty(links, np.int32),
            after=xp.empty(links, np.int32),
            paths=xp.empty(counts, real),
            shares=xp.empty(counts, real),
            dependency=xp.empty(shape, real),
        )

    def take(self, row: int) -> Scratch:
        """The arrays of one source."""
        return Scratch(*(getattr(self, each.name)[row] for each in fields(self)))


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
        self.scratch = Scratch.allocate(xp, (n,), not self.wide, real)
        self.none = xp.empty(0, np.int32)
        self.barrier = G.engine.get_barrier()
        self.orders = Orders(G, self.wide, FEW // (32 if self.wide else 1), self.barrier)

    def add(self, sources: list[int]) -> Array:
        """Add what some sources contribute; return the sums."""
        sources = sources if self.G.nvals else []
        narrow = many.find_scratch(self.G) if len(sources) > 1 and not self.wide else None
        if narrow is not None:
            self.add_each(sources, narrow)
            sources = []
        for source in sources:
            self.add_source(self.orders.search(source), self.none, self.none, "Hops")
        return self.edges if self.s.edges else self.total

    def add_each(self, sources: list[int], narrow: Any) -> None:
        """Add what sources of a deep graph of low degree contribute, as many side by side as there is memory for."""
        batch = max(1, min(many.AT_ONCE, EACH_BYTES // (self.G.n * (16 + 8 * NEAR + 5 * self.real.itemsize))))
        for first in range(0, len(sources), batch):
            self.add_batch(self.G.engine.asarray(np.asarray(sources[first : first + batch], np.int32)), narrow)

    def add_batch(self, sources: Array, narrow: Any) -> None:
        """Search from some sources, a block each; link them; sweep, a block each; add them up in their order."""
        listed, xp = many.list_narrow(self.G, narrow, sources), self.G.engine.xp
        places, upto = xp.empty(listed.vertices.shape, np.int32), make_range(xp, range(self.G.n), "int32")
        each = Scratch.allocate(xp, listed.vertices.shape, True, self.real)
        orders = []
        for row, (_, count) in enumerate(self.G.engine.to_host(listed.reached).tolist()):
            vertices = listed.vertices[row, :count]
            scatter(places[row], vertices, upto[:count])
            orders.append(Order(listed.levels[row], vertices, places[row], None, listed.starts[row]))
            self.link(orders[-1], each.take(row), self.none, self.none, "Hops")
        self.sweep_each(listed, places, each)
        for row, order in enumerate(orders):
            self.add_up(order, each.take(row), self.none, "Hops")

    def sweep_each(self, listed: many.Listed, places: Array, each: Scratch) -> None:
        """Count paths on the way out and sum shares on the way back, a block for each source."""
        G, name = self.G, f"sweep_each<{self.G.engine.c_type(self.G.csr.indptr)}, {self.G.engine.c_type(each.paths)}>"
        parameters = SweepEachParameters(
            out_indptr=G.csr.indptr,
            out_indices=G.csr.indices,
            in_indptr=G.csc.indptr,
            in_indices=G.csc.indices,
            n=G.n,
            distances=listed.levels,
            order=listed.vertices,
            places=places,
            before=each.before,
            after=each.after,
            starts=listed.starts,
            reached=listed.reached,
            paths=each.paths,
            shares=each.shares,
            dependency=each.dependency,
        )
        kernel = G.engine.kernel(SWEEP, name, takes=SweepEachParameters)
        kernel(listed.levels.shape[0], THREADS, parameters, 4 * ROOM * self.real.itemsize)

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
        if not self.wide:
            self.link(order, self.scratch, out_lengths, in_lengths, length)
        self.sweep(order, out_lengths, in_lengths, length)
        self.add_up(order, self.scratch, out_lengths, length)

    def name_types(self, order: Order, length: str) -> str:
        """The types of the graph, of distances and of lengths."""
        return f"{self.G.engine.c_type(self.G.csr.indptr)}, {self.G.engine.c_type(order.distances)}, {length}"

    def get_arcs(self, out_lengths: Array, in_lengths: Array) -> dict[str, Array]:
        """The arcs both ways."""
        out, into = self.G.csr, self.G.csc
        there = {"out_indptr": out.indptr, "out_indices": out.indices, "out_lengths": out_lengths}
        return {**there, "in_indptr": into.indptr, "in_indices": into.indices, "in_lengths": in_lengths}

    def link(self, order: Order, c: Scratch, out_lengths: Array, in_lengths: Array, length: str) -> None:
        """List the places of the neighbours of each vertex on shortest paths."""
        reached = order.vertices.size
        arcs = self.get_arcs(out_lengths, in_lengths)
        kernel = self.G.engine.kernel(LINK, f"link_rows<{self.name_types(order, length)}>", takes=LinkParameters)
        parameters = LinkParameters(reached=reached, **arcs, **get_places(order), before=c.before, after=c.after)
        kernel(count_blocks(reached), BLOCK, parameters)

    def add_up(self, order: Order, c: Scratch, out_lengths: Array, length: str) -> None:
        """Add what one source contributes to the totals."""
        G, reached = self.G, order.vertices.size
        name = f"add_sums<{self.name_types(order, length)}, {G.engine.c_type(c.dependency)}>"
        parameters = AddParameters(
            reached=reached,
            out_indptr=G.csr.indptr,
            out_indices=G.csr.indices,
            out_lengths=out_lengths,
            **get_places(order),
            paths=c.paths,
            shares=c.shares,
            dependency=c.dependency,
            extra=float(self.s.endpoints),
            total=self.total,
            edges=self.edges,
            wanted=self.s.edges,
        )
        kernel = G.engine.kernel(ADD, name, takes=AddParameters)
        kernel(count_blocks(reached * (32 if self.s.edges else 1)), BLOCK, parameters)

    def sweep(self, order: Order, out_lengths: Array, in_lengths: Array, length: str) -> None:
        """Count paths on the way out and sum shares on the way back."""
        G, c, names = self.G, self.scratch, self.name_types(order, length)
        real = G.engine.c_type(c.dependency)
        name = f"sweep<{names}, {real}, {'Warp' if self.wide else 'Thread'}>"
        kernel = G.engine.kernel(SWEEP, name, cooperative=True, takes=SweepParameters)
        runs = find_runs(np.diff(order.starts), self.orders.few)
        parameters = SweepParameters(
            **self.get_arcs(out_lengths, in_lengths),
            **get_places(order),
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


def get_places(order: Order) -> dict[str, Array]:
    """The arrays of an order."""
    return {"distances": order.distances, "order": order.vertices, "places": order.places}


def find_runs(sizes: Any, few: int) -> Any:
    """The first level of each run and whether all blocks share it, then the number of levels: int32.

    A level of more than `few` vertices is a run; so are levels of fewer that follow each other.
    """
    large = sizes > few
    begins = np.flatnonzero(large | np.append(True, large[:-1]))
    runs = np.stack([begins, large[begins]], axis=1).ravel()
    return np.append(runs, sizes.size).astype(np.int32)
