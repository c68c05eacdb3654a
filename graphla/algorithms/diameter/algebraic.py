"""max [maxⱼ D(:, j)]: the largest entry of the rows of distances from all vertices, 64 at a time. O(V · E).

Source: Kepner, Gilbert, "Graph Algorithms in the Language of Linear Algebra", 2011.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.eccentricity import algebraic
from graphla.algorithms.eccentricity.settings import Settings
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[int | float]:
    """The largest distance."""
    return (algebraic.run(G, s)[0].max().item() if G.n else 0,)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="the largest entry of the distances from all vertices, 64 rows at a time",
    source="Kepner, Gilbert, 2011",
)
