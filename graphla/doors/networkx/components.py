"""Components, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.components import components
from graphla.doors.networkx.converted import ConvertedGraph

__all__ = [
    "connected_components",
    "is_connected",
    "is_strongly_connected",
    "is_weakly_connected",
    "node_connected_component",
    "number_connected_components",
    "number_strongly_connected_components",
    "number_weakly_connected_components",
    "strongly_connected_components",
    "weakly_connected_components",
]


def label(G: ConvertedGraph, kind: Any = "weak") -> Any:
    """The smallest number of a node in the component of each, on the host."""
    return components(G.graph(), kind=kind).to_numpy(-1)


def list_sets(G: ConvertedGraph, nodes: Any, starts: Any) -> Iterator[set[Any]]:
    """The nodes of each component as a set."""
    names = G.name(nodes)
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        yield set(names[first:last])


def connected_components(G: ConvertedGraph) -> Iterator[set[Any]]:
    """`networkx.connected_components`: in the order of their first nodes."""
    labels = label(G)
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1, append=-1))
    yield from list_sets(G, order, starts if labels.size else np.zeros(1, np.int64))


def count_components(G: ConvertedGraph, kind: Any) -> int:
    """How many there are."""
    return int((label(G, kind) == np.arange(len(G))).sum())


def is_one(G: ConvertedGraph, kind: Any) -> bool:
    """Whether there is one component; none is an error."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return not label(G, kind).any()


def number_connected_components(G: ConvertedGraph) -> int:
    """`networkx.number_connected_components`."""
    return count_components(G, "weak")


def is_connected(G: ConvertedGraph) -> bool:
    """`networkx.is_connected`."""
    return is_one(G, "weak")


def node_connected_component(G: ConvertedGraph, n: Any) -> set[Any]:
    """`networkx.node_connected_component`."""
    number, labels = G.locate(n), label(G)
    return set(G.name(np.flatnonzero(labels == labels[number])))


def strongly_connected_components(G: ConvertedGraph) -> Iterator[set[Any]]:
    """`networkx.strongly_connected_components`: in the order in which Tarjan's search closes them."""
    from graphla.doors.networkx.searches import find_strong

    yield from list_sets(G, *find_strong(G.out.indptr, G.out.indices))


def number_strongly_connected_components(G: ConvertedGraph) -> int:
    """`networkx.number_strongly_connected_components`."""
    return count_components(G, "strong")


def is_strongly_connected(G: ConvertedGraph) -> bool:
    """`networkx.is_strongly_connected`."""
    return is_one(G, "strong")


def weakly_connected_components(G: ConvertedGraph) -> Iterator[set[Any]]:
    """`networkx.weakly_connected_components`: in the order of their first nodes."""
    return connected_components(G)


number_weakly_connected_components = number_connected_components
is_weakly_connected = is_connected
