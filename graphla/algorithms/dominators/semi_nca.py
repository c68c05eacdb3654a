"""Semidominators as in Lengauer and Tarjan, and the dominators as nearest common ancestors. O(E log V) on one core.

Vertices are numbered by a depth-first search. The semidominator of v is the least number from which a path over larger
numbers leads to v; it comes from the predecessors of v by paths that are compressed. The immediate dominator is the
nearest ancestor of v's parent, in the tree as far as it is known, whose number is not larger.

Source: Lengauer, Tarjan, ACM TOPLAS 1(1), 1979; Georgiadis, "Linear-Time Algorithms for Dominators and Related
Problems", thesis, Princeton, 2005 (SNCA).
"""

from __future__ import annotations

from typing import Any

from graphla.problem import Method


def run(G: Any, source: int) -> tuple[Any]:
    """The immediate dominator of each vertex, -1 of what is not reached: int32."""
    from graphla.algorithms.dominators.semi_nca_cpu import find_dominators

    return (find_dominators(G.n, G.csr, G.csc, source)[0],)


method = Method(
    runs={"cpu": run},
    idea="semidominators by compressed paths, and dominators as nearest ancestors",
    source="Lengauer, Tarjan, TOPLAS 1979; Georgiadis, 2005",
    rank=100,
)
