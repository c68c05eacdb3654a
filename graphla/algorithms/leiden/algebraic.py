"""Louvain's matrices, K = W S and W <- S' W S, with a refinement between moves and mergers.

Within each community, along W masked by it, vertices that are alone join parts: K = W' P, where P[u, p] = 1 if u is of
part p, a row's best column at a time. Only parts that stay, and that as much weight joins with the rest of the
community as chance would put there, are open. The next level is P' W P, and its vertices begin in their communities.

O(E) work per round, and memory for an entry per vertex and community around it.

Source: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific Reports
9, 2019.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from graphla.algorithms.leiden import Settings
from graphla.algorithms.leiden._inside import split
from graphla.algorithms.leiden._joins import Joins
from graphla.algorithms.louvain.algebraic import Algebra
from graphla.algorithms.shared.communities.climb import Climb, Steps
from graphla.graphs.graph import Graph
from graphla.problem import Method


def run(G: Graph, rules: Settings) -> tuple[Any, Any]:
    """The community of each vertex, and of each level."""
    joins = Joins(G.engine, Algebra(G.engine).propose)
    steps = Steps(joins.move, joins.merge, joins.refine, joins.move_apart, partial(split, G.engine))
    return Climb(rules, steps, rules.iterations).run(G)


method = Method(
    runs={"cpu": run, "cuda": run},
    also=("levels",),
    idea="Louvain's K = W S, also within communities: their parts P, not they themselves, are merged, W <- P' W P",
    source="Traag, Waltman, van Eck, Scientific Reports 2019",
)
