"""Whether graphla can answer a call, and gains anything: what NetworkX asks before it converts a graph."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from graphla.doors.networkx.converted import ConvertedGraph
from graphla.doors.networkx.weights import to_array

COSTLY = frozenset(
    {
        *("maximum_flow", "maximum_flow_value", "minimum_cut", "minimum_cut_value"),
        *("average_shortest_path_length", "betweenness_centrality", "closeness_centrality", "eigenvector_centrality"),
        *("edge_betweenness_centrality", "floyd_warshall", "floyd_warshall_numpy", "harmonic_centrality", "johnson"),
        *("floyd_warshall_predecessor_and_distance", "katz_centrality", "eccentricity", "diameter", "radius", "center"),
        *("periphery", "k_truss"),
    }
)
"""Functions that do much for each edge; and those of all pairs."""
ROUNDS = frozenset(
    {
        "articulation_points",
        "average_clustering",
        "biconnected_component_edges",
        "biconnected_components",
        "bridges",
        "clustering",
        "core_number",
        "greedy_color",
        "has_bridges",
        "hits",
        "adamic_adar_index",
        "jaccard_coefficient",
        "preferential_attachment",
        "resource_allocation_index",
        "hopcroft_karp_matching",
        "leiden_communities",
        "louvain_communities",
        "louvain_partitions",
        "modularity",
        "pagerank",
        "transitivity",
        "triangles",
    }
)
"""Functions that look at each edge some times."""
CHEAP = frozenset({"maximal_matching"})
"""Functions that gain only if the graph is converted already."""
LEAST_COSTLY, LEAST_ROUNDS, LEAST = 200, 1000, 5000
"""Edges from which a call, conversion included, takes less time than that of NetworkX (measured: docs/networkx.md)."""
LOCAL = "target", "cutoff", "depth_limit"
"""Arguments that end a search early."""
PATIENCE = 8
"""Calls of local searches after which a graph is converted: by then NetworkX has spent about as much on them."""
ASKED = "graphla.asked"


def find_reason(name: str, graph: Any, asked: Mapping[str, Any]) -> str | None:
    """Say why NetworkX should answer itself, or return None.

    Parameters
    ----------
    name : str
        The function.
    graph : networkx.Graph
        Its graph.
    asked : mapping
        The arguments of the call by their names.
    """
    if any(callable(asked.get(argument)) for argument in ("weight", "distance")):
        return "a Python function gives the weights, and to call it for each edge takes as long as NetworkX"
    if any(asked.get(argument) is not None for argument in ("sort_neighbors", "neighbors")):
        return "a Python function gives the neighbours, and to call it for each node takes as long as NetworkX"
    if has_conversion(graph):
        return None
    if name in CHEAP:
        return "one loop over the edges takes less time than to convert the graph"
    if is_local(asked) and count_calls(graph) < PATIENCE:
        return "a search of a part of the graph is over before the graph is converted"
    least = find_least(name)
    return None if has_edges(graph, least) else f"the graph has fewer than {least} edges"


def has_edges(graph: Any, least: int) -> bool:
    """Whether the graph has so many edges; it counts no more, for NetworkX counts those of all nodes."""
    wanted = least if graph.is_directed() else 2 * least
    return any(count >= wanted for count in accumulate(map(len, graph._adj.values())))


def find_obstacle(graph: Any, asked: Mapping[str, Any]) -> str | None:
    """Say why there is no answer for these weights, as far as the first edge tells without a conversion, or None."""
    for argument in ("weight", "distance"):
        name = asked.get(argument)
        if name is None or callable(name) or isinstance(graph, ConvertedGraph):
            continue
        data = next(iter(graph.edges(data=True)), ((), (), {}))[2]
        found = to_array([data.get(name, 1)], name)
        if isinstance(found, str):
            return found
    return None


def find_least(name: str) -> int:
    """The least number of edges."""
    if name in COSTLY or name.startswith("all_pairs"):
        return LEAST_COSTLY
    return LEAST_ROUNDS if name in ROUNDS else LEAST


def is_local(asked: Mapping[str, Any]) -> bool:
    """Whether a search ends early."""
    return "source" in asked and any(asked.get(argument) is not None for argument in LOCAL)


def has_conversion(graph: Any) -> bool:
    """Whether the graph has been converted before, and not been changed since."""
    cache = getattr(graph, "__networkx_cache__", None) or {}
    return bool(cache.get("backends", {}).get("graphla"))


def count_calls(graph: Any) -> int:
    """How often this was asked about the graph since it was changed, before now."""
    cache = getattr(graph, "__networkx_cache__", None)
    if cache is None:
        return 0
    cache[ASKED] = cache.get(ASKED, -1) + 1
    return cache[ASKED]
