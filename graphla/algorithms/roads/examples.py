"""A call of each question to roads, for what compiles or times first calls: see `all_examples`."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.roads.prepare import prepare
from graphla.graphs.graph import Graph


def ask_roads(G: Graph) -> Any:
    """Prepare roads without and with turns, and ask each question."""
    roads = prepare(G)
    here, there = [0, 1], [G.n - 1, G.n - 2]
    return (
        roads.distances(here, there),
        roads.paths([(0, G.n - 1)]),
        roads.isochrone(here, 3),
        roads.nearest(here, there, k=1),
        roads.customize(G.A.to_coo()[2]),
        prepare(G, turns={}, u_turn=1).distances(here, there),
    )


EXAMPLES = {"roads": ask_roads}
