"""A search toward one target, led by a lower bound of what is to go from each vertex: A*.

The vertex with the least length so far and bound is next, until that is the target. With bounds of 0 it is Dijkstra's
algorithm; the nearer they are to the distances, the fewer vertices are met. A vertex is met again where a shorter way
to it is found, so that bounds need not be consistent.

Source: Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", IEEE
Transactions on Systems Science and Cybernetics 4(2), 1968.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp.k_shortest import get_sums, require_lengths
from graphla.common.arguments import to_array
from graphla.common.errors import InvalidOption
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph

Array = Any
LARGEST = 2.0**62
"""No length in INT64 is so large."""


def find_path(G: Graph, source: int, target: int, heuristic: Any) -> list[int]:
    """The vertices on a shortest path, empty if there is none."""
    from graphla.algorithms.sssp._k_shortest_cpu import detour

    require_lengths(G, "shortest_path with heuristic=")
    weights = get_sums(G)
    none: Any = infinity(weights.dtype)
    far = read_bounds(G, heuristic, target, none)
    begin, banned = np.array([source], np.int32), np.empty(0, np.int32)
    met = np.empty(G.n, weights.dtype), np.empty(G.n, np.int32), np.zeros(G.n, np.int32)
    marks, bans = np.zeros(G.n, np.int32), np.zeros(G.n, np.int32)
    if far[source] == none:
        return []
    given = far, none, target, begin, banned, marks, bans, met, np.int32(1)
    rest: Any = detour(G.csr.indptr, G.csr.indices, weights, *given)
    return [source, *rest.tolist()] if rest.size or source == target else []


def read_bounds(G: Graph, given: Any, target: int, none: Any) -> Array:
    """The bounds of a caller in the dtype of lengths, rounded down to integers, which are lower bounds as well."""
    held = given.to_numpy(0) if isinstance(given, Vector) else given
    bounds = to_array(lambda each: np.asarray(each, np.float64), held, "heuristic", InvalidOption)
    if bounds.shape != (G.n,):
        raise InvalidOption(f"heuristic: bounds of shape {bounds.shape} for {G.n:,} vertices; give one for each")
    if not (bounds >= 0).all():
        v = int(np.flatnonzero(~(bounds >= 0))[0])
        raise InvalidOption(
            f"heuristic: vertex {v} has the bound {bounds[v]}; give numbers from 0 on, inf where no path leads on"
        )
    if bounds[target] > 0:
        raise InvalidOption(f"heuristic: the target has the bound {bounds[target]:g}, and from there 0 is to go")
    if none.dtype.kind == "f":
        return bounds
    far, near = np.full(G.n, none), bounds < LARGEST
    far[near] = np.floor(bounds[near])
    return far
