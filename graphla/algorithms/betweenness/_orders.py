"""The order in which Brandes's algorithm takes the vertices on a GPU: levels of a search, or rounds over lengths."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.bfs import fused
from graphla.engine.cuda.records import read_struct

KERNELS = Path(__file__).with_name("rounds.cuh")
THREADS = 1024
BLOCK = 256
MOST_BLOCKS = 1 << 20
"""Blocks whose threads can be numbered by an int."""

Array = Any
RoundsParameters = read_struct(KERNELS, "RoundsParameters")


@dataclass(frozen=True, eq=False)
class Order:
    """The vertices reached, level by level; `starts` is where each level begins, on the host and on the device.

    Of sources side by side the host does not have it, for nobody asks.
    """

    distances: Array
    vertices: Array
    places: Array
    starts: Any
    on_device: Array


class Orders:
    """Orders of the vertices of a graph, from one source after the other; they share the memory of the places.

    `wide` says whether a warp owns a vertex, and `few` up to how many vertices block 0 runs alone.
    """

    def __init__(self, G: Any, wide: bool, few: int, barrier: Array) -> None:
        self.G, self.wide, self.few, self.barrier = G, wide, few, barrier
        self.places = G.engine.xp.empty(G.n, np.int32)

    def sort_rounds(self, source: int, distances: Array, out_lengths: Array, in_lengths: Array) -> Order:
        """The order by rounds over the arcs on shortest paths."""
        xp, G = self.G.engine.xp, self.G
        names = f"{G.engine.c_type(G.csr.indptr)}, {G.engine.c_type(distances)}, {'Warp' if self.wide else 'Thread'}"
        parameters = RoundsParameters(
            n=G.n,
            source=source,
            indptr=G.csc.indptr,
            indices=G.csc.indices,
            lengths=in_lengths,
            distances=distances,
            waiting=xp.empty(G.n, np.int32),
            order=xp.empty(G.n, np.int32),
            sizes=xp.zeros(G.n + 1, np.int32),
            state=xp.zeros(3, np.int32),
            few=self.few,
            barrier=self.barrier,
        )
        count = G.engine.kernel(KERNELS, f"count_arcs<{names}>", takes=RoundsParameters)
        count(count_blocks(G.n * (32 if self.wide else 1)), BLOCK, parameters)
        kernel = G.engine.kernel(KERNELS, f"order_rounds<{names}>", cooperative=True, takes=RoundsParameters)
        grid = G.cached(f"betweenness.rounds.{names}", lambda _: kernel.resident_blocks(THREADS))
        out = {"indptr": G.csr.indptr, "indices": G.csr.indices, "lengths": out_lengths}
        kernel(grid, THREADS, parameters._replace(**out))
        return self.read_rounds(distances, parameters.order, parameters.sizes, int(parameters.state[2]))

    def read_rounds(self, distances: Array, vertices: Array, sizes: Array, rounds: int) -> Order:
        """The order that a kernel has listed."""
        xp = self.G.engine.xp
        starts = xp.cumsum(xp.append(xp.zeros(1, np.int32), sizes[:rounds])).astype(np.int32)
        return self.number_places(distances, vertices, starts)

    def number_places(self, distances: Array, vertices: Array, starts: Array) -> Order:
        """The order in which the first vertices are listed, up to the end of the last level."""
        host = self.G.engine.to_host(starts)
        vertices = vertices[: int(host[-1])]
        self.places[vertices] = self.G.engine.xp.arange(vertices.size, dtype=np.int32)
        return Order(distances, vertices, self.places, host, starts)

    def search(self, source: int) -> Order:
        """The order by levels; the search lists it on graphs of low degree."""
        listed = fused.run_in_order(self.G, source)
        if listed is None:
            return self.sort_levels(fused.search(self.G, source)[0])
        levels, order, starts = listed
        return self.number_places(levels, order, starts)

    def sort_levels(self, levels: Array) -> Order:
        """The order by levels; -1 is not reached."""
        xp = self.G.engine.xp
        vertices = xp.argsort(levels).astype(np.int32)
        starts = xp.searchsorted(levels[vertices], xp.arange(int(levels.max()) + 2, dtype=np.int32)).astype(np.int32)
        unreached = int(starts[0])
        return self.number_places(levels, vertices[unreached:], starts - np.int32(unreached))


def count_blocks(threads: int) -> int:
    """Blocks for so many threads, or fewer whose threads take several items."""
    return min(-(-threads // BLOCK), MOST_BLOCKS)
