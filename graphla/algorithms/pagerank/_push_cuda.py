"""Forward push on a GPU: a launch for each query, whose frontiers, sums and highest ranks never leave the device.

A workspace has room for all vertices; ranks and residuals in it are zero between queries, for a query clears what it
touched. So its time does not grow with the graph. Whoever runs on another stream has a workspace of its own.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.pagerank.distribution import Distribution
from graphla.algorithms.pagerank.fused import inverse_sums
from graphla.algorithms.pagerank.settings import Settings
from graphla.engine.cuda.records import read_struct

Array = Any
Row = tuple[Array, Array]
PUSH_THREADS = 512
FOUND, KEPT, GIVEN_UP, BARRIER, PUSH_COUNTS = 0, 1, 2, 3, 16
"""Where it stands how many vertices have a rank, how many of the highest are kept, whether the query walked along too
many arcs, and the barrier; and how many counts there are."""
HISTOGRAMS = 12 * 256
"""Counts of eight digits of a rank and four of a vertex."""
FEW = 4096
"""Highest ranks that a query brings to the host with its counts; where more are asked for, they are chosen of all."""
KERNELS = Path(__file__).with_name("push.cuh")
PushParameters = read_struct(KERNELS, "PushParameters")
StartParameters = read_struct(KERNELS, "StartParameters")
EndParameters = read_struct(KERNELS, "EndParameters")


class Bounds(NamedTuple):
    """When a query ends: the largest residual per arc, or the sum of all; and after how many arcs it is given up."""

    epsilon: float
    tolerance: float
    patience: int


class Workspace(NamedTuple):
    """Arrays of all vertices; ranks, residuals and histograms are zero between queries."""

    ranks: Array
    residuals: Array
    touched: Array
    vertices: Array
    offsets: Array
    shares: Array
    histograms: Array


def make_workspace(xp: Any, n: int) -> Workspace:
    """Room for the queries of one stream."""
    return Workspace(
        ranks=xp.zeros(n, np.uint64),
        residuals=xp.zeros(n, np.uint64),
        touched=xp.empty(n, np.int32),
        vertices=xp.empty(2 * n, np.int32),
        offsets=xp.empty(4 * n, np.int64),
        shares=xp.empty(n, np.float64),
        histograms=xp.zeros(HISTOGRAMS, np.uint32),
    )


def push_each(G: Any, s: Settings, seeds: list[Distribution], bounds: Bounds, top: int) -> list[Row | None]:
    """The vertices of each query in order, with their ranks; None where it was given up.

    With a `top` up to `FEW` these are the highest ranks, on the host; else all that are above 0, on the device.
    """
    spare, stream = G.cached("pagerank.workspaces", lambda _: {}), G.engine.device.stream()
    work = spare.pop(stream, None) or make_workspace(G.engine.xp, G.n)
    queries = Queries(G, s, seeds, bounds, top, work)
    found = queries.read_highest() if 0 < top <= FEW else queries.read_all()
    spare[stream] = work  # it is clear; one that an interrupt leaves in use never comes back
    return found


class Queries:
    """The queries of a call, which are uploaded together.

    Parameters
    ----------
    G, s
        The graph, and the request in FP64.
    seeds : list of Distribution
        Where teleports go, for each query.
    bounds : Bounds
        When a query ends.
    top : int
        How many ranks are kept; 0 for all.
    work : Workspace
        Room on the stream.
    """

    def __init__(self, G: Any, s: Settings, seeds: list[Distribution], bounds: Bounds, top: int, work: Workspace):
        self.G, self.s, self.bounds, self.work = G, s, bounds, work
        self.engine, self.count, self.top = G.engine, len(seeds), top if top <= FEW else 0
        self.stride = PUSH_COUNTS + 2 * self.top
        sinks = [] if s.sinks is s.seeds else [s.sinks]
        parts = [part for each in (*seeds, *sinks) for part in each.listed]
        ends = np.cumsum([self.count * self.stride, *(part.size for part in parts)]).tolist()
        words = [part.astype(np.int64) if part.dtype.kind == "i" else part.view(np.int64) for part in parts]
        held = self.engine.asarray(np.concatenate([np.zeros(ends[0], np.int64), *words]))
        self.answers = held[: ends[0]]
        pieces = [held[a:b] for a, b in pairwise(ends)]
        self.lists = [(a, b.view(np.float64)) for a, b in zip(pieces[::2], pieces[1::2], strict=True)]
        name = f"push<{self.engine.c_type(G.csr.indptr)}>"
        self.kernel = self.engine.kernel(KERNELS, name, cooperative=True, takes=PushParameters)
        self.blocks = self.kernel.resident_blocks(PUSH_THREADS)
        self.values = G.cached("pagerank.leaving", lambda g: g.csr.values.astype(np.float64)) if s.weighted else None

    def launch(self, query: int) -> Array:
        """Begin a query; its counts, and after them the highest ranks."""
        counts = self.answers[query * self.stride : (query + 1) * self.stride]
        self.kernel(self.blocks, PUSH_THREADS, PushParameters(
            start=self.describe_start(query),
            end=EndParameters(**self.bounds._asdict(), top=self.top),
            indptr=self.G.csr.indptr,
            indices=self.G.csr.indices,
            values=self.engine.get_unread("float64") if self.values is None else self.values,
            inverse=inverse_sums(self.G, self.s),
            n=self.G.n,
            weighted=self.s.weighted,
            damping=self.s.damping,
            counts=counts,
            barrier=counts[BARRIER:].view(np.uint32),
            **self.work._asdict(),
        ))  # fmt: skip
        return counts

    def describe_start(self, query: int) -> Any:
        """Where the teleports of a query go, and its dangling ranks."""
        returns = self.s.sinks is self.s.seeds
        (vertices, shares), sinks = self.lists[query], self.lists[query if returns else self.count]
        return StartParameters(
            vertices=vertices,
            shares=shares,
            count=int(vertices.size),
            sinks=sinks[0],
            sink_shares=sinks[1],
            sink_count=0 if returns else int(sinks[0].size),
            returns=returns,
        )

    def read_highest(self) -> list[Row | None]:
        """The highest ranks of all queries, by one wait."""
        for query in range(self.count):
            self.launch(query)
        answers = self.engine.to_host(self.answers).reshape(self.count, self.stride)
        return [self.read_kept(each) for each in answers]

    def read_kept(self, answer: Array) -> Row | None:
        """The highest ranks among the words of a query, in the order of their vertices."""
        if answer[GIVEN_UP]:
            return None
        vertices, ranks = answer[PUSH_COUNTS:].reshape(2, self.top)[:, : answer[KEPT]]
        order = np.argsort(vertices)
        return vertices[order].astype(np.int32), ranks[order].view(np.float64)

    def read_all(self) -> list[Row | None]:
        """All ranks, a wait for each query."""
        found: list[Row | None] = []
        for query in range(self.count):
            counts, lists = self.engine.to_host(self.launch(query)), self.engine.lists
            vertices, ranks = (each[: counts[FOUND]] for each in (self.work.vertices, self.work.shares))
            order = self.engine.device.order(vertices)
            row = lists.gather(vertices, order), lists.gather(ranks, order)
            found.append(None if counts[GIVEN_UP] else row)
        return found
