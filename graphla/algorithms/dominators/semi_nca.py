"""Semidominators as in Lengauer and Tarjan, and the dominators as nearest common ancestors. O(E log V) on one core.

Vertices are numbered by a depth-first search. The semidominator of v is the least number from which a path over larger
numbers leads to v; it comes from the predecessors of v by paths that are compressed. The immediate dominator is the
nearest ancestor of v's parent, in the tree as far as it is known, whose number is not larger.

A graph on a GPU is copied to the host once, and answered there: a depth-first search goes one arc after the other, and
rounds over bits are as many as the graph is deep, over V² / 64 words each.

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


def run_on_copy(G: Any, source: int) -> tuple[Any]:
    """The same of a graph on a GPU, whose copy on the host stays with it; the answer goes back."""
    here = G.cached("dominators.host", lambda g: g.to("cpu"))
    return (G.engine.asarray(run(here, source)[0]),)


method = Method(
    runs={"cpu": run, "cuda": run_on_copy},
    idea="semidominators by compressed paths, and dominators as nearest ancestors; on the host",
    source="Lengauer, Tarjan, TOPLAS 1979; Georgiadis, 2005",
    rank=100,
)
