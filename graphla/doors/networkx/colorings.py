"""Greedy colorings in the order of NetworkX, with its names and exceptions."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.doors.networkx.converted import ConvertedGraph
from graphla.storage import CompressedMatrix

__all__ = ["greedy_color"]


def greedy_color(G: ConvertedGraph, strategy: Any = "largest_first", interchange: bool = False) -> dict[Any, int]:
    """`networkx.greedy_color` by falling degree: nodes of one degree in the order of the graph."""
    from graphla.algorithms.coloring.greedy_cpu import color_in_order

    order = np.argsort(-count_degrees(G), kind="stable").astype(np.int32)
    n = len(G)
    colors = color_in_order(CompressedMatrix(n, n, G.out.indptr, G.out.indices, G.out.indices), order)
    return dict(zip(G.name(order), colors[order].tolist(), strict=True))


def count_degrees(G: ConvertedGraph) -> Any:
    """The degree of each node, as NetworkX counts it: parallel edges all, and loops twice."""
    tails = np.repeat(np.arange(len(G)), np.diff(G.out.indptr))
    edges = np.ones(tails.size, np.int64) if G.parallel is None else G.parallel
    return np.bincount(tails, edges * (1 + (tails == G.out.indices)), minlength=len(G)).astype(np.int64)
