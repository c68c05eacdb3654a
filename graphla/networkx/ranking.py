"""PageRank and other centralities that are a fixed point, with NetworkX's names and exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.pagerank import pagerank as solve_pagerank
from graphla.errors import NotConverged
from graphla.graph import Graph
from graphla.networkx.converted import ConvertedGraph

__all__ = ["pagerank"]


def pagerank(
    G: ConvertedGraph,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Any = None,
    weight: Any = "weight",
    dangling: Any = None,
) -> dict[Any, float]:
    """`networkx.pagerank`."""
    if len(G) == 0:
        return {}
    teleports = to_distribution(G, personalization, "personalization")
    lost = to_distribution(G, dangling, "dangling")
    graph = keep_positive(G, weight)
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    ranks = require_convergence(
        lambda: solve_pagerank(
            graph, alpha, convention="networkx", tolerance=tol, max_rounds=max_iter, personalization=teleports,
            dangling=lost,
        ),
        max_iter,
    )  # fmt: skip
    return G.by_node(ranks.to_numpy(0))


def require_convergence(solve: Callable[[], Any], max_iter: int) -> Any:
    """The answer, or the exception of NetworkX."""
    try:
        return solve()
    except NotConverged:
        raise nx.PowerIterationFailedConvergence(max_iter) from None


def to_distribution(G: ConvertedGraph, weights: Any, name: str) -> Any:
    """The weights of a dictionary as an array; nodes without one have 0."""
    if weights is None:
        return None
    found = np.array([weights.get(node, 0) for node in G.nodes], np.float64)
    if found.sum() == 0:
        raise ZeroDivisionError
    if not (np.isfinite(found).all() and (found >= 0).all()):
        raise NotImplementedError(f"{name}: a weight is negative, or no finite number")
    return found


def keep_positive(G: ConvertedGraph, weight: Any) -> Graph:
    """The graph with the sums of parallel weights; edges of weight 0 count for nothing and are left out."""
    graph = G.graph(weight, np.add)
    low = graph.min_weight
    if low is None or graph.dtype.name == "BOOL" or low > 0:
        return graph
    if low < 0:
        raise NotImplementedError(f"weight={weight!r}: a weight is negative")
    return graph.cached("networkx.positive", drop_zeros)


def drop_zeros(graph: Graph) -> Graph:
    """The graph without the edges of weight 0."""
    from graphla.containers.select import select

    return Graph(select.valuegt(graph.A, 0).new())
