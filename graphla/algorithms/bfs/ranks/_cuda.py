"""Levels of a search of which this rank finds its own vertices, on a GPU: arrays, and the launches of ranks.cuh."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import RESIDENT_THREADS, count_blocks, get_path, name_tree_type
from graphla.engine.cuda.records import read_struct

ARC_BITS = 34  # of a packed size, as in arc_queue.cuh
FEW_UNSEEN = 64  # below n / FEW_UNSEEN unseen vertices a pull visits these alone

Array = Any
RankParameters = read_struct(get_path("ranks"), "RankParameters")


def find_strongest(engine: Any, own: int, slot: int, degrees: Array, indptr: Array, indices: Array) -> Array:
    """Return the tail of most arcs of each own vertex; `degrees` are those of all vertices, by place."""
    xp = engine.xp
    starts = xp.zeros(degrees.size + 1, np.int64)
    xp.cumsum(degrees, out=starts[1:])
    strongest = xp.empty(slot, np.int32)
    find = engine.kernel(get_path("fused_prepare"), "find_strongest<long long>")
    rows = indptr.astype(np.int64), indices
    find(count_blocks(slot, 8), 256, (np.int32(own), np.int32(slot), starts, *rows, strongest))
    return strongest


class DeviceLevels:
    """The arrays of a search on this rank, and its steps."""

    bits = 32

    def __init__(self, rows: Any) -> None:
        self.rows, self.engine, self.words = rows, rows.engine, rows.slot // 32
        xp = rows.engine.xp
        self.seen, self.other, self.sent = (xp.empty(self.words * rows.ranks, np.uint32) for _ in range(3))
        self.vertices = xp.empty(rows.own, np.int32)
        self.offsets = xp.empty(2 * rows.own, rows.out_indptr.dtype)
        self.state = xp.zeros(2, np.uint64)
        self.offset_type = self.engine.c_type(rows.in_indptr)

    def clear(self, parents: bool) -> None:
        """Begin anew, with the vertices without arcs as the only seen ones."""
        xp = self.engine.xp
        self.levels = xp.full(self.rows.own, -1, np.int32)
        self.parents = xp.full(self.rows.own if parents else 0, -1, np.int32)
        self.other[:] = self.rows.blank
        self.seen[:] = self.rows.blank
        self.state[:] = 0
        self.unseen, self.first = self.rows.open, 0

    def set_source(self, place: int) -> None:
        """Make a vertex the frontier."""
        self.seen[place >> 5] |= np.uint32(1 << (place & 31))
        if place < self.rows.own:
            self.levels[place] = 0
            self.parents[place : place + 1] = place
            self.first = 1

    def launch(self, name: str, depth: int = 0, offered: Array | None = None) -> None:
        rows, asked = self.rows, offered is not None
        parameters = RankParameters(
            n=rows.own,
            out_indptr=rows.out_indptr,
            out_indices=rows.out_indices,
            in_indptr=rows.in_indptr,
            in_indices=rows.in_indices,
            strongest=rows.strongest,
            levels=self.levels,
            parents=self.parents,
            seen=self.seen,
            other=self.other,
            sent=self.sent,
            offered=offered if asked else self.sent,
            vertices=self.vertices,
            offsets=self.offsets,
            state=self.state,
            depth=depth,
            asked=asked,
            few=self.unseen * FEW_UNSEEN < rows.own,
        )
        kernel = self.engine.kernel(get_path("ranks"), name, takes=RankParameters)
        kernel(rows.grid(kernel, RESIDENT_THREADS), RESIDENT_THREADS, parameters)

    def list_frontier(self) -> int:
        """List the own vertices of the frontier; return how many arcs leave them."""
        self.state[0] = 0
        self.launch(f"list_frontier<{self.offset_type}>")
        return int(self.state[0]) & ((1 << ARC_BITS) - 1)

    def push(self) -> Array:
        """Return a bitmap of the unseen heads of the own frontier."""
        self.sent[:] = 0
        self.launch(f"push_ranks<{self.offset_type}>")
        return self.sent

    def take(self, offered: Array, depth: int) -> Array:
        """Find the own vertices that a rank offers and that are unseen; return the bitmap after the level."""
        return self.search(depth, offered)

    def pull(self, depth: int) -> Array:
        """Find the own unseen vertices with a tail in the frontier; return the bitmap after the level."""
        return self.search(depth, None)

    def search(self, depth: int, offered: Array | None) -> Array:
        self.state[1] = 0
        self.launch(f"pull_ranks<{self.offset_type}, {name_tree_type(self.parents.size > 0)}>", depth, offered)
        return self.other

    def advance(self) -> None:
        """Let the bitmap after the level be that of the seen."""
        self.seen, self.other = self.other, self.seen

    def count_found(self) -> int:
        """Return how many own vertices the level has found."""
        found = int(self.state[1]) >> ARC_BITS
        self.unseen -= found
        return found

    def finish(self) -> tuple[Array, Array]:
        """Return levels and parents of the own vertices."""
        return self.levels, self.parents
