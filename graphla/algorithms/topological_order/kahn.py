"""A queue of the vertices that no arc enters any more; the arcs of each are counted off. O(V + E) on one core.

The queue is by levels; a counting sort arranges the vertices of each level by their numbers.

Source: Kahn, "Topological Sorting of Large Networks", Communications of the ACM 5(11), 1962.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.topological_order import Settings
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any, Any]:
    """The order, shorter if there is a cycle, and the levels, -1 of vertices that are left."""
    from graphla.algorithms.topological_order.kahn_cpu import find_order

    return find_order(G.csr)


method = Method(
    runs={"cpu": run},
    idea="a queue of the vertices that no arc enters any more, and a counting sort by levels",
    source="Kahn, CACM 1962",
    rank=100,
)
