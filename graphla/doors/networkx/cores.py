"""Core numbers, with NetworkX's names and exceptions."""

from __future__ import annotations

from typing import Any

import networkx as nx

from graphla.algorithms.core_numbers import core_numbers
from graphla.doors.networkx.converted import ConvertedGraph, refuse_kinds

__all__ = ["core_number"]


def core_number(G: ConvertedGraph) -> dict[Any, int]:
    """`networkx.core_number`."""
    refuse_kinds(G, "multigraph")
    tails = G.list_tails()
    if (tails == G.out.indices).any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    return G.by_node(core_numbers(G.graph()).to_numpy(0))
