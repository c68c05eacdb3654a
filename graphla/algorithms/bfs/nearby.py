"""A queue of what is near: time and memory of a search that ends early are those of what it meets.

The queue is the list of the vertices that are found, and a table says which are in it, so that nothing is as long as
the graph. Without an end it searches the whole graph so; one that ends but meets a sixteenth of all vertices is handed
over to `direction_optimized`, which is faster then.

Source: Moore, "The shortest path through a maze", 1959; the list as in Skiena, The Algorithm Design Manual, 7.6.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs import direction_optimized
from graphla.algorithms.shared import nearby
from graphla.algorithms.shared.limits import Limits
from graphla.algorithms.shared.weights import infinity
from graphla.problem import Method


def run(G: Any, source: int, s: Limits) -> tuple[Any, ...]:
    """Levels and parents as far as the search goes."""
    found = nearby.search_near(G, None, [source], s, infinity(np.int32))
    if found is None:
        return direction_optimized.run_on_cpu(G, source, s)
    return nearby.answer(G, found, s, -1)


method = Method(
    runs={"cpu": run},
    idea="a queue and a table of what is near, for searches that end early",
    source="Moore, 1959",
    also=("parents",),
    rank=-10,
)
