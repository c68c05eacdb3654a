"""Search against the arcs: the tree towards a vertex contains the next hop of every other vertex to it.

Trees from the sources are not sufficient: with arcs of weight zero the trees of two sources may route each through the
other.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.apsp.initial import is_non_negative
from graphla.algorithms.apsp.potentials import compute_potentials, reweight
from graphla.algorithms.sssp.batched import compute_distances
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph


def reverse_graph(G: Any) -> Any:
    """Return the graph with reversed arcs, or the graph itself if it is symmetric."""
    return G if G.symmetric else G.cached("apsp.against", lambda G: Graph(Matrix._from_storage(G.csc, G.engine)))


def trace_hops_towards(G: Any, targets: Any) -> Any:
    """Return the next hop of every vertex to target k in row k, −1 where there is no path."""
    over = G if is_non_negative(G) else reweight(G, compute_potentials(G))
    return compute_distances(reverse_graph(over), targets, parents=True)[1]
