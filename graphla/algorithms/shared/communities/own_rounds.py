"""Rounds on a level whose rows are spread over ranks, by launches that each rank makes for its own vertices.

In a round a rank lists those of its vertices that move, the ranks gather the lists, and each applies all moves. What is
known of groups follows the moves; what is done for all vertices is done once a level. The host learns how many vertices
have moved, and nothing else.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.grid import Grid
from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.rounds import CLASSES, MOST_TURNS
from graphla.engine.cuda.records import read_struct
from graphla.engine.mpi.slots import Slots
from semirings import monoid

Array = Any
KERNELS = Path(__file__).with_name("own_moves.cuh")
MOVES = "begin_moves", "move_own", "apply_moves", "take_flags"
COUNTS = 3
"""Numbers that a round counts."""
OwnMoveParameters = read_struct(KERNELS, "OwnMoveParameters")
ExchangeParameters = read_struct(KERNELS, "ExchangeParameters")


class OwnRounds:
    """What the ranks exchange on a level.

    Attributes
    ----------
    grid : Grid
        Launches kernels.
    file, names, takes
        The kernels, and what makes the record that they take; it has the part `exchange`.
    own, counts : array
        The moves of this rank, and how many they are.
    """

    def __init__(self, grid: Grid, level: Level, file: Path, names: tuple[str, ...], takes: Any) -> None:
        self.grid, self.file, self.names, self.takes = grid, file, names, takes
        self.world = level.slots.ranks.world
        self.own = grid.xp.empty(level.slots.own, np.int64)
        self.counts = grid.xp.zeros(COUNTS, np.uint64)

    def begin(self) -> Any:
        """The record of what is exchanged, before the first round."""
        return ExchangeParameters(number=0, own=self.own, counts=self.counts, count=0, many=0, moves=self.own)

    def launch(self, name: str, given: Any) -> None:
        """Launch a kernel."""
        self.grid.launch(self.file, name, self.takes, given, self.names)

    def exchange(self, name: str, given: Any, number: int) -> tuple[Any, bool]:
        """Let own vertices of a class move by a kernel: the moves of all ranks, and if a vertex of this one waited."""
        self.launch(name, given._replace(exchange=given.exchange._replace(number=number)))
        count, waited, _ = self.grid.engine.device.to_host(self.counts).tolist()
        moves = self.world.all_gather(self.own[:count])
        found = given.exchange._replace(count=count, many=moves.size, moves=moves)
        return given._replace(exchange=found), bool(waited)


def begin(engine: Any, file: Path, names: tuple[str, ...], offset: str) -> None:
    """Begin to compile kernels, for rows with offsets of a type."""
    engine.begin(file, *(f"{name}<{offset}>" for name in names), cooperative=True)


def move(grid: Grid, level: Level, start: Array, scale: float, draw: int) -> Array:
    """The community of each vertex, from a start, as `Rounds.move` finds it."""
    rounds = OwnRounds(grid, level, KERNELS, MOVES, OwnMoveParameters)
    first = OwnMoveParameters(
        **grid.describe_moves(level, start, scale, draw),
        exchange=rounds.begin(),
        first=level.slots.first,
        last=level.slots.last,
        rank=rounds.world.rank,
        ranks=rounds.world.size,
        arrived=grid.xp.empty(rounds.world.size * level.slots.own, bool),
    )
    rounds.launch("begin_moves", first)
    quiet = False
    for turn in range(MOST_TURNS):
        moved, given = 0, first._replace(rounds=first.rounds._replace(draw=draw + turn))
        for number in range(CLASSES):
            found, waited = rounds.exchange("move_own", given, number)
            if number == 0 and quiet and not rounds.world.all_reduce(waited, monoid.lor):
                return first.rounds.of
            if found.exchange.many:
                apply(rounds, level.slots, found)
            moved += found.exchange.many
        quiet = not moved
    return first.rounds.of


def apply(rounds: OwnRounds, slots: Slots, given: Any) -> None:
    """Let the vertices move, and those wait that have a neighbour among them, of whatever rank."""
    rounds.launch("apply_moves", given)
    flags = [given.waits[first:last] for first, last in pairwise(slots.bounds)]
    arrived = list(given.arrived.reshape(slots.ranks.size, slots.own))
    arrived[given.rank] = flags[given.rank]
    rounds.world.exchange(flags, arrived)
    rounds.launch("take_flags", given)
