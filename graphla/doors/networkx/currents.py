"""Centralities by electrical currents and distances by resistance, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.spectrum import electrical
from graphla.doors.networkx.centrality import require_positive
from graphla.doors.networkx.components import is_connected
from graphla.doors.networkx.converted import ConvertedGraph
from graphla.graphs.graph import Graph
from semirings import unary

__all__ = ["current_flow_betweenness_centrality", "current_flow_closeness_centrality", "resistance_distance"]

Node = Any
SOLVERS = "full", "lu", "cg"
"""NetworkX's, which all find the same; here it is one factor."""


def current_flow_closeness_centrality(
    G: ConvertedGraph, weight: Any = None, dtype: Any = float, solver: str = "lu"
) -> dict[Node, float]:
    """`networkx.current_flow_closeness_centrality`, which is also `information_centrality`."""
    return G.by_node(electrical.current_flow_closeness(make_network(G, weight, dtype, solver)).to_numpy(0))


def current_flow_betweenness_centrality(
    G: ConvertedGraph, normalized: bool = True, weight: Any = None, dtype: Any = float, solver: str = "full"
) -> dict[Node, float]:
    """`networkx.current_flow_betweenness_centrality`."""
    if (G.multigraph and weight is not None) or nx.number_of_selfloops(G.origin):
        raise NotImplementedError("NetworkX counts currents of loops, and weighs those of parallel edges by themselves")
    network = make_network(G, weight, dtype, solver)
    return G.by_node(electrical.current_flow_betweenness(network, normalized=normalized).to_numpy(0))


def make_network(G: ConvertedGraph, weight: Any, dtype: Any, solver: Any) -> Graph:
    """The graph with the sums of parallel weights, if it is connected."""
    if not is_connected(G):
        raise nx.NetworkXError("Graph not connected.")
    if dtype is not float or solver not in SOLVERS or len(G) < 3:
        raise NotImplementedError("graphs of three nodes or more are asked in float64, and of the solvers full, lu, cg")
    return require_positive(G, weight, combine=np.add)


def resistance_distance(
    G: ConvertedGraph, nodeA: Node = None, nodeB: Node = None, weight: Any = None, invert_weight: bool = True
) -> Any:
    """`networkx.resistance_distance`."""
    if len(G) == 0:
        raise nx.NetworkXError("Graph G must contain at least one node.")
    if not is_connected(G):
        raise nx.NetworkXError("Graph G must be strongly connected.")
    for node, name in ((nodeA, "A"), (nodeB, "B")):
        if node is not None and node not in G:
            raise nx.NetworkXError(f"Node {name} is not in graph G.")
    graph = make_conductances(G, weight, invert_weight)
    if nodeA is not None and nodeB is not None:
        return float(electrical.effective_resistance(graph, [[G.number[nodeA], G.number[nodeB]]])[0])
    if nodeA is None and nodeB is None:
        return {node: list_distances(G, graph, node) for node in G.nodes}
    return list_distances(G, graph, nodeA if nodeB is None else nodeB)


def make_conductances(G: ConvertedGraph, weight: Any, invert: bool) -> Graph:
    """The graph of what resistances add up by: the weights, or their inverses."""
    graph = require_positive(G, weight, combine=np.add)
    if not invert or weight is None:
        return graph
    if G.multigraph:
        raise NotImplementedError("the weights of parallel edges are inverted before they are added up")
    return Graph(graph.A.dup("FP64").apply(unary.minv).new())


def list_distances(G: ConvertedGraph, graph: Graph, node: Node) -> dict[Node, float]:
    """The distances between a node and each."""
    pairs = np.stack([np.full(len(G), G.number[node]), np.arange(len(G))], axis=1)
    return G.by_node(electrical.effective_resistance(graph, pairs))
