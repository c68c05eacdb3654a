"""Phases: a search by levels from all free vertices of one side, then walks along it that share no vertex.

The matching begins with a greedy one, vertices of few neighbours first. O(E √V) on one core.

Source: Hopcroft, Karp, "An n^(5/2) Algorithm for Maximum Matchings in Bipartite Graphs", SIAM J. Comput. 2(4), 1973.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.matching._refuse import refuse_maximal
from graphla.algorithms.matching.settings import Settings
from graphla.algorithms.matching.sides import find_sides
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any]:
    """The mate of each vertex, or -1."""
    from graphla.algorithms.matching.hopcroft_karp_cpu import match_sides

    return (match_sides(G.csr, find_sides(G)),)


method = Method(
    runs={"cpu": run},
    idea="a search by levels from all free vertices of one side, then walks along it that share no vertex",
    source="Hopcroft, Karp, SIAM J. Comput. 1973",
    refuses=refuse_maximal,
    rank=100,
)
