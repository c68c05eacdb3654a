"""Peeling: t = A plus.pair q counts, for each vertex, the neighbours that leave; those with at most k left leave next.

With d, the number of neighbours that are left, and the vertices ``left``, a round is

    q = left where d <= k        core<q> = k        d<left> -= A plus.pair q

and k grows to the least d once no vertex leaves. O(V + E) work for the products in all, O(V) per round beside them.

Source: Matula, Beck, "Smallest-Last Ordering and Clustering and Graph Coloring Algorithms", J. ACM 30(3), 1983; as
algebra in LAGraph (LAGraph_KCore.c).
"""

from __future__ import annotations

from graphla.algorithms.shared.undirected import find_degrees, find_neighbours
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from semirings import binary, monoid, plus_pair


def run(G: Graph) -> tuple[Vector]:
    """The core number of each vertex."""
    A = find_neighbours(G)
    core = Vector("INT32", G.n, engine=G.engine)
    d = Vector.from_dense(find_degrees(G).astype("int32"), engine=G.engine)
    t = Vector("INT32", G.n, engine=G.engine)
    k = 0
    while d.nvals:
        k = max(k, int(d.reduce(monoid.min).new().get(0)))
        q = d.select("valuele", k).new()
        core(q.S) << k
        d(~q.S, replace) << d
        t(d.S, replace) << plus_pair["INT32"](A @ q)
        d(binary.minus) << t
    return (core,)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="d -= A plus.pair q: vertices with at most k neighbours left leave, round after round",
    source="Matula, Beck, J. ACM 1983; LAGraph",
)
