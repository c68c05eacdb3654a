"""Shortest paths by weights that may be negative, with NetworkX's names and exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.sssp import sssp
from graphla.common.errors import NegativeCycle
from graphla.doors.networkx import unweighted
from graphla.doors.networkx.converted import ConvertedGraph
from graphla.doors.networkx.unweighted import follow, list_predecessors, require_node
from graphla.doors.networkx.weighted import Found, run_dijkstra
from graphla.graphs.graph import Graph

__all__ = [
    "all_pairs_bellman_ford_path",
    "all_pairs_bellman_ford_path_length",
    "bellman_ford_path",
    "bellman_ford_path_length",
    "bellman_ford_predecessor_and_distance",
    "goldberg_radzik",
    "johnson",
    "negative_edge_cycle",
    "single_source_bellman_ford",
    "single_source_bellman_ford_path",
    "single_source_bellman_ford_path_length",
]

Node = Any
UNBOUNDED = "Negative cycle detected."


def search(G: ConvertedGraph, source: int, weight: Any) -> Found:
    """The distances from a node, and its parents; the nodes in the order of a breadth-first search."""
    return solve(G, G.graph(weight), G.lengths(weight)[1], source)


def solve(G: ConvertedGraph, graph: Graph, whole: Any, source: int) -> Found:
    """The same of the graph with its weights."""
    try:
        distances, parents = sssp(graph, source, parents=True)
    except NegativeCycle:
        raise nx.NetworkXUnbounded(UNBOUNDED) from None
    order = unweighted.search(G.out, [source])[0]
    parent = parents.to_numpy(-1).astype(np.int32)
    parent[source] = -1
    return Found(G, order, order, distances.to_numpy(0).astype(np.float64), parent, whole)


def search_all(G: ConvertedGraph, weight: Any) -> Iterator[tuple[Node, Found]]:
    """The searches from all nodes; weights that are no numbers are refused now, so that NetworkX answers."""
    graph, whole = G.graph(weight), G.lengths(weight)[1]
    return ((node, solve(G, graph, whole, number)) for number, node in enumerate(G.nodes))


def find(G: ConvertedGraph, source: Node, weight: Any, message: str = "Source {} not in G") -> Found:
    """The same of a node by its name."""
    return search(G, require_node(G, source, message.format(source)), weight)


def list_paths(found: Found) -> dict[Node, list[Node]]:
    """The path to each node that is reached."""
    parent = found.parent.tolist()
    return {
        node: found.G.name(np.array(follow(parent, number)[::-1]))
        for node, number in zip(found.G.name(found.order), found.order.tolist(), strict=True)
    }


def single_source_bellman_ford_path_length(G: ConvertedGraph, source: Node, weight: Any = "weight") -> dict[Node, Any]:
    """`networkx.single_source_bellman_ford_path_length`."""
    return find(G, source, weight).list_distances()


def single_source_bellman_ford_path(G: ConvertedGraph, source: Node, weight: Any = "weight") -> dict[Node, list[Node]]:
    """`networkx.single_source_bellman_ford_path`."""
    return single_source_bellman_ford(G, source, weight=weight)[1]


def single_source_bellman_ford(G: ConvertedGraph, source: Node, target: Node = None, weight: Any = "weight") -> Any:
    """`networkx.single_source_bellman_ford`."""
    if source == target:
        require_node(G, source, f"Node {source} is not found in the graph")
        return 0, [source]
    found = find(G, source, weight)
    if target is None:
        return found.list_distances(), list_paths(found)
    number = require_reached(found, target, f"Target {target} cannot be reached from given sources")
    return found.find_number(number), G.name(np.array(follow(found.parent, number)[::-1]))


def require_reached(found: Found, target: Node, message: str) -> int:
    """The number of a node that the search has reached, or NetworkXNoPath."""
    number = found.G.find(target)
    if number is None or not (found.order == number).any():
        raise nx.NetworkXNoPath(message)
    return number


def bellman_ford_path(G: ConvertedGraph, source: Node, target: Node, weight: Any = "weight") -> list[Node]:
    """`networkx.bellman_ford_path`."""
    return single_source_bellman_ford(G, source, target, weight)[1]


def bellman_ford_path_length(G: ConvertedGraph, source: Node, target: Node, weight: Any = "weight") -> Any:
    """`networkx.bellman_ford_path_length`."""
    if source == target:
        require_node(G, source, f"Node {source} not found in graph")
        return 0
    found = find(G, source, weight)
    number = require_reached(found, target, f"node {target} not reachable from {source}")
    return found.find_number(number)


def bellman_ford_predecessor_and_distance(
    G: ConvertedGraph, source: Node, target: Node = None, weight: Any = "weight", heuristic: bool = False
) -> tuple[dict[Node, list[Node]], dict[Node, Any]]:
    """`networkx.bellman_ford_predecessor_and_distance`; `target` and `heuristic` change nothing in its answer."""
    start = require_node(G, source, f"Node {source} is not found in the graph")
    refuse_negative_loops(G, weight)
    found = search(G, start, weight)
    before = list_predecessors(G, G.lengths(weight)[0], found.order, found.distance)
    return (before if len(G) > 1 else {source: []}), found.list_distances()


def refuse_negative_loops(G: ConvertedGraph, weight: Any) -> None:
    """Refuse an edge of negative length from a node to itself, wherever it is."""
    sources = G.list_tails()
    if (G.lengths(weight)[0][sources == G.out.indices] < 0).any():
        raise nx.NetworkXUnbounded(UNBOUNDED)


def all_pairs_bellman_ford_path_length(
    G: ConvertedGraph, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, Any]]]:
    """`networkx.all_pairs_bellman_ford_path_length`."""
    return ((node, found.list_distances()) for node, found in search_all(G, weight))


def all_pairs_bellman_ford_path(
    G: ConvertedGraph, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, list[Node]]]]:
    """`networkx.all_pairs_bellman_ford_path`."""
    return ((node, list_paths(found)) for node, found in search_all(G, weight))


def goldberg_radzik(
    G: ConvertedGraph, source: Node, weight: Any = "weight"
) -> tuple[dict[Node, Node | None], dict[Node, Any]]:
    """`networkx.goldberg_radzik`."""
    start = require_node(G, source, f"Node {source} is not found in the graph")
    refuse_negative_loops(G, weight)
    found = search(G, start, weight)
    names = [None if number < 0 else G.nodes[number] for number in found.parent[found.order].tolist()]
    return dict(zip(G.name(found.order), names, strict=True)), found.list_distances()


def reach_all(G: ConvertedGraph, weight: Any) -> Any:
    """The distances from a further node with an edge of length 0 to each: float64 of shape (n,).

    Raises
    ------
    NegativeCycle
        If there is a cycle of negative length, wherever it is.
    """
    graph, n = G.graph(weight), len(G)
    csr = graph.to("cpu").csr
    tails = np.concatenate([np.repeat(np.arange(n), np.diff(csr.indptr)), np.full(n, n)])
    heads = np.concatenate([csr.indices, np.arange(n)])
    lengths = np.concatenate(
        [csr.values.astype(np.float64 if csr.values.dtype.kind == "f" else np.int64), np.zeros(n, np.int64)]
    )
    return sssp(Graph((tails, heads, lengths), n=n + 1), n).to_numpy(0)[:n].astype(np.float64)


def negative_edge_cycle(G: ConvertedGraph, weight: Any = "weight", heuristic: bool = True) -> bool:
    """`networkx.negative_edge_cycle`; `heuristic` changes nothing in its answer."""
    if not G.out.indices.size or G.graph(weight).min_weight >= 0:
        return False
    try:
        reach_all(G, weight)
    except NegativeCycle:
        return True
    return False


def johnson(G: ConvertedGraph, weight: Any = "weight") -> dict[Node, dict[Node, list[Node]]]:
    """`networkx.johnson`."""
    try:
        potential = reach_all(G, weight)
    except NegativeCycle:
        raise nx.NetworkXUnbounded(UNBOUNDED) from None
    lengths, _ = G.lengths(weight)
    lengths = lengths + np.repeat(potential, np.diff(G.out.indptr)) - potential[G.out.indices]
    answer = {}
    for number, node in enumerate(G.nodes):
        start = np.full(1, number, np.int32)
        answer[node] = run_dijkstra(G, lengths, False, start).list_paths()
    return answer
