"""Parts of communities of a level whose rows are spread over ranks, each of which lets its own vertices join."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphla.algorithms.leiden._joins_cuda import JoinGrid
from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.own_rounds import OwnRounds, make_launch
from graphla.algorithms.shared.communities.rounds import CLASSES
from graphla.engine.cuda.records import read_struct

Array = Any
KERNELS = Path(__file__).with_name("own_joins.cuh")
JOINS = "begin_joins", "link_joins", "join_own", "join_told", "change_outside"
OwnJoinParameters = read_struct(KERNELS, "OwnJoinParameters")


def refine(grid: JoinGrid, level: Level, members: Array, scale: float, draw: int) -> Array:
    """The part of each vertex, named by one of its vertices, as `Joins.refine` finds it."""
    joins = grid.describe_joins(level, members, scale, draw)
    rounds = OwnRounds(grid.engine, level, make_launch(grid.engine, level, KERNELS, JOINS, OwnJoinParameters))
    first = OwnJoinParameters(**joins, told=rounds.begin(), own=0, changes=joins["between"])
    rounds.launch("begin_joins", first)
    first = first._replace(outside=level.add_up(first.outside))
    rounds.launch("link_joins", first)
    turn, joined = 0, 1
    while joined:
        joined, given = 0, first._replace(rounds=first.rounds._replace(draw=~(draw + turn)))
        for number in reversed(range(CLASSES)):
            told, count, _ = rounds.tell("join_own", given, number)
            if told.told.count:
                take_in(rounds, told, count)
            joined += told.told.count
        turn += 1
    return first.rounds.of


def take_in(rounds: OwnRounds, given: Any, count: int) -> None:
    """Let the vertices join that have said so, and change what is outside of the parts; `count` are of this rank."""
    changes = rounds.xp.empty(count)
    rounds.launch("join_told", given._replace(own=count, changes=changes))
    rounds.launch("change_outside", given._replace(changes=rounds.world.all_gather(changes)))
