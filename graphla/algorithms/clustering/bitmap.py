"""A triangle adds to each of its vertices the arcs between the other two; found as by `triangles`.

Of an undirected graph these are twice the triangles of each vertex. Of a directed graph, triangles are
those of the graph with all reverse arcs, and the rows of bits have a second part: the arcs that are there both ways.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.clustering import Settings
from graphla.algorithms.clustering._shares import begin, double_counts
from graphla.algorithms.shared.undirected import count_ways, is_undirected
from graphla.algorithms.triangles import EACH, bitmap
from graphla.graphs.graph import Graph
from graphla.problem import Method


def run_on_cpu(G: Any, s: Settings) -> tuple[Any]:
    """The arcs between the neighbours of each vertex."""
    from graphla.algorithms.triangles.bitmap_cpu import count_closed

    return (count_closed(G.cached("clustering.oriented", make_oriented)),)


def make_oriented(G: Any) -> Any:
    """The arcs to vertices of higher degree, and which of them are there both ways."""
    from graphla.algorithms.triangles.oriented_cpu import orient

    hubs, least = bitmap.HUBS["cpu"], bitmap.LEAST_DEGREE["cpu"]
    if is_undirected(G):
        return G.cached(f"triangles.oriented.{hubs}.{least}", lambda G: orient(G, hubs, least))
    joined = Graph(count_ways(G))
    return orient(joined, hubs, least, joined.csr.values.astype("uint8"))


def run_on_cuda(G: Any, s: Settings) -> tuple[Any]:
    """The arcs between the neighbours of each vertex."""
    begin(G.engine)
    if is_undirected(G):
        return (double_counts(G.engine, bitmap.run_on_cuda(G, EACH)[0]),)
    joined = G.cached("clustering.joined", lambda G: Graph(count_ways(G)))
    return (bitmap.close_on_cuda(joined, joined.csr.values),)


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="a triangle adds to each vertex the arcs between the others; by rows of bits and hash tables",
    source=bitmap.method.source,
    rank=100,
)
