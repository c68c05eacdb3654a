"""Half of the vertices, and an eighth of the hubs, move at a time to the community that gains most, of those that wait.

Only neighbours of vertices that have moved wait after the first turn. On a CPU each core has a table of weights by
community, and those that moved update the sums. On a GPU a warp or a block adds up the weights of a row by community in
a hash table, in shared memory or, for the longest rows, in global memory. The sums are exact in any order of additions,
and so the communities are those of the algebra, on every run. All turns of a level are one launch of a cooperative
grid. Then each community becomes a vertex.

Source: Blondel, Guillaume, Lambiotte, Lefebvre, "Fast unfolding of communities in large networks", J. Stat. Mech. 2008;
moves at once as in Lu, Halappanavar, Kalyanaraman, Parallel Computing 47, 2015, with classes drawn by a hash; tables
per row as in Sahu, arXiv:2501.19004, 2025 (nu-Louvain).
"""

from __future__ import annotations

from functools import partial
from typing import Any

from graphla.algorithms.shared.communities import own_merge, own_rounds, spread
from graphla.algorithms.shared.communities.climb import Climb, Rules, Steps
from graphla.algorithms.shared.communities.grid import Grid
from graphla.algorithms.shared.communities.level import make_level
from graphla.algorithms.shared.communities.rounds import Propose, Rounds, Wake, choose_move
from graphla.problem import Method


def run(G: Any, rules: Rules) -> tuple[Any, Any]:
    """The community of each vertex, and of each level."""
    return Climb(rules, find_steps(G.engine, G.csr.indptr)).run(G)


def find_steps(engine: Any, pointers: Any) -> Steps:
    """The steps of a level with row pointers like these, on a GPU or on the cores of a CPU."""
    rounds = Rounds(engine, *find_round(engine))
    if engine.name == "cuda":
        grid = Grid(engine)
        grid.begin(engine.c_type(pointers))
        apart = choose_move(grid.move_apart, rounds.move_apart)
        return Steps(choose_move(grid.move, rounds.move), grid.merge, move_apart=apart)
    from graphla.algorithms.shared.communities.cores import move
    from graphla.algorithms.shared.communities.queue import merge

    return Steps(choose_move(move, rounds.move), merge, move_apart=rounds.move_apart)


def find_round(engine: Any) -> tuple[Propose, Wake]:
    """How the vertices of a round find the community that gains most, and who waits then, on an engine."""
    if engine.name == "cuda":
        grid = Grid(engine)
        return grid.propose, grid.wake
    from graphla.algorithms.shared.communities.cores import propose, wake

    return propose, wake


def run_on_ranks(G: Any, rules: Rules) -> tuple[Any, Any]:
    """The same of a graph that is spread over ranks."""
    local, pointers = G.engine.local, make_level(G).rows.indptr
    propose, wake = find_round(local)
    alone, rounds = find_steps(local, pointers), Rounds(local, spread.share(propose), wake)
    move, merge = rounds.move, partial(spread.merge, alone.merge)
    if local.name == "cuda":
        grid = Grid(local)
        own_rounds.begin(local, own_rounds.KERNELS, own_rounds.MOVES, local.c_type(pointers))
        move, merge = choose_move(partial(own_rounds.move, grid), move), partial(own_merge.merge, grid.labels)
    together = Steps(move, merge, move_apart=rounds.move_apart)
    return spread.climb(G, Climb(rules, spread.choose_steps(alone, together)))


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run_on_ranks,
    also=("levels",),
    idea="half of the vertices, an eighth of the hubs move at a time, on all cores, or by hash tables on a GPU",
    source="Blondel et al., J. Stat. Mech. 2008; Lu, Halappanavar, Kalyanaraman, 2015; Sahu, arXiv:2501.19004, 2025",
    rank=100,
)
