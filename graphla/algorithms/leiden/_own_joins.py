"""Parts of communities of a level whose rows are spread over ranks, each of which lets its own vertices join."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphla.algorithms.leiden._joins_cuda import JoinGrid
from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.own_rounds import OwnRounds
from graphla.algorithms.shared.communities.rounds import CLASSES
from graphla.engine.cuda.records import read_struct

Array = Any
KERNELS = Path(__file__).with_name("own_joins.cuh")
JOINS = "begin_joins", "link_joins", "join_own", "apply_joins", "change_outside"
OwnJoinParameters = read_struct(KERNELS, "OwnJoinParameters")


def refine(grid: JoinGrid, level: Level, members: Array, scale: float, draw: int) -> Array:
    """The part of each vertex, named by one of its vertices, as `Joins.refine` finds it."""
    rounds = OwnRounds(grid, level, KERNELS, JOINS, OwnJoinParameters)
    first = OwnJoinParameters(
        **grid.describe_joins(level, members, scale, draw),
        exchange=rounds.begin(),
        changes=grid.engine.get_unread("double"),
    )
    rounds.launch("begin_joins", first)
    first = first._replace(outside=level.add_up(first.outside))
    rounds.launch("link_joins", first)
    turn, joined = 0, 1
    while joined:
        joined, given = 0, first._replace(rounds=first.rounds._replace(draw=~(draw + turn)))
        for number in reversed(range(CLASSES)):
            found, _ = rounds.exchange("join_own", given, number)
            if found.exchange.many:
                apply(rounds, found)
            joined += found.exchange.many
        turn += 1
    return first.rounds.of


def apply(rounds: OwnRounds, given: Any) -> None:
    """Let the vertices join, and change what is outside of the parts."""
    changes = rounds.grid.xp.empty(given.exchange.count)
    rounds.launch("apply_joins", given._replace(changes=changes))
    rounds.launch("change_outside", given._replace(changes=rounds.world.all_gather(changes)))
