"""Spanning trees in the order of NetworkX's Kruskal: edges sorted by weight, ties in the order of its dictionaries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Any

import numpy as np

from graphla.doors.networkx.converted import ConvertedGraph

__all__ = ["maximum_spanning_edges", "maximum_spanning_tree", "minimum_spanning_edges", "minimum_spanning_tree"]


def minimum_spanning_edges(
    G: ConvertedGraph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[Any]:
    """`networkx.minimum_spanning_edges`."""
    return list_edges(G, True, weight, data)


def maximum_spanning_edges(
    G: ConvertedGraph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[Any]:
    """`networkx.maximum_spanning_edges`."""
    return list_edges(G, False, weight, data)


def minimum_spanning_tree(
    G: ConvertedGraph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    """`networkx.minimum_spanning_tree`."""
    return make_tree(G, list_edges(G, True, weight, True))


def maximum_spanning_tree(
    G: ConvertedGraph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    """`networkx.maximum_spanning_tree`."""
    return make_tree(G, list_edges(G, False, weight, True))


def make_tree(G: ConvertedGraph, edges: Iterator[Any]) -> Any:
    """A graph of the class of the original with its nodes and some of its edges, and their attributes."""
    T = G.origin.__class__()
    T.graph.update(G.origin.graph)
    T.add_nodes_from(G.origin.nodes.items())
    T.add_edges_from(edges)
    return T


def list_edges(G: ConvertedGraph, minimum: bool, weight: Any, data: bool) -> Iterator[Any]:
    """The edges of the forest, in the order in which Kruskal's loop takes them."""
    from graphla.algorithms.spanning_forest.kruskal_cpu import join_pairs

    tails = G.list_tails()[G.upper]
    heads, weights = G.out.indices[G.upper], G.join(weight, np.minimum)
    if weights is not None and weights.dtype.kind == "f" and np.isnan(weights).any():
        raise NotImplementedError(f"weight={weight!r}: an edge has the weight None")
    order = np.arange(tails.size) if weights is None else sort_edges(weights[G.upper], minimum)
    found = join_pairs(order, tails, heads, np.arange(len(G), dtype=np.int32))
    attributes = list(G.list_upper()) if data else []
    kept = map(attributes.__getitem__, found.tolist()) if data else repeat(None)
    ends = zip(G.name(tails[found]), G.name(heads[found]), kept, strict=False)
    return ends if data else ((u, v) for u, v, _ in ends)


def sort_edges(weights: Any, minimum: bool) -> Any:
    """The order of edges by rising or falling weight; ties keep theirs."""
    if minimum:
        return np.argsort(weights, kind="stable")
    return weights.size - 1 - np.argsort(weights[::-1], kind="stable")[::-1]
