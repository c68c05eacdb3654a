"""Shortest paths by weights, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from graphla.doors.networkx.converted import ConvertedGraph
from graphla.doors.networkx.unweighted import follow, list_predecessors, require_node, to_limit

__all__ = [
    "all_pairs_dijkstra",
    "all_pairs_dijkstra_path",
    "all_pairs_dijkstra_path_length",
    "bidirectional_dijkstra",
    "dijkstra_path",
    "dijkstra_path_length",
    "dijkstra_predecessor_and_distance",
    "multi_source_dijkstra",
    "multi_source_dijkstra_path",
    "multi_source_dijkstra_path_length",
    "single_source_dijkstra",
    "single_source_dijkstra_path",
    "single_source_dijkstra_path_length",
]

Node = Any
CONTRADICTION = "Contradictory paths found:", "negative weights?"


@dataclass(frozen=True, eq=False)
class Found:
    """What a search by weights found: see `searches.dijkstra`."""

    G: ConvertedGraph
    order: Any
    seen: Any
    distance: Any
    parent: Any
    whole: Any

    def list_distances(self) -> dict[Node, Any]:
        """The distance of each node that was reached."""
        return dict(zip(self.G.name(self.order), self.list_numbers(self.order), strict=True))

    def list_numbers(self, numbers: Any) -> list[Any]:
        """Distances as ints where the weights on the path are, else as floats."""
        from graphla.doors.networkx.searches import find_whole

        distances = self.distance[numbers]
        if self.whole is True:
            return distances.astype(np.int64).tolist()
        whole = find_whole(self.G.out.indptr, self.G.out.indices, self.whole, numbers, self.parent)
        return [int(d) if w else d for d, w in zip(distances.tolist(), whole.tolist(), strict=True)]

    def find_number(self, number: int) -> Any:
        """The distance of one node."""
        return self.list_numbers(np.full(1, number, np.int32))[0]

    def list_paths(self) -> dict[Node, list[Node]]:
        """The path to each of them; those from sources stand first."""
        paths: dict[Node, list[Node]] = {}
        for node, before in zip(self.G.name(self.order), self.parent[self.order].tolist(), strict=True):
            paths[node] = [node] if before < 0 else [*paths[self.G.nodes[before]], node]
        return paths


def run_dijkstra(
    G: ConvertedGraph, lengths: Any, whole: Any, starts: Any, target: int = -1, cutoff: Any = None
) -> Found:
    """Dijkstra's search by the lengths of the entries of `G.out`."""
    from graphla.doors.networkx.searches import dijkstra

    found: Any = dijkstra(G.out.indptr, G.out.indices, lengths, starts, target, to_limit(cutoff))
    order, seen, distance, parent, fine = found
    if not fine:
        raise ValueError(*CONTRADICTION)
    parent[starts] = -1  # a path ends at any source, also at one that a negative length brings nearer
    return Found(G, order, seen, distance, parent, whole)


def search(G: ConvertedGraph, sources: Iterable[int], weight: Any, target: int = -1, cutoff: Any = None) -> Found:
    """Dijkstra's search from some nodes, up to a target or a cutoff if there are such."""
    lengths, whole = G.lengths(weight)
    return run_dijkstra(G, lengths, whole, np.fromiter(sources, np.int32), target, cutoff)


def require_sources(G: ConvertedGraph, sources: Any) -> list[int]:
    """The numbers of some nodes, or the exception of NetworkX."""
    if not sources:
        raise ValueError("sources must not be empty")
    return [require_node(G, node, f"Node {node} not found in graph") for node in sources]


def multi_source_dijkstra(
    G: ConvertedGraph, sources: Any, target: Node = None, cutoff: Any = None, weight: Any = "weight"
) -> Any:
    """`networkx.multi_source_dijkstra`."""
    starts = require_sources(G, sources)
    if target in sources:
        return 0, [target]
    if target is None:
        found = search(G, starts, weight, cutoff=cutoff)
        return found.list_distances(), found.list_paths()
    number = G.find(target)
    if number is None:
        search(G, starts, weight, cutoff=cutoff)
        raise nx.NetworkXNoPath(f"No path to {target}.")
    found = search(G, starts, weight, number, cutoff)
    if not found.order.size or found.order[-1] != number:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return found.find_number(number), G.name(np.array(follow(found.parent, number)[::-1]))


def multi_source_dijkstra_path(
    G: ConvertedGraph, sources: Any, cutoff: Any = None, weight: Any = "weight"
) -> dict[Node, list[Node]]:
    """`networkx.multi_source_dijkstra_path`."""
    return search(G, require_sources(G, sources), weight, cutoff=cutoff).list_paths()


def multi_source_dijkstra_path_length(
    G: ConvertedGraph, sources: Any, cutoff: Any = None, weight: Any = "weight"
) -> dict[Node, Any]:
    """`networkx.multi_source_dijkstra_path_length`."""
    return search(G, require_sources(G, sources), weight, cutoff=cutoff).list_distances()


def single_source_dijkstra(
    G: ConvertedGraph, source: Node, target: Node = None, cutoff: Any = None, weight: Any = "weight"
) -> Any:
    """`networkx.single_source_dijkstra`."""
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


def single_source_dijkstra_path(
    G: ConvertedGraph, source: Node, cutoff: Any = None, weight: Any = "weight"
) -> dict[Node, list[Node]]:
    """`networkx.single_source_dijkstra_path`."""
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


def single_source_dijkstra_path_length(
    G: ConvertedGraph, source: Node, cutoff: Any = None, weight: Any = "weight"
) -> dict[Node, Any]:
    """`networkx.single_source_dijkstra_path_length`."""
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


def dijkstra_path(G: ConvertedGraph, source: Node, target: Node, weight: Any = "weight") -> list[Node]:
    """`networkx.dijkstra_path`."""
    return multi_source_dijkstra(G, {source}, target, weight=weight)[1]


def dijkstra_path_length(G: ConvertedGraph, source: Node, target: Node, weight: Any = "weight") -> Any:
    """`networkx.dijkstra_path_length`."""
    start = require_node(G, source, f"Node {source} not found in graph")
    if source == target:
        return 0
    number = G.find(target)
    found = search(G, [start], weight, -1 if number is None else number)
    if number is None or found.order[-1] != number:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return found.find_number(number)


def dijkstra_predecessor_and_distance(
    G: ConvertedGraph, source: Node, cutoff: Any = None, weight: Any = "weight"
) -> tuple[dict[Node, list[Node]], dict[Node, Any]]:
    """`networkx.dijkstra_predecessor_and_distance`."""
    start = require_node(G, source, f"Node {source} is not found in the graph")
    found = search(G, [start], weight, cutoff=cutoff)
    lengths = G.lengths(weight)[0]
    before = list_predecessors(G, lengths, found.order, found.distance, cutoff, found.seen)
    return before, found.list_distances()


def search_all(G: ConvertedGraph, weight: Any, cutoff: Any) -> Iterator[tuple[Node, Found]]:
    """The searches from all nodes; weights that are no numbers are refused now, so that NetworkX answers."""
    lengths, whole = G.lengths(weight)
    starts = enumerate(G.nodes)
    return ((node, run_dijkstra(G, lengths, whole, np.full(1, k, np.int32), cutoff=cutoff)) for k, node in starts)


def all_pairs_dijkstra(
    G: ConvertedGraph, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Node, tuple[dict[Node, Any], dict[Node, list[Node]]]]]:
    """`networkx.all_pairs_dijkstra`."""
    searches = search_all(G, weight, cutoff)
    return ((node, (found.list_distances(), found.list_paths())) for node, found in searches)


def all_pairs_dijkstra_path_length(
    G: ConvertedGraph, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, Any]]]:
    """`networkx.all_pairs_dijkstra_path_length`."""
    return ((node, found.list_distances()) for node, found in search_all(G, weight, cutoff))


def all_pairs_dijkstra_path(
    G: ConvertedGraph, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, list[Node]]]]:
    """`networkx.all_pairs_dijkstra_path`."""
    return ((node, found.list_paths()) for node, found in search_all(G, weight, cutoff))


def bidirectional_dijkstra(
    G: ConvertedGraph, source: Node, target: Node, weight: Any = "weight"
) -> tuple[Any, list[Node]]:
    """`networkx.bidirectional_dijkstra`."""
    from graphla.doors.networkx.searches import meet_weighted

    first = require_node(G, source, f"Source {source} is not in G")
    last = require_node(G, target, f"Target {target} is not in G")
    if source == target:
        return 0, [source]
    lengths, whole = G.lengths(weight)
    back = to_backward(G, weight) if G.directed or callable(weight) else lengths
    parents, place, length, fine = meet_weighted(
        G.out.indptr, G.out.indices, lengths, G.into.indptr, G.into.indices, back, first, last
    )
    if not fine:
        raise ValueError("Contradictory paths found: negative weights?")
    if place < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    path = np.array([*follow(parents[0], place)[::-1], *follow(parents[1], place)[1:]])
    distance, parent = np.full(len(G), length), np.full(len(G), -1, np.int32)
    parent[path[1:]] = path[:-1]
    return Found(G, path, path, distance, parent, whole).find_number(last), G.name(path)


def to_backward(G: ConvertedGraph, weight: Any) -> Any:
    """The lengths of the entries of `G.into`."""
    forward = weight if not callable(weight) else lambda u, v, data: weight(v, u, data)
    return G.reverse.lengths(forward)[0]
