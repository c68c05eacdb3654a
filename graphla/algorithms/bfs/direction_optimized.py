"""Push while the frontier is small, pull while it is large.

A frontier that touches a large part of the remaining arcs is cheaper to meet from the other side:
each unreached vertex looks for one in-neighbour in the frontier and stops at the first. On the CPU the
frontier is a queue while pushed and a bitmap while pulled, and small levels stay on one core.

Source: Beamer, Asanović, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012; the
whole-array sweeps follow Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", ch. 15.
"""

from __future__ import annotations

from typing import Any

from graphla.problem import Method


def run_on_cpu(G: Any, source: int, *, parents: bool = False) -> tuple[Any, Any]:
    """Levels and parents with Numba on every core."""
    from graphla.algorithms.bfs._direction_optimized import search

    return search(G.csr, G.csc, source, parents)


method = Method(
    runs={"cpu": run_on_cpu},
    idea="push small frontiers, pull large ones",
    source="Beamer, Asanović, Patterson, SC 2012; Hwu, Kirk, El Hajj, ch. 15",
    also=("parents",),
    rank=50,
)
