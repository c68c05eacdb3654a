"""Half of the vertices move at a time, an eighth of the hubs; then half of those alone join a part of their community.

Both look for the best community or part in tables, one per row or per core, as `louvain`'s method of this name does;
no vertex joins one that moves at the same time, and so parts are connected. The communities are those of the algebra.

Source: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific Reports
9, 2019; tables per row as in Sahu, arXiv:2501.19004, 2025.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from graphla.algorithms.leiden import Settings, _inside, _own_joins, _ranks
from graphla.algorithms.leiden._joins import Joins
from graphla.algorithms.leiden._joins_cuda import JoinGrid
from graphla.algorithms.louvain.parallel import find_round
from graphla.algorithms.shared.communities import own_merge, own_rounds, spread
from graphla.algorithms.shared.communities.climb import Climb, Steps
from graphla.algorithms.shared.communities.level import make_level
from graphla.algorithms.shared.communities.rounds import Rounds, choose_move
from graphla.problem import Method


def run(G: Any, rules: Settings) -> tuple[Any, Any]:
    """The community of each vertex, and of each level."""
    return Climb(rules, find_steps(G.engine, G.csr.indptr), rules.iterations).run(G)


def find_steps(engine: Any, pointers: Any) -> Steps:
    """The steps of a level with row pointers like these, on a GPU or on the cores of a CPU."""
    rounds = Rounds(engine, *find_round(engine))
    if engine.name == "cuda":
        grid = JoinGrid(engine)
        grid.begin(engine.c_type(pointers))
        move, apart = choose_move(grid.move, rounds.move), choose_move(grid.move_apart, rounds.move_apart)
        return Steps(move, grid.merge, grid.refine, apart, partial(_inside.split, engine))
    from graphla.algorithms.leiden._parts_cpu import refine
    from graphla.algorithms.leiden._split_cpu import split
    from graphla.algorithms.shared.communities import cores
    from graphla.algorithms.shared.communities.queue import merge

    return Steps(choose_move(cores.move, rounds.move), merge, refine, rounds.move_apart, split)


def run_on_ranks(G: Any, rules: Settings) -> tuple[Any, Any]:
    """The same of a graph that is spread over ranks."""
    local, pointers = G.engine.local, make_level(G).rows.indptr
    propose, wake = find_round(local)
    alone, joins = find_steps(local, pointers), Joins(local, spread.share(propose), wake)
    move, merge, refine = joins.move, partial(spread.merge, alone.merge), joins.refine
    if local.name == "cuda":
        grid = JoinGrid(local)
        own_rounds.begin(local, own_rounds.KERNELS, own_rounds.MOVES, local.c_type(pointers))
        own_rounds.begin(local, _own_joins.KERNELS, _own_joins.JOINS, local.c_type(pointers))
        move, refine = choose_move(partial(own_rounds.move, grid), move), partial(_own_joins.refine, grid)
        merge = partial(own_merge.merge, grid.labels)
    together = Steps(move, merge, refine, joins.move_apart, partial(_ranks.split, local))
    steps = spread.choose_steps(alone, together)
    return spread.climb(G, Climb(rules, steps, rules.iterations))


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run_on_ranks,
    also=("levels",),
    idea="half of the vertices, an eighth of the hubs move at a time, then half of those alone join parts that stay",
    source="Traag, Waltman, van Eck, Scientific Reports 2019; Sahu, arXiv:2501.19004, 2025",
    rank=100,
)
