"""f = (r > ε out); p⟨f⟩ += r; r⟨f⟩ = 0; r += d Aᵀ plus.second (f.r / out) + d lost q, until f is empty: forward push.

The ranks p begin at 0 and the residuals r at (1 − d) p₀, where teleports go. r is what a further round would add to
p, so that the exact ranks are p + (I − d P)⁻¹ r: none is below p, and all together they are (sum of r) / (1 − d)
above. A push moves the residual of a vertex into its rank, and d of it on along its arcs. Only vertices with enough
residual for their arcs are pushed, so that a query touches what is near to its seeds: at most 1 / ε arcs,
however large the graph.

With `epsilon` that is the end: each residual is at most ε times the leaving arcs of its vertex (1 if there are none).
In an undirected graph no rank then lacks more than ε / (1 − d) times the arcs of its vertex. Without it ε falls by the
factor 4 until the sum of all residuals is within `tolerance`, as that of the other methods is. With `top` it ends
before that once the first ones lead by more than all that is not placed: then they are certain, and their ranks lower
bounds. A GPU pushes at ε from the start, and with `epsilon` does not look whether the first ones are certain.

Source: Andersen, Chung, Lang, "Local Graph Partitioning using PageRank Vectors", FOCS 2006; Berkhin, "Bookmark-
Coloring Algorithm for Personalized PageRank Computing", Internet Mathematics 3(1), 2006.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import Any, cast

import numpy as np

from graphla.algorithms.pagerank.distribution import Distribution
from graphla.algorithms.pagerank.fused import inverse_sums, run_on_cpu, run_on_cuda, weights_of_entering
from graphla.algorithms.pagerank.highest import keep_top_of_all, point
from graphla.algorithms.pagerank.settings import Settings
from graphla.common.arguments import show
from graphla.containers.vector import Vector
from graphla.problem import Method, Request
from graphla.storage import CompressedMatrix, SparseVector
from graphla.storage.deferred import FewEntries
from semirings.dtypes import FP64

Array = Any
Row = tuple[Array, Array]
NOWHERE = np.empty(0, np.int32), np.empty(0)
WALKS = 0.25
"""Walks along all arcs after which sweeps over the whole graph are faster: a pushed arc takes as long as forty in a
sweep of many rankings, and these need some ten sweeps."""
QUERIES_A_PIECE = 4
"""Queries below which a second thread costs more than it saves."""


def run(G: Any, s: Settings) -> tuple[Vector, int, float]:
    """The ranks of what is near to the seeds, no number of rounds, and no change beyond what is allowed."""
    [(vertices, ranks)] = push_from_each(G, s, [s.seeds])
    if keeps_few(G, s):
        few: Any = FewEntries(G.n, *drop_zeros(vertices, ranks.astype(s.dtype.numpy)), G.engine.xp)
        return Vector._from_storage(few, G.engine), 0, 0.0
    return Vector._from_storage(SparseVector(G.n, vertices, G.engine.cast(ranks, s.dtype)), G.engine), 0, 0.0


def push_many(G: Any, s: Settings, seeds: list[Distribution]) -> CompressedMatrix:
    """Ranks from each distribution of teleports, a row each; dangling ranks return there, unless `s` says otherwise."""
    rows = push_from_each(G, s, seeds)
    if not keeps_few(G, s):
        rows = join(G.engine.xp, G.n, rows)
        return replace(rows, values=G.engine.cast(rows.values, s.dtype))
    held = join(np, G.n, [drop_zeros(vertices, ranks.astype(s.dtype.numpy)) for vertices, ranks in rows])
    return CompressedMatrix(len(rows), G.n, *map(G.engine.asarray, (held.indptr, held.indices, held.values)))


def keeps_few(G: Any, s: Settings) -> bool:
    """Whether queries answer with the highest ranks alone, and these are on the host."""
    from graphla.algorithms.pagerank._push_cuda import FEW

    return G.engine.name == "cuda" and s.top is not None and s.top <= FEW


def drop_zeros(vertices: Array, ranks: Array) -> Row:
    """Ranks that are not too small for their dtype."""
    return vertices[ranks > 0], ranks[ranks > 0]


def push_from_each(G: Any, s: Settings, seeds: list[Distribution]) -> list[Row]:
    """The vertices and ranks, in FP64, of what is near to each distribution of teleports."""
    s = replace(s, dtype=FP64)
    rows = (push_on_cpu if G.engine.name == "cpu" else push_on_cuda)(G, s, seeds)
    rest = [k for k, row in enumerate(rows) if row is None]
    if rest:
        for k, row in zip(rest, rank_in_rounds(G, s, [seeds[k] for k in rest]), strict=True):
            rows[k] = row
    return cast("list[Row]", rows)


def find_bounds(G: Any, s: Settings) -> tuple[float, float, float]:
    """The sum of residuals or the largest of an arc at which a query ends, and the arcs after which it is given up."""
    return (s.tolerance or 0.0, 0.0, float(WALKS * G.nvals)) if s.epsilon is None else (0.0, s.epsilon, np.inf)


def push_on_cuda(G: Any, s: Settings, seeds: list[Distribution]) -> list[Row | None]:
    """The vertices and ranks of queries, the highest if few are asked for; None where a query is too much."""
    from graphla.algorithms.pagerank._push_cuda import Bounds, Lead, push_each

    if G.n == 0:
        return [(G.engine.asarray(vertices), G.engine.asarray(ranks)) for vertices, ranks in [NOWHERE] * len(seeds)]
    tolerance, epsilon, patience = find_bounds(G, s)
    nothing = G.engine.get_unread("float64")
    lead = Lead(nothing, nothing, 0.0, 0) if s.top is None or epsilon else Lead(*find_lead(G, s), s.top)
    return push_each(G, s, seeds, Bounds(epsilon, tolerance, int(min(patience, 2**62))), s.top or 0, lead)


def push_on_cpu(G: Any, s: Settings, seeds: list[Distribution]) -> list[Row | None]:
    """The vertices and ranks of queries; None where a query is too much."""
    from graphla.engine.cpu.threads import count_workers, run_aside, run_for_each

    values = G.cached("pagerank.leaving", lambda g: g.csr.values.astype("float64")) if s.weighted else None
    arcs, returns = (G.csr.indptr, G.csr.indices, values, inverse_sums(G, s)), s.sinks is s.seeds
    lead = (np.empty(0), np.empty(0), np.empty(0)) if s.top is None else find_lead(G, s)
    sinks = NOWHERE if returns else s.sinks.listed
    how = sinks, s.damping, returns, find_bounds(G, s), s.top or 0, lead
    push = partial(push_some, G, arcs, how)
    pieces = max(1, min(4 * count_workers(), len(seeds) // QUERIES_A_PIECE))
    edges = [len(seeds) * k // pieces for k in range(pieces + 1)]
    if pieces == 1:
        parts = [run_aside(G.nvals, push, seeds)]
    else:
        parts = run_for_each(lambda piece: push(seeds[slice(*piece)]), list(pairwise(edges)))
    return list(chain.from_iterable(parts))


def push_some(G: Any, arcs: Any, how: Any, seeds: list[Distribution]) -> list[Row | None]:
    """The vertices and ranks of some queries by one thread with a workspace of the graph; None where it is too much."""
    from graphla.algorithms.pagerank._push_cpu import GIVEN_UP, make_workspace, push_each

    spare: list[Any] = G.cached("pagerank.workspaces", lambda _: [])
    try:
        work = spare.pop()
    except IndexError:
        work = make_workspace(G.n)
    ends, vertices, ranks = cast("Any", push_each)(*arcs, pack(seeds), *how, work)
    spare.append(work)  # it is clear; one that an interrupt leaves in use never comes back
    firsts = np.maximum.accumulate(np.append(0, ends[:-1])).tolist()
    return [None if end == GIVEN_UP else (vertices[k:end], ranks[k:end]) for k, end in zip(firsts, ends, strict=True)]


def rank_in_rounds(G: Any, s: Settings, seeds: list[Distribution]) -> list[Row]:
    """The vertices and ranks of queries that reach most of the graph, or the highest ones."""
    ranks, residual = (rank_on_cpu if G.engine.name == "cpu" else rank_on_cuda)(G, s, seeds)
    s.require_convergence(residual)
    if s.top is None:
        listed = [G.engine.xp.flatnonzero(row).astype(np.int32) for row in ranks]
        return [(vertices, row[vertices]) for vertices, row in zip(listed, ranks, strict=True)]
    rows = keep_top_of_all(G.engine, ranks, s.top)
    indices, values = (G.engine.to_host(each) if keeps_few(G, s) else each for each in (rows.indices, rows.values))
    return [(indices[a:b], values[a:b]) for a, b in pairwise(G.engine.to_host(rows.indptr).tolist())]


def rank_on_cuda(G: Any, s: Settings, seeds: list[Distribution]) -> tuple[Array, float]:
    """All ranks of queries, a row each, by rounds side by side, and how much the last round changed them."""
    from graphla.algorithms.pagerank._columns_cuda import rank_columns

    return rank_columns(G, s, seeds)


def rank_on_cpu(G: Any, s: Settings, seeds: list[Distribution]) -> tuple[Array, float]:
    """The same, by sweeps if the graph allows."""
    from graphla.algorithms.pagerank._blocks_cpu import run_sweeps
    from graphla.algorithms.pagerank._sweeps_cpu import can_sweep

    if can_sweep(G, s):
        return run_sweeps(G, s, seeds)
    sinks = [each if s.sinks is s.seeds else s.sinks for each in seeds]
    found = [run_on_cpu(G, replace(s, seeds=each, sinks=sink)) for each, sink in zip(seeds, sinks, strict=True)]
    return np.stack([each[0] for each in found]), max(each[2] for each in found)


def pack(seeds: list[Distribution]) -> tuple[Array, Array, Array]:
    """The vertices and shares of distributions one after the other, and where each begins and ends."""
    vertices, shares = (np.concatenate(parts) for parts in zip(*(each.listed for each in seeds), strict=True))
    ends = np.cumsum([each.listed[0].size for each in seeds])
    return vertices, shares, np.stack([np.append(0, ends[:-1]), ends], axis=1)


def find_lead(G: Any, s: Settings) -> tuple[Array, Array, Any]:
    """Weights w with w − d P w > 0 for each vertex, these differences, and the largest weight, kept with the graph.

    w are about the ranks of teleports to all vertices, so that both are spread as ranks are. Dangling ranks are lost,
    as they are in the kernel, or go to the sinks that the caller gave.
    """
    if s.sinks is not s.seeds and s.share.any():
        return weigh(G, s, s.sinks)
    lost = Distribution(G.n, None, np.zeros(1))
    return G.cached(f"pagerank.lead.{s.weighted}.{s.damping}", lambda g: weigh(g, s, lost))


def weigh(G: Any, s: Settings, sinks: Distribution) -> tuple[Array, Array, Any]:
    """The weights of vertices, ranks that are so near to settled ones that all differences are above 0."""
    teleport = (1 - s.damping) / max(1, G.n)
    everywhere = Distribution(G.n, None, np.full(1, 1 / max(1, G.n)))
    s = replace(s, seeds=everywhere, sinks=sinks, start=None, tolerance=teleport / 2, rounds=2**30)
    if G.engine.name == "cuda":
        ranks, _, _ = run_on_cuda(G, s)
        further, _, _ = run_on_cuda(G, replace(s, start=ranks, tolerance=None, rounds=1))
        return ranks, ranks - further + teleport, float(ranks.max())
    from graphla.algorithms.pagerank._fused_cpu import Contributions, iterate
    from graphla.algorithms.shared.gather_cpu import gather

    values, inverse = weights_of_entering(G, s), inverse_sums(G, s)
    ranks, _, _ = iterate(G.csc, values, inverse, s, G.n, Contributions(inverse))
    lost = ranks[inverse == 0].sum() * sinks.full
    slack = ranks - s.damping * (gather(G.csc, values, ranks * inverse) + lost)
    return ranks, slack, ranks.max(initial=0.0, keepdims=True)


def join(xp: Any, n: int, rows: list[Row]) -> CompressedMatrix:
    """The rows, one below the other."""
    lengths = xp.asarray([each.size for each, _ in rows])
    vertices, ranks = (xp.concatenate(part) for part in zip(*rows, strict=True))
    return CompressedMatrix(len(rows), n, point(xp, lengths), vertices, ranks)


def refuse(G: Any, request: Request) -> str | None:
    """Refuse what is about rounds, and two ends."""
    for name in ("rounds", "max_rounds", "start"):
        if request.get(name) is not None:
            return f"{name}={show(request[name])}: it pushes from vertex to vertex, in no rounds of all; leave it out"
    if request.get("damping") == 1:
        return "damping=1: no residual would become rank"
    if request.get("epsilon") is not None and request.get("tolerance") is not None:
        return "epsilon= and tolerance= are two ends; give one of them"
    return None


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="residuals become rank where they are large, and move on along arcs: only what is near is touched",
    source="Andersen, Chung, Lang, FOCS 2006; Berkhin, 2006",
    refuses=refuse,
    rank=-100,
)
