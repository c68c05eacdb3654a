"""r = (1 − d) p + d (Aᵀ plus.second (r / out) + lost q): each vertex shares its rank among its arcs.

A surfer follows an arc with probability d, one like the other or by their weights, and else goes to a vertex that p
chooses. What reaches a vertex without leaving arcs is lost; q says where it goes on. Each round is a product. O(V + E)
per round, and the difference to the ranks falls by the factor d in each. Computed in FP64, whatever the dtype of the
answer.

Source: Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", Stanford 1999; as in
LAGraph (LAGr_PageRank.c, LAGr_PageRankGAP.c).
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.pagerank.settings import Settings, refuse_epsilon
from graphla.containers.aggregators import agg
from graphla.containers.loop import loop
from graphla.containers.scalar import Scalar
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import binary, plus_second, plus_times


def run(G: Graph, s: Settings) -> tuple[Vector, int, float]:
    """Ranks, the rounds that ran, and how much the last one changed."""
    A, d, vector = G.A, s.damping, vector_maker(G)
    multiply = plus_times if s.weighted else plus_second
    out = (plus_times(A @ vector(1)) if s.weighted else A.reduce_rowwise(agg.count)).new("FP64")
    inverse, teleport, share = vector(0), vector((1 - d) * s.teleport), vector(d * s.share)
    inverse(out.S) << d / out
    dangling = vector(0)
    dangling(~out.S) << 1
    loses = out.nvals < G.n and s.share.any()
    r, before = vector(s.begin(G.n)), vector(0)
    lost, change = Scalar("FP64"), Scalar("FP64", float("inf"))

    def step(_: Any) -> None:
        before << r
        r << teleport
        r(binary.plus) << multiply(A.T @ (before * inverse))
        if loses:
            lost << plus_times(before @ dangling)
            r << r + share * lost
        change << abs(r - before).reduce()

    tolerance = s.tolerance
    done = loop(step, while_true=None if tolerance is None else lambda: change > tolerance, times=s.rounds)
    return r.dup(s.dtype), done.rounds, change.get(0.0)


def vector_maker(G: Graph) -> Any:
    """A function that makes a full vector of one number, or of an array of size 1 or n on the host."""
    xp = G.engine.xp
    return lambda values: Vector.from_dense(xp.zeros(G.n) + xp.asarray(values), engine=G.engine)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="a round is a product: r = (1 − d) p + d (Aᵀ plus.second (r / out) + lost q)",
    source="Page, Brin, Motwani, Winograd, 1999; LAGraph",
    refuses=refuse_epsilon,
)
