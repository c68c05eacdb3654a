"""Random arguments for every function that the NetworkX door serves."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import networkx as nx

Draw = Callable[[random.Random, Any], Any]


def node(r: random.Random, G: Any) -> Any:
    """A node of the graph; now and then none."""
    nodes = list(G)
    return r.choice(nodes) if nodes and r.random() < 0.95 else r.choice(("nowhere", 99, None))


def weight(r: random.Random, G: Any) -> Any:
    return r.choice(("weight", "weight", "weight", None, "capacity", "nothing", lambda u, v, d: 2))


def attribute(r: random.Random, G: Any) -> Any:
    """A weight by its name: some functions take no function."""
    return r.choice(("weight", "weight", "weight", None, "capacity", "nothing"))


def some(r: random.Random, G: Any) -> Any:
    """Some nodes in any order, perhaps one twice."""
    nodes = list(G)
    return [r.choice(nodes) for _ in range(r.randint(1, 4))] if nodes else []


def optional(draw: Draw, share: float = 0.5) -> Draw:
    """What is drawn, or None."""
    return lambda r, G: draw(r, G) if r.random() < share else None


def choose(*values: Any) -> Draw:
    return lambda r, G: r.choice(values)


def shares(r: random.Random, G: Any) -> Any:
    """A number for some nodes, or for all."""
    nodes = [v for v in G if r.random() < 0.6] if r.random() < 0.5 else list(G)
    return {v: r.choice((0, 1, 2, 0.5)) for v in nodes}


def pairs(r: random.Random, G: Any) -> Any:
    return [(node(r, G), node(r, G)) for _ in range(r.randint(0, 5))]


def lengths(r: random.Random, G: Any) -> Any:
    return dict(nx.shortest_path_length(G, backend="networkx")) if r.random() < 0.9 else r.choice((1, {}))


def parts(r: random.Random, G: Any) -> Any:
    """A partition of the nodes; now and then none."""
    sets: list[set[Any]] = [set() for _ in range(3)]
    for v in G:
        r.choice(sets).add(v)
    return [part for part in sets if part] if r.random() < 0.9 else sets[:1]


SEARCH = {"source": node, "depth_limit": optional(choose(0, 1, 2, 5), 0.3)}
SORTED = {"sort_neighbors": optional(choose(lambda found: sorted(found, key=str)), 0.1)}
PATH = {"source": node, "target": node}
CUTOFF = {"cutoff": optional(choose(0, 1, 2, 3.5, 5), 0.4)}
EXTREMES = {"usebounds": choose(False, False, True), "weight": optional(attribute)}
ENDS = {"_s": node, "_t": node, "capacity": choose("capacity", "capacity", "weight", "nothing")}
TREE = {
    "weight": attribute,
    "algorithm": choose("kruskal", "kruskal", "kruskal", "prim"),
    "ignore_nan": choose(False, False, True),
}
TREE_EDGES = {**TREE, "data": choose(True, False), "keys": choose(True, False)}
METHOD = {"weight": weight, "method": choose("dijkstra", "dijkstra", "bellman-ford", "wrong")}
COMMUNITY = {"weight": attribute, "resolution": choose(1, 0.5, 1.5, 2), "seed": choose(1, 2, 3)}
OPTIONAL_PATH = {"source": optional(node, 0.7), "target": optional(node)}

ARGUMENTS: dict[str, dict[str, Draw]] = {
    "adamic_adar_index": {"ebunch": optional(pairs)},
    "all_pairs_all_shortest_paths": METHOD,
    "all_pairs_bellman_ford_path": {"weight": weight},
    "all_pairs_bellman_ford_path_length": {"weight": weight},
    "all_pairs_dijkstra": {**CUTOFF, "weight": weight},
    "all_pairs_dijkstra_path": {**CUTOFF, "weight": weight},
    "all_pairs_dijkstra_path_length": {**CUTOFF, "weight": weight},
    "all_pairs_shortest_path": CUTOFF,
    "all_pairs_shortest_path_length": CUTOFF,
    "all_shortest_paths": {**PATH, **METHOD},
    "ancestors": {"source": node},
    "articulation_points": {},
    "average_clustering": {"nodes": optional(some), "weight": optional(attribute), "count_zeros": choose(True, False)},
    "average_shortest_path_length": {
        "weight": optional(attribute),
        "method": choose(
            None, None, "dijkstra", "unweighted", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy"
        ),
    },
    "bellman_ford_path": {**PATH, "weight": weight},
    "bellman_ford_path_length": {**PATH, "weight": weight},
    "bellman_ford_predecessor_and_distance": {"source": node, "weight": weight},
    "betweenness_centrality": {
        "k": optional(choose(1, 2, 3), 0.2), "normalized": choose(True, False), "weight": optional(attribute),
        "endpoints": choose(True, False), "seed": choose(1, 2),
    },
    "bfs_edges": {**SEARCH, **SORTED, "reverse": choose(False, True)},
    "bfs_labeled_edges": {"sources": choose(node, some)},
    "bfs_layers": {"sources": choose(node, some)},
    "bfs_predecessors": {**SEARCH, **SORTED},
    "bfs_successors": {**SEARCH, **SORTED},
    "bfs_tree": {**SEARCH, **SORTED, "reverse": choose(False, True)},
    "biconnected_component_edges": {},
    "biconnected_components": {},
    "bidirectional_dijkstra": {**PATH, "weight": weight},
    "bidirectional_shortest_path": PATH,
    "bridges": {"root": optional(node, 0.3)},
    "center": EXTREMES,
    "closeness_centrality": {
        "u": optional(node, 0.3), "distance": optional(attribute), "wf_improved": choose(True, False),
    },
    "clustering": {"nodes": optional(choose(node, some)), "weight": optional(attribute)},
    "connected_components": {},
    "core_number": {},
    "descendants": {"source": node},
    "descendants_at_distance": {"source": node, "distance": choose(0, 1, 2, 9)},
    "diameter": EXTREMES,
    "dijkstra_path": {**PATH, "weight": weight},
    "dijkstra_path_length": {**PATH, "weight": weight},
    "dijkstra_predecessor_and_distance": {"source": node, **CUTOFF, "weight": weight},
    "eccentricity": {"v": optional(choose(node, some)), "sp": optional(lengths, 0.2), "weight": optional(attribute)},
    "edge_betweenness_centrality": {
        "k": optional(choose(1, 2), 0.2), "normalized": choose(True, False), "weight": optional(attribute),
        "seed": choose(1, 2),
    },
    "eigenvector_centrality": {
        "max_iter": choose(100, 1000), "weight": optional(attribute), "nstart": optional(shares, 0.2),
    },
    "floyd_warshall": {"weight": attribute},
    "floyd_warshall_numpy": {"weight": attribute},
    "floyd_warshall_predecessor_and_distance": {"weight": attribute},
    "generic_bfs_edges": SEARCH,
    "goldberg_radzik": {"source": node, "weight": weight},
    "greedy_color": {"strategy": choose("largest_first", "largest_first", "smallest_last")},
    "harmonic_centrality": {"nbunch": optional(some), "distance": optional(attribute), "sources": optional(some, 0.3)},
    "has_bridges": {"root": optional(node, 0.3)},
    "has_path": PATH,
    "hits": {"max_iter": choose(100, 500), "nstart": optional(shares, 0.1), "normalized": choose(True, False)},
    "hopcroft_karp_matching": {"top_nodes": optional(some, 0.2)},
    "immediate_dominators": {"start": node},
    "is_biconnected": {},
    "is_connected": {},
    "is_directed_acyclic_graph": {},
    "is_strongly_connected": {},
    "is_weakly_connected": {},
    "jaccard_coefficient": {"ebunch": optional(pairs)},
    "johnson": {"weight": weight},
    "k_truss": {"k": choose(0, 2, 3, 4)},
    "katz_centrality": {
        "alpha": choose(0.01, 0.05), "beta": choose(1.0, 2, shares), "weight": optional(attribute),
        "normalized": choose(True, False), "nstart": optional(shares, 0.2),
    },
    "label_propagation_communities": {},
    "louvain_communities": {**COMMUNITY, "max_level": choose(None, None, 1, 0)},
    "louvain_partitions": COMMUNITY,
    "maximal_matching": {},
    "maximum_flow": ENDS,
    "maximum_flow_value": ENDS,
    "maximum_spanning_edges": TREE_EDGES,
    "maximum_spanning_tree": TREE,
    "minimum_cut": ENDS,
    "minimum_cut_value": ENDS,
    "minimum_spanning_edges": TREE_EDGES,
    "minimum_spanning_tree": TREE,
    "modularity": {"communities": parts, "weight": attribute, "resolution": choose(1, 0.5, 2)},
    "multi_source_dijkstra": {"sources": some, "target": optional(node, 0.3), **CUTOFF, "weight": weight},
    "multi_source_dijkstra_path": {"sources": some, **CUTOFF, "weight": weight},
    "multi_source_dijkstra_path_length": {"sources": some, **CUTOFF, "weight": weight},
    "negative_edge_cycle": {"weight": attribute},
    "node_connected_component": {"n": node},
    "number_connected_components": {},
    "number_strongly_connected_components": {},
    "number_weakly_connected_components": {},
    "pagerank": {
        "alpha": choose(0.85, 0.5), "personalization": optional(shares, 0.3), "nstart": optional(shares, 0.2),
        "weight": attribute, "dangling": optional(shares, 0.2), "max_iter": choose(100, 100, 2),
    },
    "periphery": EXTREMES,
    "predecessor": {"source": node, "target": optional(node, 0.3), **CUTOFF, "return_seen": choose(None, True)},
    "preferential_attachment": {"ebunch": optional(pairs)},
    "radius": EXTREMES,
    "resource_allocation_index": {"ebunch": optional(pairs)},
    "shortest_path": {**OPTIONAL_PATH, **METHOD},
    "shortest_path_length": {**OPTIONAL_PATH, **METHOD},
    "single_source_all_shortest_paths": {"source": node, **METHOD},
    "single_source_bellman_ford": {"source": node, "target": optional(node), "weight": weight},
    "single_source_bellman_ford_path": {"source": node, "weight": weight},
    "single_source_bellman_ford_path_length": {"source": node, "weight": weight},
    "single_source_dijkstra": {"source": node, "target": optional(node), **CUTOFF, "weight": weight},
    "single_source_dijkstra_path": {"source": node, **CUTOFF, "weight": weight},
    "single_source_dijkstra_path_length": {"source": node, **CUTOFF, "weight": weight},
    "single_source_shortest_path": {"source": node, **CUTOFF},
    "single_source_shortest_path_length": {"source": node, **CUTOFF},
    "single_target_shortest_path": {"target": node, **CUTOFF},
    "single_target_shortest_path_length": {"target": node, **CUTOFF},
    "strongly_connected_components": {},
    "transitivity": {},
    "triangles": {"nodes": optional(choose(node, some))},
    "weakly_connected_components": {},
}  # fmt: skip
"""What is drawn for each argument of each function that NetworkX has, too."""


def draw(r: random.Random, G: Any, name: str) -> dict[str, Any]:
    """Arguments of a function; now and then one is left to its default."""
    found = {}
    for argument, make in ARGUMENTS[name].items():
        value = make(r, G)
        found[argument] = value(r, G) if value in (node, some, shares) else value
    if found.get("usebounds"):
        found["weight"] = (
            None  # NetworkX's bounds may not meet by weights that are no whole numbers, and then it never ends
        )
    return {argument: value for argument, value in found.items() if value is not None or r.random() < 0.5}
