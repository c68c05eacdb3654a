"""C = A plus.pair S: how many neighbours of v have label l, where S[u, l] is there if l is the label of u.

The histogram of a row is a row of a product, for histograms add up; the most frequent label is no monoid on labels, but
it is the place of the largest entry of a histogram. S has one entry per row. m holds the largest count of each row,
the entries of C that equal it are kept, and the label is the smallest column among them. Of a directed graph
C = A plus.pair S + Aᵀ plus.pair S. O(E) work per round, and memory for a count per vertex and label around it.

Source: Raghavan, Albert, Kumara, Physical Review E 76, 2007; Iosup et al., "The LDBC Graphalytics Benchmark", 2020
(CDLP).
"""

from __future__ import annotations

from typing import Any

from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graph import Graph
from graphla.problem import Method
from semirings import any_eq, binary, indexunary, monoid, plus_pair


def run(G: Graph, rounds: int) -> Vector:
    """The label of each vertex after some rounds, or once they stay as they are."""
    A, L, before = G.A, Vector.from_dense(G.engine.xp.arange(G.n, dtype="int32"), engine=G.engine), None
    for _ in range(rounds if G.nvals else 0):
        S = make_indicator(G, L)
        C = plus_pair(A @ S).new("INT32")
        if not G.symmetric:
            C(binary.plus) << plus_pair(A.T @ S)
        m = C.reduce_rowwise(monoid.max).new()
        most = any_eq(m.diag() @ C).new()
        before = L.dup()
        L(binary.second) << C.dup(mask=most.V).apply(indexunary.colindex).reduce_rowwise(monoid.min)
        if L.isequal(before):
            break
    return L


def make_indicator(G: Graph, labels: Vector) -> Matrix:
    """S[u, l] is there if l is the label of u."""
    indptr: Any = G.engine.xp.arange(G.n + 1)
    return Matrix.from_csr(indptr, labels.to_dense(), True, "BOOL", ncols=G.n, engine=G.engine)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="histograms C = A plus.pair S of the labels S around each vertex; the smallest column of the largest entry",
    source="Raghavan, Albert, Kumara, 2007; LDBC Graphalytics",
)
