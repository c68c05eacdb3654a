"""Searches against the arcs: the tree towards a vertex holds the next hop of every other to it.

Trees from the sources would not do: where arcs weigh nothing, those of two sources may send each through the other.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.apsp._potentials import potentials, reweighted
from graphla.algorithms.apsp._start import non_negative
from graphla.algorithms.sssp._batched import compute_distances
from graphla.containers.matrix import Matrix
from graphla.graph import Graph


def against(G: Any) -> Any:
    """The graph with every arc turned round; itself if it is symmetric."""
    return G if G.symmetric else G.cached("apsp.against", lambda G: Graph(Matrix._from_storage(G.csc, G.engine)))


def hops_towards(G: Any, targets: Any) -> Any:
    """Row k: the next hop of every vertex to target k, −1 where there is no path."""
    over = G if non_negative(G) else reweighted(G, potentials(G))
    return compute_distances(against(over), targets, parents=True)[1]
