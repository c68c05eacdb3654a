"""Vertices wait in a queue; each moves to the community that gains most, and its neighbours wait again.

Once nobody gains, each community becomes a vertex, and the next level begins. On the first levels most vertices move
once or twice, and only neighbours of those that moved are looked at again: about two looks per vertex instead of a pass
over all vertices per round. One core.

Source: Blondel, Guillaume, Lambiotte, Lefebvre, "Fast unfolding of communities in large networks", J. Stat. Mech. 2008;
the queue as in Traag, Waltman, van Eck, "From Louvain to Leiden", Scientific Reports 9, 2019; directed graphs as in
Leicht, Newman, Physical Review Letters 100, 2008.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.communities.climb import Climb, Rules, Steps
from graphla.problem import Method


def run(G: Any, rules: Rules) -> tuple[Any, Any]:
    """The community of each vertex, and of each level."""
    from graphla.algorithms.shared.communities.queue import merge, move

    return Climb(rules, Steps(move, merge)).run(G)


method = Method(
    runs={"cpu": run},
    also=("levels",),
    idea="a queue of vertices; each moves to the best community, and its neighbours wait again",
    source="Blondel et al., J. Stat. Mech. 2008; Traag, Waltman, van Eck, Scientific Reports 2019",
    rank=50,
)
