"""Moves on a level by one launch: a cooperative grid takes turns until no vertex gains, and the host reads nothing.

What of the rounds changes from problem to problem, and what moves do beside, is in `parallel.cuh`; joins of Leiden's
refinement go by the same rounds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.device_labels import DeviceLabels
from graphla.algorithms.shared.communities.level import LEAST_GAIN, Level
from graphla.algorithms.shared.communities.rounds import find_room
from graphla.engine.cuda.blocks import launch_over
from graphla.engine.cuda.records import read_struct

Array = Any
THREADS = 512
WARP_ROW = 64
"""Entries of a row that a warp adds up in shared memory."""
BLOCK_ROW = THREADS // 32 * WARP_ROW
"""Entries of a row that a block adds up in shared memory; the table of a longer row is in global memory."""
COUNTS = 15
"""Numbers that the blocks of a grid count: five in each of three sets."""
KERNELS = Path(__file__).with_name("parallel.cuh")
PROPOSE = KERNELS.with_name("propose.cuh")
MoveParameters = read_struct(KERNELS, "MoveParameters")
LevelParameters = read_struct(KERNELS, "LevelParameters")
RoundParameters = read_struct(KERNELS, "RoundParameters")
ProposeParameters = read_struct(PROPOSE, "ProposeParameters")


class Grid:
    """Launches over the rows of a level; what they need of it is kept until another level comes.

    Attributes
    ----------
    engine : CudaEngine
        The engine.
    """

    def __init__(self, engine: Any) -> None:
        self.engine, self.xp, self.level = engine, engine.xp, None
        self.barrier, self.labels = self.xp.zeros(1, np.uint32), DeviceLabels(engine)

    def begin(self, offset: str) -> None:
        """Begin to compile what a climb needs, all of it at the same time, for rows with offsets of a type."""
        self.labels.begin()
        self.engine.lists.begin("transpose", "flags")
        self.engine.begin(KERNELS, f"move<{offset}>", cooperative=True)

    def move(self, level: Level, start: Array, scale: float, draw: int) -> Array:
        """The community of each vertex, from a start, as `Rounds.move` finds it."""
        return self.run_moves("move", level, start, scale, draw)

    def move_apart(self, level: Level, start: Array, scale: float, draw: int) -> Array:
        """The same by moves that touch different communities, as `Rounds.move_apart` finds it."""
        return self.run_moves("move_apart", level, start, scale, draw)

    def propose(self, level: Level, community: Array, totals: Array, movers: Array, open: Array, scale: float) -> Array:
        """The community that gains most for each vertex that may move, its own for the others, as in `Algebra`."""
        about = self.describe(level, scale, 0)
        rounds = about["rounds"]._replace(of=community, totals=totals)
        none = self.engine.get_unread("double")
        sizes, room = (level.sizes, find_room(level, community)) if level.most else (none, none)
        limits = {"limited": bool(level.most), "sizes": sizes, "room": room}
        given = ProposeParameters(level=about["level"], rounds=rounds, movers=movers, open=open, **limits)
        self.launch(PROPOSE, "propose", ProposeParameters, given)
        return rounds.wanted

    def wake(self, level: Level, community: Array, moved: Array, flags: Array) -> None:
        """Flag the neighbours of vertices that have moved, but those of the same community."""
        rows = level.around
        kernel = self.engine.kernel(PROPOSE, f"flag_neighbors<{self.engine.c_type(rows.indptr)}>")
        launch_over(kernel, level.n, (np.int32(level.n), rows.indptr, rows.indices, community, moved, flags))

    def merge(self, level: Level, numbers: Array, count: int) -> Level:
        """The level whose vertices are groups, as `Rounds.merge` finds it."""
        strengths = self.labels.add_strengths(numbers, count, level.strengths)
        return Level(self.labels.merge(level.rows, numbers, count), strengths, level.total)

    def run_moves(self, name: str, level: Level, start: Array, scale: float, draw: int) -> Array:
        """Launch a kernel of moves."""
        highest = self.xp.empty(level.n if name == "move_apart" else 1, np.int64)
        given = MoveParameters(**self.describe_moves(level, start, scale, draw), highest=highest)
        return self.launch(KERNELS, name, MoveParameters, given)

    def describe_moves(self, level: Level, start: Array, scale: float, draw: int) -> dict[str, Any]:
        """What kernels of moves take."""
        fixed = level.fixed
        return {
            **self.describe(level, scale, draw),
            "origin": start,
            "waits": self.xp.empty(level.n, bool),
            "limited": fixed is not None,
            "fixed": self.engine.get_unread("bool") if fixed is None else fixed,
        }

    def launch(self, file: Path, name: str, takes: Any, given: Any, beside: tuple[str, ...] = ()) -> Array:
        """Launch a kernel of rounds, with a warp for each row if so many run at once; the groups that it finds."""
        level = given.level
        own, *others = (f"{each}<{self.engine.c_type(level.indptr)}>" for each in (name, *beside))
        kernel = self.engine.kernel(file, own, cooperative=True, takes=takes, beside=tuple(others))
        kernel(min(kernel.resident_blocks(THREADS), -(-level.n // (THREADS // 32))), THREADS, given)
        return given.rounds.of

    def describe(self, level: Level, scale: float, draw: int) -> dict[str, Any]:
        """What all kernels of rounds take: the level, and arrays of groups."""
        xp, n, rows = self.xp, level.n, level.rows
        self.make_tables(level)
        about = LevelParameters(
            n=n,
            sides=level.strengths.shape[1],
            entries=level.entries,
            indptr=rows.indptr,
            indices=rows.indices,
            values=rows.values,
            strengths=level.strengths,
            scale=scale,
            least=LEAST_GAIN,
        )
        rounds = RoundParameters(
            of=xp.empty(n, np.int32),
            wanted=xp.empty(n, np.int32),
            totals=xp.zeros(level.strengths.shape),
            sizes=xp.zeros(n, np.int32),
            queue=xp.empty(2 * n, np.int32),
            keys=self.keys,
            sums=self.sums,
            counts=xp.zeros(COUNTS, np.uint64),
            barrier=self.barrier,
            draw=draw,
        )
        return {"level": about, "rounds": rounds}

    def make_tables(self, level: Level) -> None:
        """Make room for the tables of the longest rows."""
        if self.level is level:
            return
        slots = 2 * self.labels.count_long(level.rows.indptr, BLOCK_ROW) if level.n > BLOCK_ROW else 0
        self.keys, self.sums = self.xp.empty(slots, np.int32), self.xp.empty(slots)
        self.level = level
