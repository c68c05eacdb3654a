"""Each search bounds the eccentricities of all vertices; when no upper bound exceeds the largest lower one, that is it.

Searches begin in turn at the vertex of the largest upper bound and at one of the smallest lower bound: the first find
long distances, the others are central and show that there is none longer.

Source: Takes, Kosters, "Determining the Diameter of Small World Networks", CIKM 2011; for directed graphs Akiba, Iwata,
Kawata, "An Exact Algorithm for Diameters of Large Real Directed Graphs", SEA 2015.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.eccentricity.bounding import narrow
from graphla.algorithms.eccentricity.settings import Settings
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[int | float]:
    """The largest distance."""
    return (narrow(G, s, largest=True).low.max().item() if G.n else 0,)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="searches bound all eccentricities until no upper bound exceeds the largest lower one",
    source="Takes, Kosters, CIKM 2011; Akiba, Iwata, Kawata, SEA 2015",
    rank=100,
)
