"""The best arc of each vertex; those that are the best at both ends are chosen, and their vertices leave.

R has a number for each arc that orders the edges, the same for both arcs. With m, the largest number of each row, a
round is

    B = diag(m) any.first R        P = arcs where R = B        M = P and P'

and the rows and columns of M leave R.

O(E) work per round, and O(log n) rounds if the order is random. The matching is that of a loop over the edges by
falling order. On bipartite graphs `kind="maximum"` goes on from there by searches from all free vertices at once.

Source: Preis, "Linear Time 1/2-Approximation Algorithm for Maximum Weighted Matching in General Graphs", STACS 1999;
Azad, Buluç, "A Matrix-Algebraic Formulation of Distributed-Memory Maximal Cardinality Matching Algorithms in Bipartite
Graphs", Parallel Computing 58, 2016, and "Distributed-Memory Algorithms for Maximum Cardinality Matching in Bipartite
Graphs", IPDPS 2016, as in LAGraph (LAGr_MaximumMatching.c).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.matching._augment import maximize
from graphla.algorithms.matching._keys import rank_arcs
from graphla.algorithms.matching.settings import Settings
from graphla.algorithms.matching.sides import find_sides
from graphla.algorithms.shared.undirected import find_neighbours
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from graphla.storage import CompressedMatrix
from semirings import any_first, any_second, binary, indexunary, monoid

Array = Any


def run(G: Graph, s: Settings) -> tuple[Array]:
    """The mate of each vertex, or -1."""
    if s.kind == "maximum":
        return (match_sides(G, find_sides(G)),)
    return (match_dominant(rank_edges(G, s.weights, s.seed)),)


def match_sides(G: Graph, left: Array) -> Array:
    """The mate of each vertex, or -1, of as many pairs as there can be between both sides."""
    return maximize(find_neighbours(G), left, match_dominant(rank_edges(G, False, 0)))


def rank_edges(G: Graph, weights: bool, seed: int) -> Matrix:
    """The numbers that order the edges, at both arcs of each: INT64."""
    A = Graph(find_neighbours(G))
    ranked = CompressedMatrix(G.n, G.n, A.csr.indptr, A.csr.indices, rank_arcs(A, weights, seed))
    return Matrix._from_storage(ranked, G.engine)


def match_dominant(R: Any) -> Array:
    """Rounds over the arcs of vertices that are free."""
    mates = R.engine.xp.full(R.nrows, -1, np.int32)
    while R.nvals:
        m = R.reduce_rowwise(monoid.max).new()
        B = any_first(m.diag() @ R).new()
        P = R.ewise_mult(B, binary.eq).new().select("valueeq", True).new()
        M = P.ewise_mult(P.T, binary.pair).new()
        ends, others = M.apply(indexunary.colindex, right=0).new().reduce_rowwise(monoid.any).new().to_coo()
        mates[ends] = others
        D = Vector._from_sentinel(mates < 0, False, R.engine).diag()
        R = any_first(any_second(D @ R).new() @ D).new()
    return mates


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="edges that are the best at both ends are chosen, their vertices leave; then searches p = A min.secondi f",
    source="Preis, STACS 1999; Azad, Buluç, Parallel Computing and IPDPS 2016; LAGraph",
)
