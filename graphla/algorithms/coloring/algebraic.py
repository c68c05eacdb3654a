"""Jones–Plassmann: t = A max.second p is the highest priority beside each vertex; vertices above it are colored.

With the priorities p of the vertices without a color, and for each vertex v of color c a word b(v) = 2^c, a round is

    t<p> = A max.second p        q = p > t        s<q> = A bor.second b        color<q> = the first zero bit of s

and p leaves out q.

A word holds 62 colors. Vertices whose s is full look at the next word, which holds the next 62. O(E) work per round
beside that of the words, and as many rounds as the longest path of rising priorities.

Source: Jones, Plassmann, "A Parallel Graph Coloring Heuristic", SIAM J. Sci. Comput. 14(3), 1993, with the vertices of
many neighbours first (Welsh, Powell, 1967); LAGraph colors by rounds of independent sets (LAGraph_coloring_MIS.c).
"""

from __future__ import annotations

from itertools import count
from typing import Any

from graphla.algorithms.coloring._order import make_priorities
from graphla.algorithms.shared.seed import Settings
from graphla.algorithms.shared.undirected import find_pattern
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from semirings import Semiring, binary, max_second, monoid

BITS = 62
bor_second = Semiring("bor_second", monoid.bor, binary.second)


def run(G: Graph, s: Settings) -> tuple[Any]:
    """The color of each vertex."""
    A: Any = find_pattern(G)
    p = Vector.from_dense(make_priorities(G, s.seed), engine=G.engine)
    t, q = Vector("INT64", G.n, engine=G.engine), Vector("BOOL", G.n, engine=G.engine)
    color, words = Vector("INT32", G.n, engine=G.engine), list[Any]()
    while p.nvals:
        t << p
        t(p.S, binary.max) << max_second(A @ p)
        q << p.ewise_mult(t, binary.eq)
        q(q.V, replace) << q
        p(~q.S, replace) << p
        color_set(A, q, color, words)
    return (color.to_dense(0),)


def color_set(A: Any, q: Vector, color: Vector, words: list[Any]) -> None:
    """Give each vertex of an independent set the least color that no neighbour has."""
    for w in count():
        if w == len(words):
            words.append(Vector("INT64", color.size, engine=color.engine))
        s = Vector("INT64", color.size, engine=color.engine)
        s(q.S) << 0
        s(q.S, binary.bor) << bor_second(A @ words[w])
        least = s.apply(binary.bxor, (1 << BITS) - 1).new().select("valuegt", 0).new()
        least << least.ewise_mult(least.apply("ainv").new(), binary.band)
        words[w](least.S) << least
        color(least.S) << least.apply("log2").new().apply("round").new("INT32").apply(binary.plus, BITS * w)
        q(~least.S, replace) << q
        if not q.nvals:
            return


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="t = A max.second p: vertices above all beside them get the first zero bit of A bor.second b",
    source="Jones, Plassmann, SIAM J. Sci. Comput. 1993; Welsh, Powell, The Computer Journal 1967",
)
