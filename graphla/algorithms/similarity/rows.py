"""The neighbours of a pair's first vertex are marked, and those of the second looked up; of uneven rows by bisection.

Pairs of one first vertex are compared one after the other, so that its neighbours are marked once. Each core takes some
pairs at a time. O(deg v) per pair, or O(deg u log deg v) if that row is much longer.

Source: the marks as in Gustavson, "Two Fast Algorithms for Sparse Matrices: Multiplication and Permuted Transposition",
ACM TOMS 4(3), 1978.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.undirected import find_degrees, find_neighbours
from graphla.algorithms.similarity.formulas import score, weigh
from graphla.algorithms.similarity.settings import Settings
from graphla.graphs.graph import Graph
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any]:
    """The score of each pair: float64."""
    pairs, kind = s.pairs, s.kind
    from graphla.algorithms.similarity._rows_cpu import add_up

    degrees, csr = find_degrees(G), Graph(find_neighbours(G)).csr
    common = add_up(csr, pairs.tails, pairs.heads, weigh(G.engine.xp, kind, degrees))
    return (score(G.engine.xp, kind, common, degrees, pairs.tails, pairs.heads),)


method = Method(
    runs={"cpu": run},
    idea="the neighbours of the first vertex are marked, those of the second looked up",
    source="Gustavson, ACM TOMS 1978",
    rank=100,
)
