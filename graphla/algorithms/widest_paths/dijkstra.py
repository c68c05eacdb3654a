"""Dijkstra's algorithm: the widest vertex that is not done is done, and offers its width along its arcs.

No later path can be wider, for the least weight of a path only falls along it. O(E log V) with a heap, on one core.

Source: Pollack, "The Maximum Capacity through a Network", Operations Research 8(5), 1960; Dijkstra, 1959.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.search_settings import Settings
from graphla.containers.vector import Vector
from graphla.problem import Method


def run(G: Any, source: int, s: Settings) -> tuple[Vector]:
    """The width of each vertex that is reached."""
    from graphla.algorithms.widest_paths._heap import search

    width, reached = search(G.csr, source)
    there = np.flatnonzero(reached)
    return (Vector.from_coo(there, width[there].astype(G.csr.values.dtype), G.dtype, size=G.n, engine=G.engine),)


method = Method(
    runs={"cpu": run},
    idea="Dijkstra's algorithm with the widest vertex first",
    source="Pollack, Operations Research 1960",
    also=("parents",),
    rank=100,
)
