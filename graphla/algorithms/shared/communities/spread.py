"""A level whose rows are spread over ranks: each holds those of its own vertices, and all else of the level.

Each rank decides what its own vertices do, and tells the others of those that move: so the communities are those of one
process. A level of few arcs is whole on every rank, which finishes it alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.climb import Climb, Steps
from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.rounds import Propose
from graphla.algorithms.shared.communities.row_shares import share_out
from graphla.containers.vector import Vector
from graphla.storage.convert import expand_rows

Array = Any
SHIFT, LOW = 32, 0xFFFFFFFF


def merge(merge_own: Callable[[Level, Array, int], Level], level: Level, numbers: Array, count: int) -> Level:
    """The level whose vertices are groups: each rank merges its own rows, and the sums go to those that own them."""
    own = merge_own(level, numbers, count)
    entries = expand_rows(own.rows), own.rows.indices, own.rows.values
    rows, slots = share_out(level.slots.ranks, entries, count)
    return Level(rows, own.strengths, level.total, slots=slots)


def share(propose: Propose) -> Propose:
    """The proposals of all ranks, by what each computes for its own vertices."""

    def propose_all(level: Level, community: Array, totals: Array, movers: Array, open: Array, scale: float) -> Array:
        slots = level.slots
        xp, first, last = slots.ranks.xp, slots.first, slots.last
        own = xp.zeros(level.n, bool)
        own[first:last] = movers[first:last]
        wanted = propose(level, community, totals, own, open, scale)
        at = xp.flatnonzero(wanted != community)
        told = slots.ranks.world.all_gather(at.astype(np.int64) << SHIFT | wanted[at])
        found = community.copy()
        found[told >> SHIFT] = (told & LOW).astype(np.int32)
        return found

    return propose_all


def choose_steps(alone: Steps, together: Steps) -> Steps:
    """The steps of one process on levels that are whole, and those of all ranks on others."""

    def choose(name: str) -> Any:
        one, many = getattr(alone, name), getattr(together, name)
        return one and (lambda level, *rest: (many if level.slots else one)(level, *rest))

    return Steps(**{field.name: choose(field.name) for field in fields(Steps)})


def climb(G: Any, rising: Climb) -> tuple[Vector, Array | None]:
    """What a climb of all ranks finds: the labels in parts, and those of levels, whole on each rank."""
    labels, levels = rising.run(G)
    return Vector.from_dense(labels, engine=G.engine), levels
