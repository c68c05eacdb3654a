"""Shortest paths by the number of edges, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.doors.networkx.converted import Adjacency, ConvertedGraph

__all__ = [
    "all_pairs_shortest_path",
    "all_pairs_shortest_path_length",
    "bidirectional_shortest_path",
    "predecessor",
    "single_source_shortest_path",
    "single_source_shortest_path_length",
    "single_target_shortest_path",
    "single_target_shortest_path_length",
]

Node = Any


def to_limit(cutoff: Any) -> float:
    """A cutoff as a number of levels."""
    return math.inf if cutoff is None else float(cutoff)


def require_node(G: ConvertedGraph, node: Node, message: str) -> int:
    """The number of a node, or NodeNotFound."""
    found = G.find(node)
    if found is None:
        raise nx.NodeNotFound(message)
    return found


def search(rows: Adjacency, sources: Any, cutoff: Any = None) -> tuple[Any, Any, Any]:
    """The nodes in the order of a breadth-first search, and all parents and levels."""
    from graphla.doors.networkx.searches import search

    return search(rows.indptr, rows.indices, np.asarray(sources, np.int32), to_limit(cutoff))


def list_levels(G: ConvertedGraph, rows: Adjacency, source: int, cutoff: Any) -> dict[Node, int]:
    """The level of each node, in the order of the search."""
    order, _, level = search(rows, [source], cutoff)
    return dict(zip(G.name(order), level[order].tolist(), strict=True))


def list_paths(G: ConvertedGraph, rows: Adjacency, source: int, cutoff: Any, backward: bool) -> dict[Node, list[Node]]:
    """The path to each node, in the order of the search, or from each node if the search went backward."""
    order, parent, _ = search(rows, [source], cutoff)
    names = G.name(order)
    paths = {names[0]: [names[0]]} if names else {}
    for node, before in zip(names[1:], G.name(parent[order[1:]]), strict=True):
        paths[node] = [node, *paths[before]] if backward else [*paths[before], node]
    return paths


def single_source_shortest_path_length(G: ConvertedGraph, source: Node, cutoff: Any = None) -> dict[Node, int]:
    """`networkx.single_source_shortest_path_length`."""
    start = require_node(G, source, f"Source {source} is not in G")
    return list_levels(G, G.out, start, cutoff)


def single_target_shortest_path_length(G: ConvertedGraph, target: Node, cutoff: Any = None) -> dict[Node, int]:
    """`networkx.single_target_shortest_path_length`."""
    start = require_node(G, target, f"Target {target} is not in G")
    return list_levels(G, G.into, start, cutoff)


def all_pairs_shortest_path_length(G: ConvertedGraph, cutoff: Any = None) -> Iterator[tuple[Node, dict[Node, int]]]:
    """`networkx.all_pairs_shortest_path_length`."""
    for number, node in enumerate(G.nodes):
        yield node, list_levels(G, G.out, number, cutoff)


def single_source_shortest_path(G: ConvertedGraph, source: Node, cutoff: Any = None) -> dict[Node, list[Node]]:
    """`networkx.single_source_shortest_path`."""
    return list_paths(G, G.out, require_node(G, source, f"Source {source} not in G"), cutoff, False)


def single_target_shortest_path(G: ConvertedGraph, target: Node, cutoff: Any = None) -> dict[Node, list[Node]]:
    """`networkx.single_target_shortest_path`."""
    return list_paths(G, G.into, require_node(G, target, f"Target {target} not in G"), cutoff, True)


def all_pairs_shortest_path(G: ConvertedGraph, cutoff: Any = None) -> Iterator[tuple[Node, dict[Node, list[Node]]]]:
    """`networkx.all_pairs_shortest_path`."""
    for number, node in enumerate(G.nodes):
        yield node, list_paths(G, G.out, number, cutoff, False)


def bidirectional_shortest_path(G: ConvertedGraph, source: Node, target: Node) -> list[Node]:
    """`networkx.bidirectional_shortest_path`."""
    from graphla.doors.networkx.searches import meet

    first = require_node(G, source, f"Source {source} is not in G")
    last = require_node(G, target, f"Target {target} is not in G")
    parent, child, place = meet(G.out.indptr, G.out.indices, G.into.indptr, G.into.indices, first, last)
    if place < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G.name(np.array([*reversed(follow(parent, place)), *follow(child, place)[1:]]))


def follow(towards: Any, place: int) -> list[int]:
    """The nodes from a place on to where there is no next one."""
    path = []
    while place >= 0:
        path.append(place)
        place = towards[place]
    return path


def predecessor(
    G: ConvertedGraph, source: Node, target: Node = None, cutoff: Any = None, return_seen: bool | None = None
) -> Any:
    """`networkx.predecessor`."""
    start = require_node(G, source, f"Source {source} not in G")
    cutoff = max(1, math.ceil(cutoff)) if cutoff and cutoff < math.inf else None
    order, _, level = search(G.out, [start], cutoff)
    seen = dict(zip(G.name(order), level[order].tolist(), strict=True))
    before = list_predecessors(G, np.ones(G.out.indices.size), order, level.astype(np.float64), cutoff)
    if target is None:
        return (before, seen) if return_seen else before
    found = before.get(target, []), seen.get(target, -1)
    return found if return_seen else found[0]


def list_predecessors(
    G: ConvertedGraph, lengths: Any, order: Any, distance: Any, cutoff: Any = None, keys: Any = None
) -> dict[Node, list[Node]]:
    """The nodes before each node on shortest paths, in the order of the search; keys in that order, or as given."""
    from graphla.doors.networkx.searches import list_tight

    starts, found = list_tight(G.out.indptr, G.out.indices, lengths, order, distance, to_limit(cutoff))
    keys, names = order if keys is None else keys, G.name(found)
    places = zip(G.name(keys), starts[keys].tolist(), starts[keys + 1].tolist(), strict=True)
    return {node: names[first:last] for node, first, last in places}
