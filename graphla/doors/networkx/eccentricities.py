"""Eccentricities and what follows from them, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms import diameter as diameters
from graphla.algorithms import eccentricity as eccentricities
from graphla.algorithms.components import components
from graphla.doors.networkx.centrality import require_positive
from graphla.doors.networkx.converted import ConvertedGraph
from graphla.doors.networkx.unweighted import search
from graphla.graphs.graph import Graph

__all__ = ["center", "diameter", "eccentricity", "periphery", "radius"]

Node = Any
Choose = Callable[[list[Any]], Any]
APART = "Found infinite path length because the graph is not connected"
NOT_STRONG = "Found infinite path length because the digraph is not strongly connected"
NO_BOUNDS = "Cannot compute metric because graph is not connected."


def eccentricity(G: ConvertedGraph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    """`networkx.eccentricity`."""
    chosen = list(G.origin.nbunch_iter(v))
    if sp is not None:
        by_node = {node: find_largest(G, sp, node) for node in chosen}
        return by_node[v] if G.find(v) is not None else by_node
    if not chosen:
        return {}
    numbers = None if v is None else [G.number[node] for node in chosen]
    graph = require_reach(G, weight, numbers)
    found = measure(graph, numbers, weight).to_numpy(0)
    values = found if numbers is None else found[numbers]
    by_node = dict(zip(chosen, (value or 0 for value in values.tolist()), strict=True))
    return by_node[v] if G.find(v) is not None else by_node


def find_largest(G: ConvertedGraph, lengths: Any, node: Node) -> Any:
    """The largest of the distances from a node that the caller gave."""
    try:
        found = lengths[node]
        count = len(found)
    except TypeError as error:
        raise nx.NetworkXError('Format of "sp" is invalid.') from error
    if count != len(G):
        raise nx.NetworkXError(NOT_STRONG if G.directed else APART)
    return max(found.values())


def require_reach(G: ConvertedGraph, weight: Any, numbers: list[int] | None) -> Graph:
    """The graph, if some of its nodes reach all others: each by a search, unless all must reach all."""
    message = NOT_STRONG if G.directed else APART
    if numbers is None or not G.directed:
        return require_connected(G, weight, message)
    graph = require_positive(G, weight, -1e-300)
    if any(search(G.out, [number])[0].size < len(G) for number in set(numbers)):
        raise nx.NetworkXError(message)
    return graph


def require_connected(G: ConvertedGraph, weight: Any, message: str) -> Graph:
    """The graph, if its weights are not negative and all of its nodes reach each other."""
    graph = require_positive(G, weight, -1e-300)
    labels = components(graph, kind="strong" if G.directed else "weak").to_numpy()
    if labels.any():
        raise nx.NetworkXError(message)
    return graph


def measure(graph: Graph, sources: list[int] | None, weight: Any) -> Any:
    """The eccentricities; lengths that are no whole numbers by a search from each, whose sums have no other order."""
    weighted = weight is not None
    method = "searches" if weighted and graph.dtype.kind == "f" else None
    return eccentricities.eccentricity(graph, sources, weights=weighted, method=method)


def measure_all(G: ConvertedGraph, e: Any, usebounds: Any, weight: Any, choose: Choose) -> Any:
    """The eccentricities of all nodes, or of those that the caller gave."""
    if e is not None:
        return np.array(list(e.values()))
    return measure(require_all(G, usebounds, weight, choose), None, weight).to_numpy()


def require_all(G: ConvertedGraph, usebounds: Any, weight: Any, choose: Choose) -> Graph:
    """The graph, if it has nodes that all reach each other; without nodes NetworkX chooses among none."""
    bounded = usebounds is True and not G.directed
    if not len(G):
        max([], key=len) if bounded else choose([])
    return require_connected(G, weight, NO_BOUNDS if bounded else NOT_STRONG if G.directed else APART)


def diameter(G: ConvertedGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    """`networkx.diameter`."""
    if e is not None:
        return max(e.values())
    graph = require_all(G, usebounds, weight, max)
    if weight is not None and graph.dtype.kind == "f":
        return measure(graph, None, weight).to_numpy().max().item() or 0
    return diameters.diameter(graph, weights=weight is not None)


def radius(G: ConvertedGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    """`networkx.radius`."""
    return min(e.values()) if e is not None else measure_all(G, None, usebounds, weight, min).min().item() or 0


def center(G: ConvertedGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Node]:
    """`networkx.center`."""
    if not (len(G) or G.directed or usebounds is True) and e is None and weight is None:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    found = measure_all(G, e, usebounds, weight, min)
    return name_nodes(G, e, found == found.min())


def periphery(G: ConvertedGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Node]:
    """`networkx.periphery`."""
    found = measure_all(G, e, usebounds, weight, max)
    return name_nodes(G, e, found == found.max())


def name_nodes(G: ConvertedGraph, e: Any, chosen: Any) -> list[Node]:
    """The nodes that are chosen, of the graph or of those whose eccentricities the caller gave."""
    return G.name(chosen.nonzero()[0]) if e is None else list(compress(e, chosen.tolist()))
