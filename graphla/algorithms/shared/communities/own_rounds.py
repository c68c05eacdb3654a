"""Rounds on a level whose rows are spread over ranks, by launches that each rank makes for its own vertices.

In a round a rank lists those of its vertices that move, the ranks gather the lists, and each applies all moves. What is
known of groups follows the moves; what is done for all vertices is done once a level. The host learns how many vertices
have moved, and nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.grid import Grid
from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.rounds import CLASSES, MOST_TURNS
from graphla.engine.cuda.records import read_struct
from semirings import monoid

Array = Any
KERNELS = Path(__file__).with_name("own_moves.cuh")
MOVES = "begin_moves", "move_own", "apply_moves"
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
        return ExchangeParameters(number=0, own=self.own, counts=self.counts, many=0, moves=self.own)

    def launch(self, name: str, given: Any) -> None:
        """Launch a kernel."""
        self.grid.launch(self.file, name, self.takes, given, self.names)

    def exchange(self, name: str, given: Any, number: int) -> tuple[Any, int, bool]:
        """Let own vertices of a class move by a kernel.

        Returns
        -------
        given : record
            With the moves of all ranks.
        count : int
            Moves of this rank, the first of `own`.
        waited : bool
            Whether one of its vertices waited before.
        """
        self.launch(name, given._replace(exchange=given.exchange._replace(number=number)))
        count, waited, _ = self.grid.engine.device.to_host(self.counts).tolist()
        moves = self.world.all_gather(self.own[:count])
        return given._replace(exchange=given.exchange._replace(moves=moves, many=moves.size)), count, bool(waited)


def begin(engine: Any, file: Path, names: tuple[str, ...], offset: str) -> None:
    """Begin to compile kernels, for rows with offsets of a type."""
    engine.begin(file, *(f"{name}<{offset}>" for name in names), cooperative=True)


def move(grid: Grid, level: Level, start: Array, scale: float, draw: int) -> Array:
    """The community of each vertex, from a start, as `Rounds.move` finds it."""
    rounds = OwnRounds(grid, level, KERNELS, MOVES, OwnMoveParameters)
    first = OwnMoveParameters(
        **grid.describe_moves(level, start, scale, draw),
        exchange=rounds.begin(),
        around_indptr=level.around.indptr,
        around_indices=level.around.indices,
    )
    rounds.launch("begin_moves", first)
    quiet = False
    for turn in range(MOST_TURNS):
        moved, given = 0, first._replace(rounds=first.rounds._replace(draw=draw + turn))
        for number in range(CLASSES):
            found, _, waited = rounds.exchange("move_own", given, number)
            if number == 0 and quiet and not rounds.world.all_reduce(waited, monoid.lor):
                return first.rounds.of
            if found.exchange.many:
                rounds.launch("apply_moves", found)
            moved += found.exchange.many
        quiet = not moved
    return first.rounds.of
