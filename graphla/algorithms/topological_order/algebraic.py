"""Kahn's algorithm: vertices that no arc enters leave together, and t = Aᵀ plus.pair q counts the arcs they take along.

With d, the number of arcs that enter each vertex and have not left, a round is

    level<q> = k        t<d> = Aᵀ plus.pair q        d -= t        q = d where d = 0

O(V + E) work for the products in all, O(V) per round beside them.

Source: Kahn, "Topological Sorting of Large Networks", Communications of the ACM 5(11), 1962.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.topological_order import Settings
from graphla.algorithms.topological_order._order import sort_by_level
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from semirings import binary, plus_pair


def run(G: Graph, s: Settings) -> tuple[Any, Any]:
    """The order, shorter if there is a cycle, and the levels, -1 of vertices that are left."""
    A: Any = G.A
    level = Vector("INT32", G.n, engine=G.engine)
    d = Vector.from_dense(G.engine.xp.zeros(G.n, "int32"), engine=G.engine)
    d(binary.plus) << plus_pair["INT32"](A.T @ d)
    t, k = Vector("INT32", G.n, engine=G.engine), 0
    q = d.select("valueeq", 0).new()
    while q.nvals:
        level(q.S) << k
        d(~q.S, replace) << d
        t(d.S, replace) << plus_pair["INT32"](A.T @ q)
        d(binary.minus) << t
        q, k = d.select("valueeq", 0).new(), k + 1
    levels = level.to_dense(-1)
    return sort_by_level(levels), levels


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="d -= Aᵀ plus.pair q: vertices that no arc enters any more leave, round after round",
    source="Kahn, CACM 1962",
)
