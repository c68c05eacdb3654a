"""Luby: t = A max.second p is the highest priority beside each vertex; vertices above it are chosen.

With the priorities p of the vertices that are undecided, a round is

    t<p> = A max.second p        q = p > t        chosen<q> = true        p leaves out q and A any.pair q

O(E) work per round, and O(log n) rounds if the priorities are random.

Source: Luby, "A Simple Parallel Algorithm for the Maximal Independent Set Problem", SIAM J. Comput. 15(4), 1986, as in
LAGraph (LAGraph_MaximalIndependentSet.c), with one order for all rounds: Blelloch, Fineman, Shun, "Greedy Sequential
Maximal Independent Set and Matching are Parallel on Average", SPAA 2012.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.random_order import make_priorities
from graphla.algorithms.shared.seed import Settings
from graphla.algorithms.shared.undirected import find_pattern
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from semirings import any_pair, binary, max_second


def run(G: Graph, s: Settings) -> tuple[Any]:
    """Whether each vertex is chosen."""
    A: Any = find_pattern(G)
    p = Vector.from_dense(make_priorities(G, s.seed), engine=G.engine)
    t, q = Vector("INT64", G.n, engine=G.engine), Vector("BOOL", G.n, engine=G.engine)
    chosen, beside = Vector("BOOL", G.n, engine=G.engine), Vector("BOOL", G.n, engine=G.engine)
    while p.nvals:
        t << p
        t(p.S, binary.max) << max_second(A @ p)
        q << p.ewise_mult(t, binary.eq)
        q(q.V, replace) << q
        chosen(q.S) << q
        beside << any_pair(A @ q)
        p(~q.S, replace) << p
        p(~beside.S, replace) << p
    return (chosen.to_dense(False),)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="t = A max.second p: vertices of higher priority than all beside them are chosen, their neighbours leave",
    source="Luby, SIAM J. Comput. 1986; LAGraph; Blelloch, Fineman, Shun, SPAA 2012",
)
