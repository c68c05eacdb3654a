"""Brandes's algorithm on every core: each takes a block of sources after the other, and adds up sums of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.algorithms.betweenness import _hops_cpu, _paths_cpu
from graphla.algorithms.betweenness.settings import Settings
from graphla.algorithms.sssp.path_lengths import get_lengths, measure
from graphla.engine.cpu.late import foresee
from graphla.engine.cpu.threads import count_workers, run_in_order

Array = Any
CELLS = 1 << 24
"""Distances that are kept at once."""
WORTH_A_THREAD = 100_000
"""Arcs of all searches from which on a second thread pays."""
BLOCKS = 64
"""Sums that are added up one after the other; more would cost more additions, fewer would keep fewer cores busy."""
ENOUGH = 8
"""Sources of a block that make the additions cheap."""
NOTHING = np.zeros(0)


class Hops:
    """The arrays of one worker; every arc is one long."""

    def __init__(self, G: Any, s: Settings) -> None:
        self.out, self.into, self.extra = G.csr, G.csc, float(s.endpoints)
        self.level, self.order, self.starts = np.full(G.n, -1, np.int32), *np.zeros((2, G.n + 2), np.int32)
        self.paths, self.x, self.y = np.zeros((3, G.n))
        self.edges, self.sums = s.edges, NOTHING
        self.given: Given | None = None

    def add(self, source: int) -> None:
        """Add what one source contributes."""
        out, into = self.out, self.into
        arcs = (out.indptr, out.indices), (into.indptr, into.indices)
        scratch = self.level, self.paths, self.x, self.y, self.order, self.starts
        total, edges = (NOTHING, self.sums) if self.edges else (self.sums, None)
        reached = _hops_cpu.add_source(source, *arcs, *scratch, self.extra, total, edges)
        if reached < 0:
            self.add_with_powers(-reached)

    def add_with_powers(self, reached: int) -> None:
        """Add what a source with too many paths for float64 contributes, from the levels that its search has found."""
        self.given = self.given or Given(self.out, self.into, self.edges, self.extra)
        self.given.sums = self.sums
        d = np.where(self.level < 0, np.iinfo(np.int32).max, self.level)
        self.given.add(self.order[:reached], d, None, None)
        _hops_cpu.clear(reached, self.order, self.level, self.x)


class Given:
    """The arrays of one worker that is given distances; `sums` are what it adds to, of arcs if edges are asked for."""

    def __init__(self, out: Any, into: Any, edges: bool, extra: float) -> None:
        self.out, self.into, self.edges, self.extra, self.sums = out, into, edges, extra, NOTHING
        self.paths, self.x = np.zeros((2, out.nrows))
        self.power = np.zeros(out.nrows, np.int32)
        self.unread = np.zeros(out.nrows if edges else 0)

    def add(self, order: Array, d: Array, out_weights: Array | None, in_weights: Array | None) -> None:
        """Add what the first vertex of `order` contributes, the vertices reached by rising distance."""
        out = self.out.indptr, self.out.indices, out_weights
        into = self.into.indptr, self.into.indices, in_weights
        total, edges = (self.unread, self.sums) if self.edges else (self.sums, None)
        _paths_cpu.add_source(order, d, out, into, self.paths, self.power, self.x, self.extra, total, edges)


def accumulate(G: Any, s: Settings) -> Array:
    """Sums over the sources, float64: a number per vertex, or per arc if edges are asked for."""
    total = np.zeros(G.nvals if s.edges else G.n)
    if not total.size:
        return total
    if not s.weighted:
        foresee(_hops_cpu.add_source, s.sources.size * _hops_cpu.measure(0, (G.csr.indptr, G.csr.indices)))
        return add_sources(total, lambda: Hops(G, s), s.sources.tolist(), Hops.add, G.nvals + G.n)
    batch = max(1, CELLS // max(1, G.n))
    for first in range(0, s.sources.size, batch):
        accumulate_batch(G, s, s.sources[first : first + batch].tolist(), total)
    return total


def accumulate_batch(G: Any, s: Settings, sources: list[int], total: Array) -> None:
    """The same by lengths for some sources, whose distances are found first."""
    L, distances = measure(G, sources)
    weights = get_lengths(L, distances)

    def add(worker: Given, row: int) -> None:
        d = distances[row]
        worker.add(sort_reached(d), d, *weights)

    make = lambda: Given(L.csr, L.csc, s.edges, float(s.endpoints))  # noqa: E731
    add_sources(total, make, list(range(len(sources))), add, G.nvals + G.n)


def sort_reached(d: Array) -> Array:
    """The vertices with a distance, the nearest first."""
    none = np.inf if d.dtype.kind == "f" else np.iinfo(d.dtype).max
    return np.argsort(d, kind="stable")[: int((d != none).sum())].astype(np.int32)


def add_sources(
    total: Array, make: Callable[[], Any], items: list[int], add: Callable[[Any, int], None], cost: int
) -> Array:
    """Add what the items contribute to the total, in the same order of additions on any number of threads.

    Each block of items has a sum of its own, and the sums are added up in the order of the blocks. Blocks of one item
    are added to the total itself where there is one thread: the additions are the same. After an error or an interrupt
    no worker takes another item.
    """
    threads = max(1, min(count_workers(), len(items) * cost // WORTH_A_THREAD))
    blocks, idle, zeros = cut_blocks(items), [], []
    alone = threads == 1 and len(blocks) == len(items)

    def work(block: list[int]) -> Array:
        worker = idle.pop() if idle else make()
        worker.sums = total if alone else zeros.pop() if zeros else np.zeros_like(total)
        while block:
            add(worker, block.pop(0))
        idle.append(worker)
        return worker.sums

    try:
        for sums in run_in_order(work, blocks, threads):
            if not alone:
                total += sums
                sums.fill(0)
                zeros.append(sums)
    finally:
        for block in blocks:
            block.clear()
    return total


def cut_blocks(items: list[int]) -> list[list[int]]:
    """The items in blocks of one size, at most BLOCKS of them, and 16 or more if there are as many items."""
    size = max(1, -(-len(items) // BLOCKS), min(ENOUGH, len(items) // 16))
    return [items[first : first + size] for first in range(0, len(items), size)]
