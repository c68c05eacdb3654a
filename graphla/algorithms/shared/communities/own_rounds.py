"""Rounds on a level whose rows are spread over ranks, by launches that each rank makes for its own vertices.

In a round a rank lists those of its vertices that move, the ranks gather the lists, and each takes in all moves. What
is known of groups follows the moves; what is done for all vertices is done once a level. The host learns how many
vertices have moved, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.grid import THREADS, Grid
from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.rounds import CLASSES, MOST_TURNS
from graphla.engine.cuda.records import read_struct
from semirings import monoid

Array = Any
Launch = Callable[[str, Any], None]
KERNELS = Path(__file__).with_name("own_moves.cuh")
MOVES = "begin_moves", "move_own", "move_told"
OwnMoveParameters = read_struct(KERNELS, "OwnMoveParameters")
ToldParameters = read_struct(KERNELS, "ToldParameters")
NUMBERS = 3
"""Numbers that a round counts."""


class OwnRounds:
    """What the ranks tell each other on a level.

    Attributes
    ----------
    launch : callable (name, record)
        Launches a kernel; the record has the part `told`.
    own, numbers : array
        The moves of this rank, and how many they are.
    """

    def __init__(self, engine: Any, level: Level, launch: Launch) -> None:
        self.world, self.launch = level.slots.ranks.world, launch
        self.xp, self.device = engine.xp, engine.device
        self.own = engine.xp.empty(level.slots.own, np.int64)
        self.numbers = engine.xp.zeros(NUMBERS, np.uint64)

    def begin(self) -> Any:
        """The record of what is told, before the first round."""
        return ToldParameters(number=0, own=self.own, numbers=self.numbers, count=0, told=self.own)

    def tell(self, name: str, given: Any, number: int) -> tuple[Any, int, bool]:
        """Let own vertices of a class move.

        Returns
        -------
        given : record
            With the moves of all ranks.
        count : int
            Moves of this rank, the first of `own`.
        waited : bool
            Whether one of its vertices waited before.
        """
        self.launch(name, given._replace(told=given.told._replace(number=number)))
        count, waited, _ = self.device.to_host(self.numbers).tolist()
        told = self.world.all_gather(self.own[:count])
        return given._replace(told=given.told._replace(told=told, count=told.size)), count, bool(waited)


def make_launch(engine: Any, level: Level, file: Path, names: tuple[str, ...], takes: Any) -> Launch:
    """A function that launches a kernel of a file, with a warp for each row if so many run at once."""
    offset = engine.c_type(level.rows.indptr)

    def launch(name: str, given: Any) -> None:
        beside = tuple(f"{each}<{offset}>" for each in names)
        kernel = engine.kernel(file, f"{name}<{offset}>", cooperative=True, takes=takes, beside=beside)
        kernel(min(kernel.resident_blocks(THREADS), -(-level.n // (THREADS // 32))), THREADS, given)

    return launch


def begin(engine: Any, file: Path, names: tuple[str, ...], offset: str) -> None:
    """Begin to compile kernels, for rows with offsets of a type."""
    engine.begin(file, *(f"{name}<{offset}>" for name in names), cooperative=True)


def move(grid: Grid, level: Level, start: Array, scale: float, draw: int) -> Array:
    """The community of each vertex, from a start, as `Rounds.move` finds it."""
    around, moves = level.around, grid.describe_moves(level, start, scale, draw)
    rounds = OwnRounds(grid.engine, level, make_launch(grid.engine, level, KERNELS, MOVES, OwnMoveParameters))
    about = {"told": rounds.begin(), "around_indptr": around.indptr, "around_indices": around.indices}
    first, quiet = OwnMoveParameters(**moves, **about), False
    rounds.launch("begin_moves", first)
    for turn in range(MOST_TURNS):
        moved, given = 0, first._replace(rounds=first.rounds._replace(draw=draw + turn))
        for number in range(CLASSES):
            told, _, waited = rounds.tell("move_own", given, number)
            if number == 0 and quiet and not rounds.world.all_reduce(waited, monoid.lor):
                return first.rounds.of
            if told.told.count:
                rounds.launch("move_told", told)
            moved += told.told.count
        quiet = not moved
    return first.rounds.of
