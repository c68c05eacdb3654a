"""Shortest paths of any kind, by the arguments given, with NetworkX's names and exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.doors.networkx import dense, negative, unweighted, weighted
from graphla.doors.networkx.components import is_one
from graphla.doors.networkx.converted import ConvertedGraph

__all__ = [
    "all_pairs_all_shortest_paths",
    "all_shortest_paths",
    "average_shortest_path_length",
    "has_path",
    "shortest_path",
    "shortest_path_length",
    "single_source_all_shortest_paths",
]

Node = Any


def has_path(G: ConvertedGraph, source: Node, target: Node) -> bool:
    """`networkx.has_path`."""
    try:
        shortest_path(G, source, target)
    except nx.NetworkXNoPath:
        return False
    return True


def choose(weight: Any, method: str) -> str:
    """The kind of search."""
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    return "unweighted" if weight is None else method


def shortest_path(
    G: ConvertedGraph, source: Node = None, target: Node = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    """`networkx.shortest_path`."""
    kind = choose(weight, method)
    if source is not None and target is not None:
        if kind == "unweighted":
            return unweighted.bidirectional_shortest_path(G, source, target)
        if kind == "dijkstra":
            return weighted.bidirectional_dijkstra(G, source, target, weight)[1]
        return negative.bellman_ford_path(G, source, target, weight)
    if source is None and target is None:
        if kind == "unweighted":
            return unweighted.all_pairs_shortest_path(G)
        if kind == "dijkstra":
            return weighted.all_pairs_dijkstra_path(G, weight=weight)
        return negative.all_pairs_bellman_ford_path(G, weight=weight)
    if source is not None:
        return list_paths(G, source, weight, kind)
    paths = list_paths(G.reverse, target, weight, kind)
    return {node: path[::-1] for node, path in paths.items()}


def list_paths(G: ConvertedGraph, source: Node, weight: Any, kind: str) -> dict[Node, list[Node]]:
    """The paths from one node."""
    if kind == "unweighted":
        return unweighted.single_source_shortest_path(G, source)
    if kind == "dijkstra":
        return weighted.single_source_dijkstra_path(G, source, weight=weight)
    return negative.single_source_bellman_ford_path(G, source, weight=weight)


def list_lengths(G: ConvertedGraph, source: Node, weight: Any, kind: str) -> dict[Node, Any]:
    """The lengths of the paths from one node."""
    if kind == "unweighted":
        return unweighted.single_source_shortest_path_length(G, source)
    if kind == "dijkstra":
        return weighted.single_source_dijkstra_path_length(G, source, weight=weight)
    return negative.single_source_bellman_ford_path_length(G, source, weight=weight)


def list_predecessors(G: ConvertedGraph, source: Node, weight: Any, method: str) -> dict[Node, list[Node]]:
    """All nodes before each node on shortest paths from one."""
    if weight is None:
        return unweighted.predecessor(G, source)
    if choose(weight, method) == "dijkstra":
        return weighted.dijkstra_predecessor_and_distance(G, source, weight=weight)[0]
    return negative.bellman_ford_predecessor_and_distance(G, source, weight=weight)[0]


def walk_back(source: Node, target: Node, before: dict[Node, list[Node]]) -> Iterator[list[Node]]:
    """All simple paths from the source to the target along predecessors."""
    if target not in before:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    path, taken = [target], [0]
    while path:
        node, k = path[-1], taken[-1]
        if node == source:  # once more after each detour from it, as NetworkX does
            yield path[::-1]
        taken[-1] += 1
        if k == len(before[node]):
            path.pop()
            taken.pop()
        elif before[node][k] not in path:
            path.append(before[node][k])
            taken.append(0)


def all_shortest_paths(
    G: ConvertedGraph, source: Node, target: Node, weight: Any = None, method: str = "dijkstra"
) -> Iterator[list[Node]]:
    """`networkx.all_shortest_paths`."""
    return walk_back(source, target, list_predecessors(G, source, weight, method))


def single_source_all_shortest_paths(
    G: ConvertedGraph, source: Node, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, list[list[Node]]]]:
    """`networkx.single_source_all_shortest_paths`."""
    require_numbers(G, weight)
    return list_all(G, source, weight, method)


def require_numbers(G: ConvertedGraph, weight: Any) -> None:
    """Refuse weights that are no numbers now, not at the first step of an iterator, so that NetworkX answers."""
    if weight is not None:
        G.lengths(weight)


def list_all(G: ConvertedGraph, source: Node, weight: Any, method: str) -> Iterator[tuple[Node, list[list[Node]]]]:
    """All shortest paths from a node to each."""
    before = list_predecessors(G, source, weight, method)
    for node in before:
        yield node, list(walk_back(source, node, before))


def all_pairs_all_shortest_paths(
    G: ConvertedGraph, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, dict[Node, list[list[Node]]]]]:
    """`networkx.all_pairs_all_shortest_paths`."""
    require_numbers(G, weight)
    return ((node, dict(list_all(G, node, weight, method))) for node in G)


def shortest_path_length(
    G: ConvertedGraph, source: Node = None, target: Node = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    """`networkx.shortest_path_length`."""
    kind = choose(weight, method)
    if source is not None and target is not None:
        if kind == "unweighted":
            return len(unweighted.bidirectional_shortest_path(G, source, target)) - 1
        if kind == "dijkstra":
            return weighted.dijkstra_path_length(G, source, target, weight)
        return negative.bellman_ford_path_length(G, source, target, weight)
    if source is None and target is None:
        if kind == "unweighted":
            return unweighted.all_pairs_shortest_path_length(G)
        if kind == "dijkstra":
            return weighted.all_pairs_dijkstra_path_length(G, weight=weight)
        return negative.all_pairs_bellman_ford_path_length(G, weight=weight)
    if source is not None:
        return list_lengths(G, source, weight, kind)
    return list_lengths(G.reverse, target, weight, kind)


def average_shortest_path_length(G: ConvertedGraph, weight: Any = None, method: str | None = None) -> float:
    """`networkx.average_shortest_path_length`."""
    kind = method or ("unweighted" if weight is None else "dijkstra")
    if kind not in ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy"):
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    if not is_one(G, "strong" if G.directed else "weak"):
        raise nx.NetworkXError(f"Graph is not {'strongly ' if G.directed else ''}connected.")
    return sum_distances(G, weight, kind) / (n * (n - 1))


BATCH = 512
"""Sources that are searched at once, 64 to a word."""


def sum_distances(G: ConvertedGraph, weight: Any, kind: str) -> Any:
    """The sum of the distances between all pairs of a connected graph."""
    if kind == "unweighted":
        return sum(sum_levels(G))
    if kind == "floyd-warshall-numpy":
        return float(dense.floyd_warshall_numpy(G, weight=weight).sum())
    if kind == "floyd-warshall":
        return sum(sum(row.values()) for row in dense.floyd_warshall(G, weight=weight).values())
    return sum(length for node in G for length in list_lengths(G, node, weight, kind).values())


def sum_levels(G: ConvertedGraph) -> Iterator[int]:
    """The sums of the levels of some sources at a time."""
    graph, n = G.graph(), len(G)
    for first in range(0, n, BATCH):
        levels = bfs(graph, sources=list(range(first, min(n, first + BATCH))))
        yield int(levels.to_numpy(0).sum(dtype=np.int64))
