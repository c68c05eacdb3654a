"""Triangles and clustering coefficients, with NetworkX's names and exceptions."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.triangles import triangles as count_triangles
from graphla.containers.aggregators import agg
from graphla.containers.matrix import Matrix
from graphla.doors.networkx.converted import ConvertedGraph, refuse_kinds
from graphla.graphs.graph import Graph
from semirings import binary, plus_pair, plus_times, unary

__all__ = ["average_clustering", "clustering", "transitivity", "triangles"]


def triangles(G: ConvertedGraph, nodes: Any = None) -> Any:
    """`networkx.triangles`."""
    if nodes is not None:
        refuse_kinds(G, "multigraph")
    return pick(G, count_at_nodes(G), nodes)


def clustering(G: ConvertedGraph, nodes: Any = None, weight: Any = None) -> Any:
    """`networkx.clustering`."""
    refuse_kinds(G, "multigraph")
    found, pairs = count_arcs(G, weight)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(found == 0, 0.0, found / pairs)
    picked = pick(G, values, nodes)
    return without_float_zeros(picked) if isinstance(picked, dict) else picked or 0


def without_float_zeros(values: dict[Any, Any]) -> dict[Any, Any]:
    """The values with 0 for 0.0: NetworkX adds to an int, and divides what it has added."""
    return {node: value or 0 for node, value in values.items()}


def average_clustering(G: ConvertedGraph, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> float:
    """`networkx.average_clustering`."""
    found = list(clustering(G, nodes, weight).values())
    counted = found if count_zeros else [value for value in found if abs(value) > 0]
    return sum(counted) / len(counted)


def transitivity(G: ConvertedGraph) -> float:
    """`networkx.transitivity`: of a directed graph, along the edges that leave a node."""
    refuse_kinds(G, "multigraph")
    A = remove_loops(G.graph())
    degree = count_entries(A)
    if G.directed:
        joined = Matrix("INT64", A.nrows, A.ncols, engine=A.engine)
        joined(A.S) << plus_pair(A @ A)
        found = int(joined.reduce_scalar("plus").new().get(0))
    else:
        found = 2 * int(count_at_nodes(G).sum())
    return found / int((degree * (degree - 1)).sum()) if found else 0


def pick(G: ConvertedGraph, values: Any, nodes: Any) -> Any:
    """The values of all nodes, of one node, or of some, as NetworkX gives them."""
    if nodes is None:
        return G.by_node(values)
    number = G.find(nodes)
    if number is not None:
        return values[number].item()
    chosen = list(G.origin.nbunch_iter(nodes))
    return dict(zip(chosen, values[[G.number[node] for node in chosen]].tolist(), strict=True))


def remove_loops(graph: Graph) -> Matrix:
    """The adjacency matrix without its diagonal."""
    return graph.cached("networkx.loopless", lambda g: g.A.select("offdiag").new())


def count_entries(A: Matrix) -> Any:
    """The number of entries of each row, on the host."""
    return A.reduce_rowwise(agg.count).new().to_numpy(0).astype(np.int64)


def count_at_nodes(G: ConvertedGraph) -> Any:
    """The number of triangles of each node."""
    return G.graph().cached("networkx.triangles", lambda g: count_triangles(g, per_vertex=True).to_numpy(0))


def count_arcs(G: ConvertedGraph, weight: Any) -> tuple[Any, Any]:
    """For each node the arcs that join its neighbours, or their weights, and how many arcs there could be."""
    if G.directed:
        return count_directed(G, weight)
    degree = count_entries(remove_loops(G.graph()))
    found = 2 * count_at_nodes(G) if weight is None else close(weigh(G, weight))
    return found, degree * (degree - 1)


def count_directed(G: ConvertedGraph, weight: Any) -> tuple[Any, Any]:
    """The same of a directed graph, whose triangles have eight orientations [1]_.

    .. [1] G. Fagiolo, "Clustering in Complex Directed Networks", Physical Review E 76(2), 2007.
    """
    A = remove_loops(G.graph()).dup("INT64")
    W = A if weight is None else weigh(G, weight)
    both = count_entries(binary.times(A & A.T).new())
    total = count_entries(A) + count_entries(A.T.new())
    return close(binary.plus(W | W.T).new()), 2 * (total * (total - 1) - 2 * both)


def weigh(G: ConvertedGraph, weight: Any) -> Matrix:
    """The cube roots of weights over the largest one, without loops."""
    graph = G.graph(weight)
    largest = graph.max_weight if graph.nvals and graph.dtype.name != "BOOL" else 1
    if largest == 0:
        raise NotImplementedError(f"weight={weight!r}: all weights are 0, and NetworkX divides by the largest")
    return unary.cbrt(remove_loops(graph).dup("FP64") / largest).new()


def close(B: Matrix) -> Any:
    """The diagonal of B³ for a symmetric B: the walks of three arcs that end where they begin, by their weights."""
    two = Matrix(B.dtype, B.nrows, B.ncols, engine=B.engine)
    two(B.S) << plus_times(B @ B)
    return binary.times(two & B).new().reduce_rowwise("plus").new().to_numpy(0)
