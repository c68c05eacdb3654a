"""Centralities by shortest paths, with NetworkX's names, orders and exceptions."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.betweenness import betweenness
from graphla.algorithms.bfs import bfs
from graphla.algorithms.closeness import closeness
from graphla.algorithms.sssp import sssp
from graphla.doors.networkx.clusters import without_float_zeros
from graphla.doors.networkx.converted import ConvertedGraph
from graphla.graphs.graph import Graph

__all__ = ["betweenness_centrality", "closeness_centrality", "edge_betweenness_centrality", "harmonic_centrality"]

Node = Any
BATCH = 512
"""Sources whose distances are held at once."""


def betweenness_centrality(
    G: ConvertedGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Node, float]:
    """`networkx.betweenness_centrality`."""
    n = len(G)
    sources = None if k is None or k == n else seed.sample(range(n), k)
    values = add_up(G, sources, weight, endpoints=endpoints).to_numpy(0)
    own, other = scale(G, n if endpoints else n - 1, sources, normalized, endpoints)
    factors = np.full(n, other)
    factors[sources or []] = own
    return G.by_node(values * factors)


def add_up(G: ConvertedGraph, sources: Any, weight: Any, **options: Any) -> Any:
    """The sums over the sources, each arc for itself."""
    graph = require_positive(G, weight)
    asked = {"weights": weight is not None, "normalized": False, "directed": True, "dtype": "FP64", **options}
    return betweenness(graph, sources=sources, **asked)


def require_positive(G: ConvertedGraph, weight: Any, least: float = 0, combine: Any = np.minimum) -> Graph:
    """The graph, if its weights are more than `least`; those of parallel edges are combined first."""
    graph = G.graph(weight, combine)
    if graph.nvals and graph.dtype.name != "BOOL" and not graph.min_weight > least:
        raise NotImplementedError(f"weight={weight!r}: a weight is {graph.min_weight}, and positive ones are wanted")
    return graph


def scale(G: ConvertedGraph, ends: int, sources: Any, normalized: bool, alike: bool) -> tuple[float, float]:
    """The factors of sums: of the sources of a sample, and of other nodes; `alike` if a source counts as the others."""
    if ends < 2:
        return 1.0, 1.0
    pairs = ends * (ends - 1) if normalized else 1 if G.directed else 2
    if sources is None:
        return 1 / pairs, 1 / pairs
    count, fewer = len(sources), len(sources) - (not alike)
    return (ends / fewer / pairs if fewer else math.nan), ends / count / pairs


def edge_betweenness_centrality(
    G: ConvertedGraph, k: int | None = None, normalized: bool = True, weight: Any = None, seed: Any = None
) -> dict[tuple[Any, ...], float]:
    """`networkx.edge_betweenness_centrality`."""
    n = len(G)
    sources = None if k is None else seed.sample(range(n), k)
    order, reverse = G.out.order
    sums, values = add_up(G, sources, weight, edges=True).to_coo()[2], np.empty(order.size)
    values[order] = G.graph().engine.to_host(sums)
    if not G.directed:
        opposite = np.empty_like(order)
        opposite[order] = reverse
        loops = opposite == np.arange(order.size)
        values = values + np.where(loops, 0, values[opposite])
    _, factor = scale(G, n, sources, normalized, True)
    return name_edges(G, values * factor, weight)


def name_edges(G: ConvertedGraph, values: Any, weight: Any) -> dict[tuple[Any, ...], float]:
    """The values by the edges of the graph; parallel edges of the least weight share theirs."""
    tails = G.list_tails()
    kept = np.ones(values.size, bool) if G.directed else G.upper
    pairs = list(zip(G.name(tails[kept]), G.name(G.out.indices[kept]), strict=True))
    by_pair = dict(zip(pairs, values[kept].tolist(), strict=True))
    return share_parallel(G, by_pair, weight) if G.multigraph else by_pair


def share_parallel(G: ConvertedGraph, by_pair: dict[Any, float], weight: Any) -> dict[tuple[Any, ...], float]:
    """The values of pairs of nodes, divided among their parallel edges of the least weight."""
    measure = weight if callable(weight) else lambda u, v, edges: min(data.get(weight, 1) for data in edges.values())
    shared = dict.fromkeys(G.origin.edges, 0.0)
    for (u, v), value in by_pair.items():
        edges = G.origin._adj[u][v]
        least = measure(u, v, edges)
        keys = [key for key, data in edges.items() if measure(u, v, {key: data}) == least]
        shared.update(((u, v, key), value / len(keys)) for key in keys)
    return shared


def closeness_centrality(G: ConvertedGraph, u: Node = None, distance: Any = None, wf_improved: bool = True) -> Any:
    """`networkx.closeness_centrality`."""
    number = None if u is None else G.find(u)
    if u is not None and number is None:
        raise nx.NodeNotFound(f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph")
    graph = require_positive(G, distance, -1e-300)
    asked: Any = {"weights": distance is not None, "improved": wf_improved}
    if number is not None:
        return float(closeness(graph, [number], **asked).to_numpy(0)[number])
    return G.by_node(closeness(graph, **asked).to_numpy(0))


def harmonic_centrality(
    G: ConvertedGraph, nbunch: Any = None, distance: Any = None, sources: Any = None
) -> dict[Node, float]:
    """`networkx.harmonic_centrality`."""
    nodes = list(set(G.nodes if nbunch is None else G.origin.nbunch_iter(nbunch)))
    numbers = [G.number[node] for node in nodes]
    graph = require_positive(G, distance, -1e-300)
    if sources is None:
        values = closeness(graph, numbers, weights=distance is not None, harmonic=True).to_numpy(0)
    else:
        starts = sorted({G.number[node] for node in G.origin.nbunch_iter(sources)})
        values = add_inverse(graph, starts, distance is not None)
    return without_float_zeros(dict(zip(nodes, values[numbers].tolist(), strict=True)))


def add_inverse(graph: Graph, starts: list[int], weighted: bool) -> Any:
    """For each node the sum of 1 over the distances from some others."""
    total = np.zeros(graph.n)
    for first in range(0, len(starts), BATCH):
        batch = starts[first : first + BATCH]
        found = sssp(graph, sources=batch) if weighted else bfs(graph, sources=batch)
        distances = found.to_numpy(0)
        total += np.divide(1, distances, out=np.zeros(distances.shape), where=distances != 0).sum(axis=0)
    return total
