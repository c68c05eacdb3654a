"""Immediate dominators, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

from typing import Any

import networkx as nx

from graphla.doors.networkx.converted import ConvertedGraph, refuse_kinds

__all__ = ["immediate_dominators"]

Node = Any


def immediate_dominators(G: ConvertedGraph, start: Node) -> dict[Node, Node]:
    """`networkx.immediate_dominators`."""
    from graphla.algorithms.dominators.semi_nca_cpu import find_dominators

    refuse_kinds(G, "undirected")
    number = G.find(start)
    if number is None:
        raise nx.NetworkXError("start is not in G")
    found, left = find_dominators(len(G), G.out, G.into, number)
    order = left[:-1][::-1]
    return dict(zip(G.name(order), G.name(found[order]), strict=True))
