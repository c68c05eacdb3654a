"""Dijkstra's algorithm in lists: time and memory of a search that ends early are those of what it meets.

The nearest vertex that is not done is done, until the nearest one is beyond the limit, or all targets are done. The
vertices that it meets stand in a list with a table and a heap, so that nothing is as long as the graph. Without an end
it searches the whole graph so; one that ends but meets a sixteenth of all vertices is handed over to `delta_stepping`,
which is faster then. O(k log k) for k arcs that leave the vertices within the end.

Source: Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1, 1959.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared import nearby
from graphla.algorithms.shared.limits import Limits
from graphla.algorithms.shared.weights import distance_dtype, get_weights, infinity, refuses_negative
from graphla.algorithms.sssp import delta_stepping
from graphla.problem import Method


def search(G: Any, sources: Any, s: Limits) -> nearby.Lists | None:
    """What is near each source; None if one of them meets too many vertices."""
    return nearby.search_near(G, get_weights(G), sources, s, infinity(distance_dtype(G.csr.values.dtype)))


def run(G: Any, source: int, s: Limits) -> tuple[Any, ...]:
    """Distances and parents as far as the search goes."""
    found = search(G, [source], s)
    if found is None:
        return delta_stepping.run_cpu(G, source, s)
    return nearby.answer(G, found, s, infinity(found.values.dtype))


method = Method(
    runs={"cpu": run},
    idea="Dijkstra's algorithm in lists of what is near, for searches that end early",
    source="Dijkstra, Numerische Mathematik 1959",
    refuses=refuses_negative,
    also=("parents",),
    rank=-10,
)
