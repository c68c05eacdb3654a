"""Parts of communities, one vertex after the other: vertices that are alone join the part that gains most."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.leiden._inside import keep_inside
from graphla.algorithms.shared.communities.level import LEAST_GAIN, Level
from graphla.algorithms.shared.communities.queue import add_near, add_strengths, add_weight, find_share, shuffle
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late

Array = Any


@inner()
def find_rest(strengths, v, totals, c, scale):  # type: ignore[no-untyped-def]
    """The weight that chance would put between v and the rest of c, to which it belongs."""
    last = strengths.shape[1] - 1
    share = 0.0
    for side in range(last + 1):
        share += scale * strengths[v, side] * (totals[c, last - side] - strengths[v, last - side])
    return share


@compile_late(0.3, lambda indptr, indices, *_: 5 * len(indptr) + len(indices), views=True)
def join_all(  # type: ignore[no-untyped-def]
    indptr, indices, values, strengths, totals, community, order, outside, scale, part, weights, alone, near, seen
):
    """Find the part of each vertex, at first itself; `outside` holds the weight from each part to its community."""
    for v in order:
        c = community[v]
        if not alone[v] or outside[v] < find_rest(strengths, v, totals, c, scale):
            continue
        count = add_near(indptr, indices, values, part, v, near, seen)
        best, most, weight = v, LEAST_GAIN * (strengths[v, 0] + strengths[v, strengths.shape[1] - 1]), 0.0
        for i in range(count):
            p = seen[i]
            gain = near[p] - find_share(strengths, weights, v, p, scale)
            if gain > most and outside[p] >= find_rest(weights, p, totals, c, scale):
                best, most, weight = p, gain, near[p]
        for i in range(count):
            near[seen[i]] = 0.0
        if best != v:
            part[v], alone[v], alone[best] = best, False, False
            add_weight(weights, best, strengths, v, 1.0)
            outside[best] += outside[v] - 2 * weight


def refine(level: Level, members: Array, scale: float, draw: int) -> Array:
    """The part of each vertex, named by one of its vertices."""
    within, n = keep_inside(np, level, members), level.n
    rows = within.rows
    outside = np.zeros(n) + np.bincount(np.repeat(np.arange(n), np.diff(rows.indptr)), rows.values, n)
    totals, order = add_strengths(level, members, n), shuffle(n, ~draw)
    given = rows.indptr, rows.indices, rows.values, level.strengths, totals, members, order, outside, scale
    part = np.arange(n, dtype=np.int32)
    join_all(*given, part, level.strengths.copy(), np.ones(n, np.bool_), np.zeros(n), np.empty(n, np.int32))
    return part
