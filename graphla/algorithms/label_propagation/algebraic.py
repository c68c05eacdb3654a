"""C = A plus.pair S: how many neighbours of v have label l, where S[u, l] is there if l is the label of u.

The most frequent label is no monoid on labels, but histograms add up: that of a vertex is a row of a product. S has one
entry per row. A count c of label l is rated c n − l, so that the largest rating of a row is that of the smallest of its
most frequent labels, which is −rating mod n. Of a directed graph C = A plus.pair S + Aᵀ plus.pair S. From the second
round on only vertices count again that have a neighbour whose label has changed, f any.pair A; their rows are cut out
if they are fewer than half.

O(E) work per round, and memory for a count per vertex and label around it.

Source: Raghavan, Albert, Kumara, Physical Review E 76, 2007; Iosup et al., "The LDBC Graphalytics Benchmark", 2020
(CDLP).
"""

from __future__ import annotations

from typing import Any

from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graph import Graph
from graphla.problem import Method
from semirings import IndexUnaryOp, any_pair, binary, monoid, plus_pair
from semirings.expression import trace

RATING = IndexUnaryOp("rating", trace(lambda x, i, j, n: x * n - j, ("x", "i", "j", "thunk")))
"""A count x in column j: more is better, and then a smaller column."""


def run(G: Graph, rounds: int) -> Vector:
    """The label of each vertex after some rounds, or once they stay as they are."""
    n, L, awake = G.n, Vector.from_dense(G.engine.xp.arange(G.n, dtype="int32"), engine=G.engine), None
    for _ in range(rounds if G.nvals else 0):
        rows = slice(None) if awake is None or 2 * awake.nvals >= n else awake.to_coo()[0]
        rating = count_labels(G, L, rows).apply(RATING, n).reduce_rowwise(monoid.max).new()
        count = ((rating + (n - 1)) // n).new()
        before = L.dup()
        L(binary.second)[rows] << binary.minus(binary.times(count, n) & rating)
        changed = binary.ne(L & before).new()
        f = changed.dup(mask=changed.V)
        if not f.nvals:
            break
        awake = find_neighbours(G, f)
    return L


def count_labels(G: Graph, L: Vector, rows: Any) -> Matrix:
    """C: the histograms of the labels around vertices."""
    S = Matrix.from_csr(G.engine.xp.arange(G.n + 1), L.to_dense(), True, "BOOL", ncols=G.n, engine=G.engine)
    parts = [part if isinstance(rows, slice) else part[rows, :].new() for part in list_directions(G)]
    C = plus_pair(parts[0] @ S).new()
    if len(parts) > 1:
        C(binary.plus) << plus_pair(parts[1] @ S)
    return C


def find_neighbours(G: Graph, f: Vector) -> Vector:
    """The vertices with a neighbour in f."""
    awake = Vector("BOOL", G.n, engine=G.engine)
    for part in list_directions(G):
        awake(binary.first) << any_pair(part @ f)
    return awake


def list_directions(G: Graph) -> list[Any]:
    """A, and of a directed graph its transpose, too."""
    return [G.A] if G.symmetric else [G.A, G.A.T]


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="histograms C = A plus.pair S of the labels S around each vertex; the smallest column of the largest entry",
    source="Raghavan, Albert, Kumara, 2007; LDBC Graphalytics",
)
