"""A search toward one target, led by a lower bound of what is to go from each vertex: A*.

The vertex with the least length so far and bound is next, until that is the target. With bounds of 0 it is Dijkstra's
algorithm; the nearer they are to the distances, the fewer vertices are met. A vertex is met again where a shorter way
to it is found, so that bounds need not be consistent. On a GPU one block relaxes all vertices of a bucket of such
lengths at once; beyond the length of the best path none is relaxed. The path is that which `_detours.py` says.

A search that has relaxed as many arcs as `Detours.most` says is given up: then distances from the source give the same
path, by the way back from the target. So bad bounds cost little more than a search without them. They also say whether
there is no path, where infinite bounds may have hidden one.

Source: Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", IEEE
Transactions on Systems Science and Cybernetics 4(2), 1968.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp._detours import Question, as_vertices
from graphla.algorithms.sssp._lengths import (
    begin_distances,
    find_distances,
    find_dtype,
    get_reverse,
    get_searched,
    get_sums,
    open_detours,
    require_lengths,
)
from graphla.algorithms.sssp._path import walk
from graphla.common.arguments import to_array
from graphla.common.errors import InvalidOption
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.storage.convert import gather

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
    detours = open_detours(G, weights)
    detours.aim(G.engine.asarray(far))
    found = detours.go_around([Question(as_vertices([source]), (), as_vertices([target]), none)])[0]
    if found.way.size:
        return [source, *found.way.tolist()]
    if found.length == none and not (far == none).any():
        return []
    path, lengths = walk_back(G, source, target)
    refuse_bounds(path, far, lengths, detours.slack)
    return path


def walk_back(G: Graph, source: int, target: int) -> tuple[list[int], Array]:
    """The path that a search finds, by distances from the source, and these along it; empty if there is none."""
    begin_distances(G)
    back = get_reverse(G)
    detours = open_detours(back, get_sums(back))
    detours.begin(find_dtype(G), leaves=False)
    detours.aim(find_distances(get_searched(G), source), source)
    path = walk(detours.after, source, target)
    return path, G.engine.to_host(gather(detours.far, G.engine.asarray(np.asarray(path, np.int64))))


def refuse_bounds(path: list[int], far: Array, lengths: Array, slack: Any) -> None:
    """Refuse bounds if one on a shortest path is greater than what is to go there."""
    right = lengths[-1:] - lengths
    for i in np.flatnonzero(far[path] > right + lengths[-1:] * slack)[:1].tolist():
        bound = "inf" if far[path[i]] == infinity(far.dtype) else far[path[i]]
        raise InvalidOption(
            f"heuristic: vertex {path[i]} has the bound {bound}, and {right[i]} is to go from there; give lower bounds"
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
    far = np.minimum(bounds, LARGEST).astype(none.dtype)
    far[bounds >= LARGEST] = none
    return far
