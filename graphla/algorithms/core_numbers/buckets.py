"""The vertex with the fewest neighbours left leaves first. Buckets find it in constant time.

Vertices stand in an array by the number of their neighbours that are left. When one leaves, each neighbour with more
changes places with the first vertex of its bucket, which then begins one later. O(V + E) on one core.

Source: Batagelj, Zaveršnik, "An O(m) Algorithm for Cores Decomposition of Networks", arXiv:cs/0310049, 2003.
"""

from __future__ import annotations

from typing import Any

from graphla.problem import Method


def run(G: Any) -> tuple[Any]:
    """The core number of each vertex."""
    from graphla.algorithms.core_numbers._buckets_cpu import find_cores

    return (find_cores(G.csr),)


method = Method(
    runs={"cpu": run},
    idea="vertices in buckets by the number of neighbours left; the first one leaves",
    source="Batagelj, Zaveršnik, arXiv:cs/0310049, 2003",
    rank=100,
)
