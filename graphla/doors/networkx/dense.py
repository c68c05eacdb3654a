"""Distances between all pairs at once, with NetworkX's names."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.apsp import apsp
from graphla.common.errors import NegativeCycle
from graphla.doors.networkx.converted import ConvertedGraph
from graphla.graphs.graph import Graph

__all__ = ["floyd_warshall", "floyd_warshall_numpy", "floyd_warshall_predecessor_and_distance"]


def solve(graph: Graph, **options: Any) -> Any:
    """`apsp` as arrays of the host; with a negative cycle there are no distances, whatever NetworkX returns then."""
    try:
        found = apsp(graph, dense=True, **options)
    except NegativeCycle as error:
        raise NotImplementedError(str(error)) from None
    parts = tuple(graph.engine.to_host(part) for part in (found if isinstance(found, tuple) else (found,)))
    return parts if isinstance(found, tuple) else parts[0]


def to_floats(distances: Any) -> Any:
    """Distances as float64, infinite where there is no path."""
    found = distances.astype(np.float64)
    if distances.dtype.kind != "f":
        found[distances == np.iinfo(distances.dtype).max] = np.inf
    return found


def floyd_warshall_numpy(G: ConvertedGraph, nodelist: Any = None, weight: Any = "weight") -> Any:
    """`networkx.floyd_warshall_numpy`."""
    if nodelist is not None and not len(nodelist) == len(G) == len(set(nodelist)):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)"
        )
    found = to_floats(find_distances(G, weight))
    if nodelist is None:
        return found
    if set(nodelist) - set(G.nodes):
        raise nx.NetworkXError(f"Nodes {set(nodelist) - set(G.nodes)} in nodelist is not in G")
    places = [G.number[node] for node in nodelist]
    return found[np.ix_(places, places)]


def find_distances(G: ConvertedGraph, weight: Any) -> Any:
    """All distances, if their sums are exact."""
    G.lengths(weight)
    return solve(G.graph(weight))


def by_pair(G: ConvertedGraph, weight: Any, distances: Any) -> dict[Any, dict[Any, Any]]:
    """A dictionary for each row of a matrix of distances, in NetworkX's order; infinite where there is no path."""
    whole = weight is not None and G.lengths(weight)[1] is True and all(weight in data for data in G.data())
    answer = {}
    for node, row, order in zip(G.nodes, distances, list_orders(G), strict=True):
        numbers = [int(d) if whole and d < math.inf else d for d in row[order].tolist()]
        answer[node] = defaultdict(lambda: math.inf, zip(G.name(order), numbers, strict=True))
        answer[node][node] = answer[node][node] or 0
    return answer


def list_orders(G: ConvertedGraph) -> Iterator[Any]:
    """The order in which NetworkX comes to the nodes of each row: itself, neighbours by their edges, all others."""
    n, place = len(G), np.arange(G.out.indices.size)
    if not G.directed:
        place = G.mirror(np.flatnonzero(G.upper))
    for number in range(n):
        own, entries = np.arange(n) + place.size, slice(G.out.indptr[number], G.out.indptr[number + 1])
        own[G.out.indices[entries]] = place[entries]
        own[number] = -1
        yield np.argsort(own)


def floyd_warshall(G: ConvertedGraph, weight: Any = "weight") -> dict[Any, dict[Any, float]]:
    """`networkx.floyd_warshall`."""
    return by_pair(G, weight, to_floats(find_distances(G, weight)))


def floyd_warshall_predecessor_and_distance(
    G: ConvertedGraph, weight: Any = "weight"
) -> tuple[dict[Any, dict[Any, Any]], dict[Any, dict[Any, float]]]:
    """`networkx.floyd_warshall_predecessor_and_distance`."""
    G.lengths(weight)
    distances, hops = solve(G.reverse.graph(weight), next_hops=True)
    before = hops.T.copy()
    np.fill_diagonal(before, -1)
    loops = G.list_tails() == G.out.indices
    own = G.out.indices[loops]
    before[own, own] = own
    named = ((node, list_known(G, row)) for node, row in zip(G.nodes, before, strict=True))
    return {node: row for node, row in named if row}, by_pair(G, weight, to_floats(distances).T)


def list_known(G: ConvertedGraph, row: Any) -> dict[Any, Any]:
    """The predecessors of a row by their nodes, where there are any."""
    known = np.flatnonzero(row >= 0)
    return dict(zip(G.name(known), G.name(row[known]), strict=True))
