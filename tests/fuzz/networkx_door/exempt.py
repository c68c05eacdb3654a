"""Differences that docs/networkx.md states: where NetworkX is wrong."""

from __future__ import annotations

from typing import Any

import networkx as nx

from tests.fuzz.networkx_door.answers import make_measure, measure

MANY = 7
"""Nodes up to which all paths can be listed."""


def is_exempt(name: str, G: Any, arguments: dict[str, Any], expected: Any, found: Any) -> bool:
    """Whether two answers may differ."""
    weights = list_weights(G, arguments)
    if name == "negative_edge_cycle":  # it adds a node to the graph
        return nx.is_frozen(G) and isinstance(expected, nx.NetworkXError)
    if name.startswith("multi_source_dijkstra") and isinstance(expected, KeyError):
        return any(weight < 0 for weight in weights)  # it loses a path that a negative weight shortens
    if "bellman_ford" in name or name in ("johnson", "goldberg_radzik") or arguments.get("method") == "bellman-ford":
        weigh = make_measure(G, arguments)  # a node of equal distances by several paths, now and then
        return loses(expected, found) or loses(measure(expected, weigh), measure(found, weigh))
    if name == "pagerank" and isinstance(expected, nx.PowerIterationFailedConvergence):
        return any(0 < weight < 1e-300 for weight in weights)  # it divides 1 by their sums, which is infinite
    if name == "hits" and isinstance(expected, Exception):
        return all(weight < 1e-100 for weight in weights)  # its solver takes them for 0
    return name.startswith("louvain") and isinstance(expected, ZeroDivisionError)  # all weights are 0


def has_endless_answer(name: str, G: Any, arguments: dict[str, Any]) -> bool:
    """Whether NetworkX would list paths for hours: along arcs of weight 0 each order of the nodes is a shortest one."""
    return "all_shortest_paths" in name and len(G) > MANY and min(list_weights(G, arguments), default=1) == 0


def loses(expected: Any, found: Any) -> bool:
    """Whether NetworkX does not reach a node that can be reached, or takes a longer path."""
    if isinstance(expected, nx.NetworkXNoPath):
        return not isinstance(found, Exception)
    if isinstance(expected, tuple) and isinstance(found, tuple) and expected[:1] == found[:1] == ("path",):
        return expected[1:3] == found[1:3] and expected[3] > found[3]
    if isinstance(expected, dict) and isinstance(found, dict):
        return set(expected) < set(found) or any(loses(value, found.get(key)) for key, value in expected.items())
    parts = isinstance(expected, list | tuple) and isinstance(found, list | tuple)
    return parts and any(map(loses, expected, found))


def list_weights(G: Any, arguments: dict[str, Any]) -> list[Any]:
    """The weights of a call that are numbers."""
    weight = arguments.get("weight", "weight")
    found = [data.get(weight, 1) for *_, data in G.edges(data=True)]
    return [value for value in found if isinstance(value, int | float)]
