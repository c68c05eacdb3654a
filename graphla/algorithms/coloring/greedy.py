"""Vertices by falling priority: each gets the least color that no neighbour has. O(V log V + E) on one core.

Source: Welsh, Powell, "An Upper Bound for the Chromatic Number of a Graph and its Application to Timetabling Problems",
The Computer Journal 10(1), 1967.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.coloring._order import get_vertices, make_priorities
from graphla.algorithms.shared.seed import Settings
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any]:
    """The color of each vertex."""
    from graphla.algorithms.coloring.greedy_cpu import color_in_order

    order = get_vertices(np.sort(make_priorities(G, s.seed)))
    return (color_in_order(G.csr, np.ascontiguousarray(order[::-1])),)


method = Method(
    runs={"cpu": run},
    idea="vertices by falling priority; each gets the least color that no neighbour has",
    source="Welsh, Powell, The Computer Journal 1967",
    rank=100,
)
