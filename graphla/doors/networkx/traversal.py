"""Breadth-first searches, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.traversal.breadth_first_search import FORWARD_EDGE, LEVEL_EDGE, REVERSE_EDGE, TREE_EDGE

from graphla.doors.networkx.converted import ConvertedGraph
from graphla.doors.networkx.unweighted import search

__all__ = [
    "ancestors",
    "bfs_edges",
    "bfs_labeled_edges",
    "bfs_layers",
    "bfs_predecessors",
    "bfs_successors",
    "bfs_tree",
    "descendants",
    "descendants_at_distance",
    "generic_bfs_edges",
]

Node = Any
Neighbours = Callable[[Any], Iterable[Any]]
LABELS = REVERSE_EDGE, LEVEL_EDGE, FORWARD_EDGE, TREE_EDGE
"""By the level of the head less that of the tail, and of the tree; NetworkX compares these very objects."""


def generic_bfs_edges(
    G: ConvertedGraph, source: Node, neighbors: Neighbours | None = None, depth_limit: Any = None
) -> Iterator[tuple[Node, Node]]:
    """`networkx.generic_bfs_edges`."""
    if neighbors is None:
        yield from list_edges(G, source, False, depth_limit)
    else:
        yield from walk(source, neighbors, len(G) if depth_limit is None else depth_limit)


def list_edges(
    G: ConvertedGraph, source: Node, reverse: bool, depth_limit: Any, sort: Neighbours | None = None
) -> Iterator[tuple[Node, Node]]:
    """The edges of a search in its order; `sort` puts the neighbours of a node into another one."""
    start, rows = G.find(source), G.into if reverse else G.out
    if start is None:
        raise nx.NetworkXError(f"The node {source} is not in the {'di' * G.directed}graph.")
    if sort is not None:
        neighbors = lambda node: iter(sort(iter(rows.rows[G.number[node]])))  # noqa: E731
        return walk(source, neighbors, len(G) if depth_limit is None else depth_limit)
    order, parent, _ = search(rows, [start], depth_limit)
    return zip(G.name(parent[order[1:]]), G.name(order[1:]), strict=True)


def walk(source: Node, neighbors: Neighbours, depth_limit: float) -> Iterator[tuple[Node, Node]]:
    """The edges of a search by a Python function of a node, which gains nothing over NetworkX."""
    seen, layer, depth = {source}, [(source, neighbors(source))], 0
    while layer and depth < depth_limit:
        current, layer, depth = layer, [], depth + 1
        for parent, children in current:
            for child in children:
                if child not in seen:
                    seen.add(child)
                    layer.append((child, neighbors(child)))
                    yield parent, child


def bfs_edges(
    G: ConvertedGraph,
    source: Node,
    reverse: bool = False,
    depth_limit: Any = None,
    sort_neighbors: Neighbours | None = None,
) -> Iterator[tuple[Node, Node]]:
    """`networkx.bfs_edges`."""
    yield from list_edges(G, source, reverse, depth_limit, sort_neighbors)


def bfs_tree(
    G: ConvertedGraph,
    source: Node,
    reverse: bool = False,
    depth_limit: Any = None,
    sort_neighbors: Neighbours | None = None,
) -> Any:
    """`networkx.bfs_tree`: a NetworkX graph."""
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(list_edges(G, source, reverse, depth_limit, sort_neighbors))
    return tree


def bfs_predecessors(
    G: ConvertedGraph, source: Node, depth_limit: Any = None, sort_neighbors: Neighbours | None = None
) -> Iterator[tuple[Node, Node]]:
    """`networkx.bfs_predecessors`."""
    for parent, child in list_edges(G, source, False, depth_limit, sort_neighbors):
        yield child, parent


def bfs_successors(
    G: ConvertedGraph, source: Node, depth_limit: Any = None, sort_neighbors: Neighbours | None = None
) -> Iterator[tuple[Node, list[Node]]]:
    """`networkx.bfs_successors`."""
    edges = list_edges(G, source, False, depth_limit, sort_neighbors)
    found = [(parent, [child for _, child in pairs]) for parent, pairs in groupby(edges, itemgetter(0))]
    yield from found or [(source, [])]


def bfs_layers(G: ConvertedGraph, sources: Any) -> Iterator[list[Node]]:
    """`networkx.bfs_layers`."""
    chosen = list({sources} if sources in G else set(sources))
    for node in chosen:
        if node not in G:
            raise nx.NetworkXError(f"The node {node} is not in the graph.")
    order, _, level = search(G.out, [G.number[node] for node in chosen])
    names, steps = G.name(order), level[order]
    ends = np.flatnonzero(np.diff(steps, append=-1)) + 1
    for first, last in zip([0, *ends.tolist()], ends.tolist(), strict=False):
        yield names[first:last]


def bfs_labeled_edges(G: ConvertedGraph, sources: Any) -> Iterator[tuple[Node, Node, str]]:
    """`networkx.bfs_labeled_edges`."""
    chosen = list(dict.fromkeys([sources] if sources in G else sources))
    order, parent, level = search(G.out, [G.locate(node) for node in chosen])
    place = np.empty(len(G), np.int64)
    place[order] = np.arange(order.size)
    degrees = np.diff(G.out.indptr)[order]
    tails = np.repeat(order, degrees)
    starts = np.repeat(G.out.indptr[:-1][order] - np.cumsum(degrees) + degrees, degrees)
    heads = G.out.indices[starts + np.arange(tails.size)]
    kinds = np.where(parent[heads] == tails, 3, 1 + np.sign(level[heads] - level[tails]))
    shown = np.ones(tails.size, bool) if G.directed else (kinds > 1) | ((kinds == 1) & (place[heads] >= place[tails]))
    labels = map(LABELS.__getitem__, kinds[shown].tolist())
    yield from zip(G.name(tails[shown]), G.name(heads[shown]), labels, strict=True)


def descendants_at_distance(G: ConvertedGraph, source: Node, distance: Any) -> set[Node]:
    """`networkx.descendants_at_distance`."""
    start = G.find(source)
    if start is None:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    order, _, level = search(G.out, [start], None)
    return set(G.name(order[level[order] == distance]))


def descendants(G: ConvertedGraph, source: Node) -> set[Node]:
    """`networkx.descendants`."""
    return {child for _, child in list_edges(G, source, False, None)}


def ancestors(G: ConvertedGraph, source: Node) -> set[Node]:
    """`networkx.ancestors`."""
    return {child for _, child in list_edges(G, source, True, None)}
