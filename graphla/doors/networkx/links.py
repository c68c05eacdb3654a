"""Predictions of links, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.similarity import similarity
from graphla.doors.networkx.converted import ConvertedGraph, refuse_kinds

__all__ = ["adamic_adar_index", "jaccard_coefficient", "preferential_attachment", "resource_allocation_index"]

Node = Any


def adamic_adar_index(G: ConvertedGraph, ebunch: Any = None) -> Iterator[tuple[Node, Node, float]]:
    """`networkx.adamic_adar_index`."""
    return ((u, v, score or 0) for u, v, score in predict(G, ebunch, "adamic_adar"))


def jaccard_coefficient(G: ConvertedGraph, ebunch: Any = None) -> Iterator[tuple[Node, Node, float]]:
    """`networkx.jaccard_coefficient`."""
    alone = {node for node, row in zip(G.nodes, G.out.rows, strict=True) if not row}
    pairs = predict(G, ebunch, "jaccard")
    return ((u, v, 0 if u in alone and v in alone else score) for u, v, score in pairs)


def resource_allocation_index(G: ConvertedGraph, ebunch: Any = None) -> Iterator[tuple[Node, Node, float]]:
    """`networkx.resource_allocation_index`."""
    return ((u, v, score or 0) for u, v, score in predict(G, ebunch, "resource_allocation"))


def preferential_attachment(G: ConvertedGraph, ebunch: Any = None) -> Iterator[tuple[Node, Node, int]]:
    """`networkx.preferential_attachment`."""
    return ((u, v, int(score)) for u, v, score in predict(G, ebunch, "preferential_attachment"))


def predict(G: ConvertedGraph, ebunch: Any, kind: Any) -> Iterator[tuple[Node, Node, float]]:
    """The pairs, by default those without an edge, and their scores."""
    refuse(G)
    pairs = list(nx.non_edges(G.origin) if ebunch is None else ebunch)
    numbers = [(find(G, u), find(G, v)) for u, v in pairs]
    us, vs = np.array(numbers, np.int32).reshape(-1, 2).T
    if kind == "adamic_adar" and (np.isin(us[us == vs], find_beside_leaves(G))).any():
        raise NotImplementedError("a pair is one node twice, and NetworkX divides by the logarithm of a degree of 1")
    scores = similarity(G.graph(), (us, vs), kind=kind).to_numpy(0).tolist()
    return ((u, v, score) for (u, v), score in zip(pairs, scores, strict=True))


def find_beside_leaves(G: ConvertedGraph) -> Any:
    """The nodes that have a neighbour of degree 1."""
    degrees = np.diff(G.out.indptr)
    return G.out.indices[np.repeat(degrees == 1, degrees)]


def refuse(G: ConvertedGraph) -> None:
    """Refuse graphs in which NetworkX counts otherwise, or not at all."""
    refuse_kinds(G, "directed", "multigraph")
    tails = np.repeat(np.arange(len(G)), np.diff(G.out.indptr))
    if (tails == G.out.indices).any():
        raise NotImplementedError("the graph has self-loops, which count twice in NetworkX's degrees")


def find(G: ConvertedGraph, node: Node) -> int:
    """The number of a node."""
    number = G.find(node)
    if number is None:
        raise nx.NodeNotFound(f"Node {node} not in G.")
    return number
