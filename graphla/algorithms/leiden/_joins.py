"""Parts of communities, many vertices at once: the rounds of the algebra, which all engines follow.

In a round half of the vertices may join. One that is alone proposes the part that gains most among those of its
community that do not move themselves: so whoever joins is next to one that stays, and parts are connected. The vertex,
and the part that it joins, must be well connected to the rest of the community.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.leiden._inside import keep_inside
from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.rounds import Rounds
from graphla.storage.convert import are_equal, expand_rows, tally

Array = Any


class Joins(Rounds):
    """Moves, joins and mergers on an engine."""

    def refine(self, level: Level, members: Array, scale: float, draw: int) -> Array:
        """The part of each vertex, named by one of its vertices, once no vertex joins another part."""
        xp, n = self.xp, level.n
        within, totals = keep_inside(xp, level, members), self.add(level, members, n)[members]
        part, turn, moved = xp.arange(n, dtype="int32"), 0, True
        linked = self.is_linked(within, part, totals, scale)
        while moved:
            halves, before = self.draw_classes(n, ~(draw + turn), np.uint32(2)) == 1, part
            for half in (halves, ~halves):
                part = self.join_some(within, part, totals, half & linked, scale)
            moved, turn = not are_equal(before, part), turn + 1
        return part

    def join_some(self, within: Level, part: Array, totals: Array, wanting: Array, scale: float) -> Array:
        """One round."""
        weights, sizes = self.add_up(within, part)
        movers = wanting & (sizes[part] == 1)
        stays = ~movers & self.is_linked(within, part, totals, scale)
        return self.propose(within, part, weights, movers, stays, scale)

    def is_linked(self, within: Level, part: Array, totals: Array, scale: float) -> Array:
        """Whether as much weight joins each part with the rest of its community as chance would put there.

        `totals` are those of the community of each vertex, and so of the part that is named by it.
        """
        xp, rows, n = self.xp, within.rows, within.n
        tails, heads = part[expand_rows(rows)], part[rows.indices]
        between = within.add_up(tally(tails, n, xp.where(tails != heads, rows.values, 0.0)))
        weights = self.add(within, part, n)
        expected = scale * weights[:, 0] * (totals[:, -1] - weights[:, -1])
        if weights.shape[1] == 2:
            expected = expected + scale * weights[:, 1] * (totals[:, 0] - weights[:, 0])
        return between >= expected
