"""A search toward one target, led by a lower bound of what is to go from each vertex: A*.

The vertex with the least length so far and bound is next, until that is the target. With bounds of 0 it is Dijkstra's
algorithm; the nearer they are to the distances, the fewer vertices are met. A vertex is met again where a shorter way
to it is found, so that bounds need not be consistent. On a GPU one block relaxes all vertices of a bucket of such
lengths at once; beyond the length of the best path none is relaxed. The path is that which `_detours.py` says.

Source: Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", IEEE
Transactions on Systems Science and Cybernetics 4(2), 1968.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp._detours import Question, as_vertices
from graphla.algorithms.sssp._lengths import find_distances, get_sums, open_detours, require_lengths
from graphla.common.arguments import to_array
from graphla.common.errors import InvalidOption
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph

Array = Any
LARGEST = 2.0**62
"""No length in INT64 is so large."""


def find_path(G: Graph, source: int, target: int, heuristic: Any) -> list[int]:
    """The vertices on a shortest path, empty if there is none."""
    require_lengths(G, "shortest_path with heuristic=")
    weights = get_sums(G)
    none: Any = infinity(weights.dtype)
    far = read_bounds(G, heuristic, target, none)
    if source == target:
        return [source]
    if far[source] == none:
        return []
    detours = open_detours(G, weights)
    detours.aim(G.engine.asarray(far))
    found = detours.go_around([Question(as_vertices([source]), (), as_vertices([target]))])[0]
    if found.way.size:
        return [source, *found.way.tolist()]
    if found.length != none:
        refuse_bounds(G, far, target, detours.slack)
    return []


def refuse_bounds(G: Graph, far: Array, target: int, slack: Any) -> None:
    """Name a vertex from where less is to go than its bound says."""
    right = G.engine.to_host(find_distances(G, target))
    v = int(np.flatnonzero(far > right + right * slack)[0])
    raise InvalidOption(
        f"heuristic: vertex {v} has the bound {far[v]}, and {right[v]} is to go from there; give lower bounds"
    )


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
