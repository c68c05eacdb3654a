"""Matchings with NetworkX's names and exceptions."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from graphla.doors.networkx.converted import ConvertedGraph, refuse_kinds
from graphla.storage import CompressedMatrix

__all__ = ["hopcroft_karp_matching", "maximal_matching"]


def maximal_matching(G: ConvertedGraph) -> set[tuple[Any, Any]]:
    """`networkx.maximal_matching`: a loop over the edges in the order of the dictionaries."""
    from graphla.algorithms.matching.in_order_cpu import match_in_order

    refuse_kinds(G, "directed", "multigraph")
    tails, heads = match_in_order(G.out)
    return set(zip(G.name(tails), G.name(heads), strict=True))


def hopcroft_karp_matching(G: ConvertedGraph, top_nodes: Any = None) -> dict[Any, Any]:
    """`networkx.bipartite.hopcroft_karp_matching`; it may find another matching of the same size."""
    from graphla.algorithms.matching.hopcroft_karp_cpu import match_sides

    left = np.zeros(len(G), bool)
    left[[G.number[v] for v in nx.bipartite.sets(G.origin, top_nodes)[0]]] = True
    tails = np.repeat(np.arange(len(G)), np.diff(G.out.indptr))
    if (left[tails] == left[G.out.indices]).any():
        raise NotImplementedError("top_nodes is no side of the graph: two of one side are neighbours")
    mates = match_sides(CompressedMatrix(len(G), len(G), G.out.indptr, G.out.indices, G.out.indices), left)
    firsts, others = np.flatnonzero(left & (mates >= 0)), np.flatnonzero(~left & (mates >= 0))
    matched = np.concatenate([firsts, others])
    return dict(zip(G.name(matched), G.name(mates[matched]), strict=True))
