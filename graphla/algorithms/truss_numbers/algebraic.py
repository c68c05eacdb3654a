"""C<T> = T plus.pair T counts the triangles of each edge; edges that are in too few leave T.

A round takes the edges that are in at most s triangles out of T, and they get the number s + 2. Once none leaves, s
grows to the least count that is left. For one k a single s is enough: k - 3.

Source: Davis, "Graph algorithms via SuiteSparse:GraphBLAS: triangle counting and k-truss", HPEC 2018, as in LAGraph
(LAGraph_KTruss.c, LAGraph_AllKTest.c); Cohen, "Trusses: Cohesive Subgraphs for Social Network Analysis", 2008.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.undirected import get_simple
from graphla.algorithms.truss_numbers import Settings
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import binary, monoid, plus_pair

Array = Any


def run(G: Graph, asked: Settings) -> tuple[Array]:
    """The number of each arc of the graph without loops; if k is given, k where it is no less, and less elsewhere."""
    k = asked.k
    T: Any = get_simple(G).A.apply("one").new("BOOL")
    numbers = T.apply(binary.plus, 1).new("INT32")
    s = 0 if k is None else max(k, 2) - 3
    while T.nvals and s >= 0:
        C = count_triangles(T)
        least = int(C.reduce_scalar(monoid.min).new().get(0))
        if k is not None and least > s:
            break
        s = max(s, least)
        numbers(C.select("valuele", s).new().S) << s + 2
        T = C.select("valuegt", s).new().apply("one").new("BOOL")
    if k is not None:
        numbers << numbers.apply(binary.min, k - 1)
        numbers(T.S) << k
    return (numbers.to_coo()[2],)


def count_triangles(T: Matrix) -> Matrix:
    """The triangles of each edge, an explicit 0 for those in none."""
    C = Matrix("INT64", T.nrows, T.ncols, engine=T.engine)
    C << T.apply("lnot")
    C(T.S, binary.plus) << plus_pair["INT64"](T @ T)
    return C


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="C<T> = T plus.pair T: edges in too few triangles leave, round after round",
    source="Davis, HPEC 2018; LAGraph; Cohen, 2008",
)
