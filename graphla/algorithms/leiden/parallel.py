"""Half of the vertices move at a time, an eighth of the hubs; then half of those alone join a part of their community.

Both look for the best community or part in tables, one per row or per core, as `louvain`'s method of this name does;
no vertex joins one that moves at the same time, and so parts are connected. The communities are those of the algebra.

Source: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific Reports
9, 2019; tables per row as in Sahu, arXiv:2501.19004, 2025.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.leiden import Settings
from graphla.algorithms.leiden._inside import split as split_by_components
from graphla.algorithms.leiden._joins_cuda import JoinGrid
from graphla.algorithms.louvain.algebraic import Algebra
from graphla.algorithms.shared.communities.climb import Climb, Steps, refuse_sizes
from graphla.algorithms.shared.communities.rounds import Rounds
from graphla.problem import Method


def run(G: Any, rules: Settings) -> tuple[Any, Any]:
    """The community of each vertex, and of each level."""
    grid = JoinGrid(G.engine)
    grid.begin(G)
    steps = Steps(grid.move, grid.merge, grid.refine, grid.move_apart, split_by_components)
    return Climb(rules, steps, rules.iterations).run(G)


def run_cores(G: Any, rules: Settings) -> tuple[Any, Any]:
    """The same on the cores of a CPU."""
    from graphla.algorithms.leiden._parts_cpu import refine
    from graphla.algorithms.leiden._split_cpu import split
    from graphla.algorithms.shared.communities.cores import move
    from graphla.algorithms.shared.communities.queue import merge

    apart = Rounds(G.engine, Algebra(G.engine).propose).move_apart
    return Climb(rules, Steps(move, merge, refine, apart, split), rules.iterations).run(G)


method = Method(
    runs={"cpu": run_cores, "cuda": run},
    also=("levels",),
    refuses=refuse_sizes,
    idea="half of the vertices, an eighth of the hubs move at a time, then half of those alone join parts that stay",
    source="Traag, Waltman, van Eck, Scientific Reports 2019; Sahu, arXiv:2501.19004, 2025",
    rank=100,
)
