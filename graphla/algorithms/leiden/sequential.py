"""Moves by a queue; then vertices that are alone within their community join the part of it that gains most.

A part must be well connected to the rest of its community to be joined, and so must the vertex that joins. The parts
become the vertices of the next level, and begin there in the communities that they are of: so later moves can split a
community between its parts. The authors draw the part by a random number among those that gain; here it is the best.

Source: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific Reports
9, 2019.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.leiden import Settings
from graphla.algorithms.shared.communities.climb import Climb, Steps
from graphla.problem import Method


def run(G: Any, rules: Settings) -> tuple[Any, Any]:
    """The community of each vertex, and of each level."""
    from graphla.algorithms.leiden._refine import refine
    from graphla.algorithms.leiden._split_cpu import split
    from graphla.algorithms.shared.communities.queue import merge, move

    return Climb(rules, Steps(move, merge, refine, split=split), rules.iterations).run(G)


method = Method(
    runs={"cpu": run},
    also=("levels",),
    idea="a queue of vertices that move; then those alone in their community join its best part, one by one",
    source="Traag, Waltman, van Eck, Scientific Reports 2019",
    rank=50,
)
