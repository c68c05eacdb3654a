"""Directed graphs without cycles, with NetworkX's names."""

from __future__ import annotations

import numpy as np

from graphla.doors.networkx.converted import ConvertedGraph

__all__ = ["is_directed_acyclic_graph"]


def is_directed_acyclic_graph(G: ConvertedGraph) -> bool:
    """`networkx.is_directed_acyclic_graph`."""
    from graphla.algorithms.topological_order.kahn_cpu import remove

    waits, (levels, queue) = np.zeros(len(G), np.int32), np.empty((2, len(G)), np.int32)
    return G.directed and remove(G.out.indptr, G.out.indices, waits, levels, queue) == len(G)
