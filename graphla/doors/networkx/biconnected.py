"""Biconnected components, articulation points and bridges, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

from graphla.doors.networkx.converted import ConvertedGraph, refuse_kinds
from graphla.doors.networkx.unweighted import search as find_levels

__all__ = [
    "articulation_points",
    "biconnected_component_edges",
    "biconnected_components",
    "bridges",
    "has_bridges",
    "is_biconnected",
]

Array = Any


def search(G: ConvertedGraph) -> tuple[Array, Array]:
    """The time and the component of each node, and the node above each component, in the order of NetworkX's search."""
    from graphla.algorithms.biconnected_components.lowpoints_cpu import close_components

    refuse_kinds(G, "directed")
    found = np.zeros((len(G), 2), np.int32)
    return found, close_components(G.out.indptr, G.out.indices, found)


def sort_by_component(parts: Array, count: int) -> Iterator[Array]:
    """The places of each component's entries, one component after the other; -1 is none."""
    order = np.argsort(parts, kind="stable")
    starts = np.searchsorted(parts[order], np.arange(count + 1)).tolist()
    return (order[first:last] for first, last in pairwise(starts))


def biconnected_components(G: ConvertedGraph) -> Iterator[set[Any]]:
    """`networkx.biconnected_components`: in the order in which its search closes them."""
    found, above = search(G)
    for nodes, top in zip(sort_by_component(found[:, 1], above.size), G.name(above), strict=True):
        yield {top, *G.name(nodes)}


def biconnected_component_edges(G: ConvertedGraph) -> Iterator[list[tuple[Any, Any]]]:
    """`networkx.biconnected_component_edges`: edges in the order in which its search comes to them."""
    from graphla.algorithms.biconnected_components.lowpoints_cpu import list_edges

    found, above = search(G)
    tails, heads, parts = list_edges(G.out.indptr, G.out.indices, found)
    for edges in sort_by_component(parts, above.size):
        yield list(zip(G.name(tails[edges]), G.name(heads[edges]), strict=True))


def is_biconnected(G: ConvertedGraph) -> bool:
    """`networkx.is_biconnected`."""
    found, above = search(G)
    return above.size == 1 and int((found[:, 1] == 0).sum()) == len(G) - 1


def articulation_points(G: ConvertedGraph) -> Iterator[Any]:
    """`networkx.articulation_points`: when the first component below each is closed, the root of a search last."""
    found, above = search(G)
    points, first, counts = np.unique(above, return_index=True, return_counts=True)
    last = above.size - 1 - np.unique(above[::-1], return_index=True)[1]
    roots = found[points, 1] < 0
    order = np.argsort(np.where(roots, last, first))
    yield from G.name(points[order][(~roots | (counts > 1))[order]])


def bridges(G: ConvertedGraph, root: Any = None) -> Iterator[tuple[Any, Any]]:
    """`networkx.bridges`: in the order of the edges."""
    tails, heads = find_bridges(G, root)
    return zip(G.name(tails), G.name(heads), strict=True)


def has_bridges(G: ConvertedGraph, root: Any = None) -> bool:
    """`networkx.has_bridges`."""
    return find_bridges(G, root)[0].size > 0


def find_bridges(G: ConvertedGraph, root: Any) -> tuple[Array, Array]:
    """The ends of the bridges, those of the connected component of `root` if it is given.

    The edge above a component of one edge is a bridge: it is the only component of its lower end's number.
    """
    found, above = search(G)
    number = None if root is None else G.find(root)
    if root is not None and number is None:
        raise nx.NodeNotFound(f"Root node {root} is not in graph")
    tails, heads = G.list_tails(), G.out.indices
    wanted = G.upper & (tails != heads)
    if G.parallel is not None:
        wanted &= G.parallel == 1
    tails, heads = tails[wanted], heads[wanted]
    later = np.where(found[tails, 0] > found[heads, 0], tails, heads)
    parts = found[later, 1]
    alone = np.bincount(found[found[:, 1] >= 0, 1], minlength=above.size)[parts] == 1
    tails, heads = tails[alone], heads[alone]
    return (tails, heads) if number is None else sort_from(G, number, tails, heads)


def sort_from(G: ConvertedGraph, root: int, tails: Array, heads: Array) -> tuple[Array, Array]:
    """Those of some edges that a node reaches, as NetworkX lists them of a copy of their component."""
    whole = nx.Graph(G.origin) if G.multigraph else G.origin
    part = whole.subgraph(set(G.name(find_levels(G.out, [root])[0]))).copy()
    ends = set(zip(tails.tolist(), heads.tolist(), strict=True))
    edges = [(G.number[u], G.number[v]) for u, v in part.edges()]
    kept = [(u, v) for u, v in edges if (u, v) in ends or (v, u) in ends]
    return tuple(np.array(kept, np.int32).reshape(-1, 2).T)  # type: ignore[return-value]
