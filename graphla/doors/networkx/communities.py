"""Communities and their modularity, with NetworkX's names and exceptions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.community.quality import NotAPartition

from graphla.algorithms.leiden import leiden
from graphla.algorithms.shared.communities.modularity import modularity as measure_modularity
from graphla.doors.networkx.components import list_sets
from graphla.doors.networkx.converted import ConvertedGraph
from graphla.doors.networkx.weights import require_exact
from graphla.graphs.graph import Graph
from semirings import binary

__all__ = ["leiden_communities", "leiden_partitions", "louvain_communities", "louvain_partitions", "modularity"]


def louvain_communities(
    G: ConvertedGraph,
    weight: Any = "weight",
    resolution: float = 1,
    threshold: float = 0.0000001,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set[Any]]:
    """`networkx.community.louvain_communities`: the same ones for the same seed."""
    levels = louvain_partitions(G, weight, resolution, threshold, seed)
    require_level(max_level)
    return deque(islice(levels, max_level), maxlen=1).pop()


def louvain_partitions(
    G: ConvertedGraph, weight: Any = "weight", resolution: float = 1, threshold: float = 0.0000001, seed: Any = None
) -> Iterator[list[set[Any]]]:
    """`networkx.community.louvain_partitions`."""
    from graphla.doors.networkx.climbs import Edges, climb

    weights = G.join(weight, np.add)
    if weights is None:
        weights = np.ones(G.out.indices.size)
    if not np.isfinite(weights).all():
        raise NotImplementedError(f"weight={weight!r}: an edge has the weight None, or an infinite one")
    tails = np.repeat(np.arange(len(G)), np.diff(G.out.indptr))
    there = slice(None) if G.directed else G.upper
    parts = tails[there], G.out.indices[there].astype(np.int64), require_exact(weights, weights.size)[there]
    levels = climb(Edges(len(G), *parts, G.directed), resolution, threshold, seed.shuffle) if tails.size else ()
    return list_levels(G, levels or [np.arange(len(G))])


def list_levels(G: ConvertedGraph, levels: Iterable[Any]) -> Iterator[list[set[Any]]]:
    """The nodes of each community of each level."""
    for labels in levels:
        yield list_communities(G, labels)


def leiden_communities(
    G: ConvertedGraph,
    weight: Any = "weight",
    resolution: float = 1,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set[Any]]:
    """`networkx.community.leiden_communities`, which backends answer."""
    require_level(max_level)
    rules = {"resolution": resolution, "seed": seed.getrandbits(32), "max_levels": max_level}
    return list_communities(G, leiden(add_loops(G, weight), **rules).to_numpy(-1))


def leiden_partitions(
    G: ConvertedGraph, weight: Any = "weight", resolution: float = 1, seed: Any = None
) -> Iterator[list[set[Any]]]:
    """`networkx.community.leiden_partitions`, which backends answer."""
    _, levels = leiden(add_loops(G, weight), resolution, seed.getrandbits(32), levels=True)
    return list_levels(G, levels.labels.to_numpy(-1))


def modularity(G: ConvertedGraph, communities: Any, weight: Any = "weight", resolution: float = 1) -> float:
    """`networkx.community.modularity`."""
    communities = list(communities)
    if not nx.community.is_partition(G.origin, communities):
        raise NotAPartition(G.origin, communities)
    labels = np.empty(len(G), np.int64)
    for label, community in enumerate(communities):
        labels[[G.number[node] for node in community]] = label
    graph = add_loops(G, weight)
    _ = 1 / add_weights(graph) ** 2  # what NetworkX divides by
    return measure_modularity(graph, labels, resolution)


def add_weights(graph: Graph) -> Any:
    """The sum of all weights, an int of ints."""
    if graph.dtype.name == "BOOL":
        return int(graph.nvals)
    return graph.A.reduce_scalar("plus").new().get(0)


def require_level(max_level: int | None) -> None:
    """Refuse what NetworkX refuses."""
    if max_level is not None and max_level <= 0:
        raise ValueError("max_level argument must be a positive integer or None")


def add_loops(G: ConvertedGraph, weight: Any) -> Graph:
    """The graph with the sums of parallel weights; both ends of a loop count unless it is directed.

    Raises
    ------
    NotImplementedError
        If a weight is negative.
    """
    graph = G.graph(weight, np.add)
    if graph.nvals and graph.dtype.name != "BOOL" and graph.min_weight < 0:
        raise NotImplementedError(f"weight={weight!r}: a weight is negative")
    return graph if G.directed else graph.cached("networkx.both_ends", count_both_ends)


def count_both_ends(graph: Graph) -> Graph:
    """A + its diagonal."""
    loops = graph.A.select("diag").new()
    if not loops.nvals:
        return graph
    dtype = "INT64" if graph.dtype.kind in "biu" else "FP64"
    return Graph(binary.plus(graph.A.dup(dtype) | loops.dup(dtype)).new())


def list_communities(G: ConvertedGraph, labels: Any) -> list[set[Any]]:
    """The nodes of each community, in the order of their first nodes."""
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1, append=-1))
    return list(list_sets(G, order, starts)) if labels.size else []
