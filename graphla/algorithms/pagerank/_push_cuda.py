"""Forward push on a GPU: frontiers, sums and highest ranks never leave the device.

All blocks of a launch answer one query, or teams of them several side by side. A workspace has room for all vertices,
for each team; ranks and residuals in it are zero between queries, for a query clears what it touched. So its time does
not grow with the graph. Whoever runs on another stream has a workspace of its own.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.pagerank.distribution import Distribution
from graphla.algorithms.pagerank.fused import inverse_sums
from graphla.algorithms.pagerank.settings import Settings
from graphla.common.memory import budget
from graphla.engine.cuda.records import read_struct

Array = Any
Row = tuple[Array, Array]
PUSH_THREADS = 512
FOUND, KEPT, GIVEN_UP, PUSH_COUNTS = 0, 1, 2, 16
"""Where it stands how many vertices have a rank, how many of the highest are kept, and whether the query walked along
too many arcs; and how many counts there are."""
HISTOGRAMS = 12 * 256
"""Counts of eight digits of a rank and four of a vertex."""
FEW = 4096
"""Highest ranks that a query brings to the host with its counts; where more are asked for, they are chosen of all."""
TEAMS, BARRIER_WORDS = 16, 32
"""Queries that are answered side by side at most, and words from one barrier to the next."""
BYTES_A_VERTEX = 68
"""Of the workspace of a team."""
KERNELS = Path(__file__).with_name("push.cuh")
PushParameters = read_struct(KERNELS, "PushParameters")
StartParameters = read_struct(KERNELS, "StartParameters")
EndParameters = read_struct(KERNELS, "EndParameters")
LeadParameters = read_struct(KERNELS, "LeadParameters")
WorkspaceParameters = read_struct(KERNELS, "WorkspaceParameters")


class Bounds(NamedTuple):
    """When a query ends: the largest residual per arc, or the sum of all; and after how many arcs it is given up."""

    epsilon: float
    tolerance: float
    patience: int


class Workspace(NamedTuple):
    """Room for teams on a stream; ranks, residuals and histograms are zero between queries."""

    teams: int
    arrays: Any


class Lead(NamedTuple):
    """What tells whether so many first ranks are certain; see `find_lead`."""

    widths: Any
    slack: Any
    heaviest: float
    sought: int


def make_workspace(xp: Any, n: int, teams: int) -> Workspace:
    """Room for so many teams, or for fewer where memory is short."""
    teams = max(1, min(teams, budget(xp) // (4 * BYTES_A_VERTEX * max(1, n))))
    arrays = WorkspaceParameters(
        ranks=xp.zeros(teams * n, np.uint64),
        residuals=xp.zeros(teams * n, np.uint64),
        touched=xp.empty(teams * n, np.int32),
        vertices=xp.empty(2 * teams * n, np.int32),
        offsets=xp.empty(4 * teams * n, np.int64),
        shares=xp.empty(teams * n, np.float64),
        histograms=xp.zeros(teams * HISTOGRAMS, np.uint32),
        barriers=xp.zeros(teams * BARRIER_WORDS, np.uint32),
    )
    return Workspace(teams, arrays)


def push_each(G: Any, s: Settings, seeds: list[Distribution], bounds: Bounds, top: int, lead: Lead) -> list[Row | None]:
    """The vertices of each query in order, with their ranks; None where it was given up.

    With a `top` up to `FEW` these are the highest ranks, on the host; else all that are above 0, on the device.
    """
    spare, stream = G.cached("pagerank.workspaces", lambda _: {}), G.engine.device.stream()
    few = 0 < top <= FEW
    queries = Queries(G, s, seeds, bounds, top if few else 0, lead)
    teams, work = min(TEAMS, len(seeds), queries.blocks) if few else 1, spare.pop(stream, None)
    if work is None or work.teams < teams:
        work = make_workspace(G.engine.xp, G.n, teams)
    found = queries.read_highest(work) if few else queries.read_all(work)
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
        How many ranks are kept on the device; 0 for all.
    lead : Lead
        What ends a query before its bound.
    """

    def __init__(self, G: Any, s: Settings, seeds: list[Distribution], bounds: Bounds, top: int, lead: Lead) -> None:
        self.G, self.s, self.bounds, self.top, self.lead = G, s, bounds, top, lead
        self.engine, self.count, self.stride = G.engine, len(seeds), PUSH_COUNTS + 2 * top
        self.upload(seeds)
        name = f"push<{self.engine.c_type(G.csr.indptr)}, {'OnceCertain' if lead.sought else 'AtBound'}>"
        self.kernel = self.engine.kernel(KERNELS, name, cooperative=True, takes=PushParameters)
        self.blocks = self.kernel.resident_blocks(PUSH_THREADS)
        self.values = G.cached("pagerank.leaving", lambda g: g.csr.values.astype(np.float64)) if s.weighted else None

    def upload(self, seeds: list[Distribution]) -> None:
        """Room for the answers, and all lists of seeds and sinks, in one array."""
        sinks = Distribution(self.G.n, np.zeros(0, np.int32), np.zeros(0)) if self.returns else self.s.sinks
        vertices, shares = (np.concatenate(part) for part in zip(*(each.listed for each in seeds), strict=True))
        begins = np.cumsum([0, *(each.listed[0].size for each in seeds)])
        parts = [np.zeros(self.count * self.stride, np.int64), begins, vertices, shares, *sinks.listed]
        words = [part.view(np.int64) if part.dtype.kind == "f" else part.astype(np.int64) for part in parts]
        held, ends = self.engine.asarray(np.concatenate(words)), np.cumsum([part.size for part in parts]).tolist()
        self.answers, *lists = (held[a:b] for a, b in pairwise([0, *ends]))
        self.begins, self.vertices, shares, self.sinks, sink_shares = lists
        self.shares, self.sink_shares = shares.view(np.float64), sink_shares.view(np.float64)

    @property
    def returns(self) -> bool:
        """Whether dangling ranks go back to the seeds."""
        return self.s.sinks is self.s.seeds

    def launch(self, work: Workspace, first: int, count: int) -> None:
        """Answer some of the queries."""
        given = PushParameters(
            start=StartParameters(
                begins=self.begins[first:],
                vertices=self.vertices,
                shares=self.shares,
                sinks=self.sinks,
                sink_shares=self.sink_shares,
                sink_count=int(self.sinks.size),
                returns=self.returns,
            ),
            end=EndParameters(**self.bounds._asdict(), top=self.top),
            lead=LeadParameters(**self.lead._asdict()),
            indptr=self.G.csr.indptr,
            indices=self.G.csr.indices,
            values=self.engine.get_unread("float64") if self.values is None else self.values,
            inverse=inverse_sums(self.G, self.s),
            n=self.G.n,
            weighted=self.s.weighted,
            damping=self.s.damping,
            work=work.arrays,
            counts=self.answers[first * self.stride :],
            stride=self.stride,
            queries=count,
            teams=min(work.teams, count, self.blocks),
        )
        self.kernel(self.blocks, PUSH_THREADS, given)

    def read_highest(self, work: Workspace) -> list[Row | None]:
        """The highest ranks of all queries, by one launch and one wait."""
        self.launch(work, 0, self.count)
        answers = self.engine.to_host(self.answers).reshape(self.count, self.stride)
        return [self.read_kept(each) for each in answers]

    def read_kept(self, answer: Array) -> Row | None:
        """The highest ranks among the words of a query, in the order of their vertices."""
        if answer[GIVEN_UP]:
            return None
        vertices, ranks = answer[PUSH_COUNTS:].reshape(2, self.top)[:, : answer[KEPT]]
        order = np.argsort(vertices)
        return vertices[order].astype(np.int32), ranks[order].view(np.float64)

    def read_all(self, work: Workspace) -> list[Row | None]:
        """All ranks, a launch and a wait for each query."""
        found: list[Row | None] = []
        for query in range(self.count):
            self.launch(work, query, 1)
            counts = self.engine.to_host(self.answers[query * self.stride :][: self.stride])
            vertices, ranks = (each[: counts[FOUND]] for each in (work.arrays.vertices, work.arrays.shares))
            order, lists = self.engine.device.order(vertices), self.engine.lists
            row = lists.gather(vertices, order), lists.gather(ranks, order)
            found.append(None if counts[GIVEN_UP] else row)
        return found
