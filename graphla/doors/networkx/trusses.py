"""Trusses, with NetworkX's names and exceptions."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from graphla.doors.networkx.converted import ConvertedGraph, refuse_kinds

__all__ = ["k_truss"]


def k_truss(G: ConvertedGraph, k: int) -> Any:
    """`networkx.k_truss`."""
    refuse_kinds(G, "directed", "multigraph")
    tails = np.repeat(np.arange(len(G)), np.diff(G.out.indptr))
    if (tails == G.out.indices).any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    return remove_edges(G, *find_weak(G, k))


def find_weak(G: ConvertedGraph, k: int) -> tuple[Any, Any]:
    """The ends of the edges outside of the truss, in both directions."""
    from graphla.algorithms.truss_numbers import k_truss

    graph = G.graph()
    inside = k_truss(graph, max(0, math.ceil(k)))
    tails, heads, _ = graph.A.dup(mask=~inside.S).to("cpu").to_coo()
    return tails, heads


def remove_edges(G: ConvertedGraph, tails: Any, heads: Any) -> Any:
    """A copy of the original without some edges, and without the nodes that then have none."""
    H = G.origin.copy()
    H.remove_edges_from(zip(G.name(tails), G.name(heads), strict=True))
    H.remove_nodes_from(list(nx.isolates(H)))
    return H
