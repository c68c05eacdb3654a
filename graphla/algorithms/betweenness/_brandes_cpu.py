"""Brandes's algorithm on every core: each takes one source after the other, and adds to totals of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphla.algorithms.betweenness import _hops_cpu, _paths_cpu
from graphla.algorithms.betweenness.settings import Settings
from graphla.algorithms.sssp.path_lengths import get_lengths, measure
from graphla.engine.cpu.threads import count_workers, run_for_each

Array = Any
CELLS = 1 << 24
"""Distances that are kept at once."""
WORTH_A_THREAD = 100_000
"""Arcs of all searches from which on a second thread pays."""


class Hops:
    """The arrays of one worker; every arc is one long."""

    def __init__(self, G: Any, s: Settings) -> None:
        self.out, self.into, self.extra = G.csr, G.csc, float(s.endpoints)
        self.level, self.order, self.starts = np.full(G.n, -1, np.int32), *np.zeros((2, G.n + 2), np.int32)
        self.paths, self.x, self.y, self.total = np.zeros((4, G.n))
        self.edges = np.zeros(G.nvals if s.edges else 0)
        self.given: Given | None = None

    def add(self, source: int) -> None:
        """Add what one source contributes."""
        out, into = self.out, self.into
        arcs = (out.indptr, out.indices), (into.indptr, into.indices)
        scratch = self.level, self.paths, self.x, self.y, self.order, self.starts
        reached = _hops_cpu.add_source(source, *arcs, *scratch, self.extra, self.total, self.edges)
        if reached < 0:
            self.add_with_powers(-reached)

    def add_with_powers(self, reached: int) -> None:
        """Add what a source with too many paths for float64 contributes, from the levels that its search has found."""
        self.given = self.given or Given(
            self.out, self.into, self.total, self.edges if self.edges.size else None, self.extra
        )
        d = np.where(self.level < 0, np.iinfo(np.int32).max, self.level)
        self.given.add(self.order[:reached], d, None, None)
        _hops_cpu.clear(reached, self.order, self.level, self.x)


class Given:
    """The arrays of one worker that is given distances; `edges` is None, or an array of a number per arc."""

    def __init__(self, out: Any, into: Any, total: Array, edges: Array | None, extra: float) -> None:
        self.out, self.into, self.total, self.edges, self.extra = out, into, total, edges, extra
        self.paths, self.x = np.zeros((2, out.nrows))
        self.power = np.zeros(out.nrows, np.int32)

    def add(self, order: Array, d: Array, out_weights: Array | None, in_weights: Array | None) -> None:
        """Add what the first vertex of `order` contributes, the vertices reached by rising distance."""
        out = self.out.indptr, self.out.indices, out_weights
        into = self.into.indptr, self.into.indices, in_weights
        _paths_cpu.add_source(order, d, out, into, self.paths, self.power, self.x, self.extra, self.total, self.edges)


def accumulate(G: Any, s: Settings) -> Array:
    """Sums over the sources, float64: a number per vertex, or per arc if edges are asked for."""
    parts = np.zeros(G.nvals if s.edges else G.n)
    if not s.weighted:
        workers = run_over_sources(lambda: Hops(G, s), s.sources.tolist(), Hops.add, G.nvals + G.n)
        return sum((each.edges if s.edges else each.total for each in workers), parts)
    batch = max(1, CELLS // max(1, G.n))
    for first in range(0, s.sources.size, batch):
        parts += accumulate_batch(G, s, s.sources[first : first + batch].tolist())
    return parts


def accumulate_batch(G: Any, s: Settings, sources: list[int]) -> Array:
    """The same by lengths for some sources, whose distances are found first."""
    L, distances = measure(G, sources)
    weights = get_lengths(L, distances)

    def make() -> Given:
        return Given(L.csr, L.csc, np.zeros(G.n), np.zeros(G.nvals) if s.edges else None, float(s.endpoints))

    def add(worker: Given, row: int) -> None:
        d = distances[row]
        worker.add(sort_reached(d), d, *weights)

    workers = run_over_sources(make, list(range(len(sources))), add, G.nvals + G.n)
    return sum((each.edges if s.edges else each.total for each in workers), np.zeros(1))


def sort_reached(d: Array) -> Array:
    """The vertices with a distance, the nearest first."""
    none = np.inf if d.dtype.kind == "f" else np.iinfo(d.dtype).max
    return np.argsort(d, kind="stable")[: int((d != none).sum())].astype(np.int32)


def run_over_sources(make: Callable[[], Any], items: list[int], add: Callable[[Any, int], None], cost: int) -> Any:
    """Let each worker take item after item until none is left; return the workers.

    After an error or an interrupt none of them takes another item.
    """
    left: Iterator[int] = iter(items)

    def work(_: int) -> Any:
        worker = make()
        with clear_after_error(items):
            for item in left:  # a list's iterator hands out each item once, whoever asks
                add(worker, item)
        return worker

    parts = min(count_workers(), max(1, len(items) * cost // WORTH_A_THREAD), max(1, len(items)))
    with clear_after_error(items):
        return run_for_each(work, range(parts))


@contextmanager
def clear_after_error(items: list[int]) -> Iterator[None]:
    """Clear a list if an error or an interrupt leaves the block."""
    try:
        yield
    except BaseException:
        items.clear()
        raise
