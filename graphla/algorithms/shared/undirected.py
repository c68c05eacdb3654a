"""The undirected pattern of a graph, without loops: what triangles are made of."""

from __future__ import annotations

from typing import Any

from graphla.common.errors import InvalidGraph
from graphla.containers.aggregators import agg
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage import Distributed
from graphla.storage.convert import are_equal, cast_indices, measure_rows
from graphla.storage.formats import as_compressed, list_row_ids
from semirings import binary

WAY_OUT = (
    "gl.read(…, undirected=True) and `graphla … --undirected` add the reverse arcs, and so does "
    "gl.Graph(binary.any(G.A | G.A.T).new())"
)


def is_undirected(G: Any) -> bool:
    """Whether each arc has its reverse; their weights may differ."""
    return G.cached("triangles.undirected", find_undirected)


def find_undirected(G: Any) -> bool:
    """Compare the structure with that of the transpose."""
    if G.symmetric:
        return True
    if isinstance(G.A._storage, Distributed):
        return binary.any(G.A | G.A.T).new().nvals == G.nvals
    there, back = G.csr, G.csc
    return all(are_equal(getattr(there, part), getattr(back, part)) for part in ("indptr", "indices"))


def require_undirected(G: Any, name: str, what: str = "triangles") -> None:
    """Refuse a directed graph, for there is no such thing in it."""
    if is_undirected(G):
        return
    A = G.A if isinstance(G.A._storage, Distributed) else G.A.to("cpu")
    one_way = A.dup(mask=~A.T.new().S)
    first: Any = as_compressed(A.engine.xp, A.engine.collect_first(one_way._storage, 1))
    tail, head = (int(part[0]) for part in (list_row_ids(first), first.indices))
    raise InvalidGraph(
        f"{name}: the graph is directed: the arc {tail} → {head} has no reverse ({one_way.nvals:,} have none); "
        f"{what} are of undirected graphs: {WAY_OUT}"
    )


MERGED_DEGREE = 16
"""Up to this largest degree sorted rows are merged as they are; beyond, arcs are oriented by degree first."""


def prefer_merge(methods: Any, G: Any) -> tuple[str, str] | None:
    """Merge rows where all are short: then nothing need be prepared."""
    if G.engine.name in methods["merge"].engines and G.max_degree <= MERGED_DEGREE:
        return "merge", f"no vertex has more than {MERGED_DEGREE} arcs"
    return None


def find_neighbours(G: Graph) -> Matrix:
    """The pattern with both arcs of each pair of neighbours, without loops."""
    return G.cached("triangles.neighbours", make_neighbours)


def get_simple(G: Any) -> Graph:
    """The graph without loops."""
    return G.cached("simple", lambda G: Graph(find_neighbours(G)))


def make_neighbours(G: Graph) -> Matrix:
    """The matrix itself, if it is that already."""
    A = G.A if is_undirected(G) else binary.any(G.A | G.A.T).new()
    simple = A.select("offdiag").new()
    return A if simple.nvals == A.nvals else simple


def find_pattern(G: Graph) -> Matrix:
    """The same arcs, each with True: beside weights of floats, int64 vectors would be rounded to FP64 in a product."""
    return G.cached("triangles.pattern", lambda G: find_neighbours(G).apply("one").new("BOOL"))


def count_ways(G: Graph) -> Matrix:
    """The pattern with both arcs of each pair of neighbours, and how many of the two are there: 1 or 2, in INT8."""
    A = G.A.select("offdiag").apply("one").new("INT8")
    return binary.plus(A | A.T).new()


def find_degrees(G: Graph) -> Any:
    """The number of neighbours of each vertex, itself not counted: int64 on the engine, all of them on each rank."""
    A = find_neighbours(G)
    if isinstance(A._storage, Distributed):
        return G.engine.xp.asarray(A.reduce_rowwise(agg.count).new("INT64").to_dense(0))
    return cast_indices(measure_rows(Graph(A).csr.indptr), "int64")
