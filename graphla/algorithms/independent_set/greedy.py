"""Vertices by falling priority: each is chosen unless a neighbour was. O(V log V + E) on one core.

Source: the sequential form of Luby's algorithm with one order for all rounds: Blelloch, Fineman, Shun, "Greedy
Sequential Maximal Independent Set and Matching are Parallel on Average", SPAA 2012.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.random_order import make_priorities
from graphla.algorithms.shared.seed import Settings
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any]:
    """Whether each vertex is chosen."""
    from graphla.algorithms.independent_set._greedy_cpu import choose_all

    return (choose_all(G.csr, make_priorities(G, s.seed)),)


method = Method(
    runs={"cpu": run},
    idea="vertices by falling priority; each is chosen unless a neighbour was",
    source="Blelloch, Fineman, Shun, SPAA 2012",
    rank=100,
)
