"""Parts of communities by one launch: the rounds of `Joins`, by a cooperative grid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphla.algorithms.components import afforest
from graphla.algorithms.shared.communities.grid import Grid
from graphla.algorithms.shared.communities.level import Level
from graphla.engine.cuda.entries.select import begin_rule
from graphla.engine.cuda.records import read_struct

Array = Any
KERNELS = Path(__file__).with_name("joins.cuh")
JoinParameters = read_struct(KERNELS, "JoinParameters")


class JoinGrid(Grid):
    """Moves and joins by one launch each."""

    def begin(self, offset: str) -> None:
        super().begin(offset)
        self.engine.begin(KERNELS, f"join<{offset}>", cooperative=True)
        afforest.begin(self.engine, offset)
        begin_rule(self.engine, offset, "double", "Flagged")

    def refine(self, level: Level, members: Array, scale: float, draw: int) -> Array:
        """The part of each vertex, named by one of its vertices, as `Joins.refine` finds it."""
        given = JoinParameters(**self.describe_joins(level, members, scale, draw))
        return self.launch(KERNELS, "join", JoinParameters, given)

    def describe_joins(self, level: Level, members: Array, scale: float, draw: int) -> dict[str, Any]:
        """What kernels of joins take."""
        xp, n = self.xp, level.n
        return {
            **self.describe(level, scale, draw),
            "members": members,
            "whole": xp.zeros(level.strengths.shape),
            "outside": xp.empty(n),
            "between": xp.empty(n),
            "linked": xp.empty(n, bool),
            "open": xp.empty(n, bool),
        }
