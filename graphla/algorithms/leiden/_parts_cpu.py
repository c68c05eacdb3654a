"""Parts of communities on the cores of a CPU: the rounds of `Joins`, over a list of the vertices that are alone.

The strengths of parts, and the weights between them and the rest of their communities, follow each vertex that joins.
"""

# pyright: reportCallIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.leiden._refine import find_rest
from graphla.algorithms.shared.communities.cores import TAKEN, UNLIMITED, choose, make_tables, measure, take_class
from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.queue import add_inside, add_strengths, add_weight
from graphla.engine.cpu.atomic import fetch_and_add
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import WORTH_A_THREAD, run_for_each, run_over_rows
from graphla.graphs.generators.hashing import derive_state

Array = Any


@compile_late(0.1, lambda strengths, totals, members, *_: 1.5 * len(members), views=True)
def open_parts(strengths, totals, members, outside, weights, is_open, scale):  # type: ignore[no-untyped-def]
    """Whether as much weight joins each part with the rest of its community as chance would put there."""
    for p in range(len(members)):
        is_open[p] = outside[p] >= find_rest(weights, p, totals, members[p], scale)


@compile_late(0.2, lambda taken, rows, *given: measure(rows, given[4]) / 3, views=True)
def propose_parts(  # type: ignore[no-untyped-def]
    taken, rows, strengths, weights, members, part, movers, wanted, near, seen, scale, is_open, sizes, room
):
    """The parts that movers want, `TAKEN` of them at a time until all are taken."""
    indptr, indices, values = rows
    begin = fetch_and_add(taken, 0, TAKEN)
    while begin < len(movers):
        for i in range(begin, min(begin + TAKEN, len(movers))):
            v, count = movers[i], 0
            for k in range(indptr[v], indptr[v + 1]):
                together, p = members[indices[k]] == members[v], part[indices[k]]
                seen[count] = p
                count += together and near[p] == 0.0
                near[p] += values[k] * together
            wanted[i] = choose(strengths, weights, v, v, count, near, seen, scale, is_open, sizes, room)
        begin = fetch_and_add(taken, 0, TAKEN)


@compile_late(0.25, lambda rows, *given: measure(rows, given[8]) / 6, views=True)
def join_some(
    rows, strengths, totals, members, part, alone, outside, weights, is_open, movers, wanted, pending, kept, scale
):  # type: ignore[no-untyped-def]
    """Join the parts that are wanted, and open or close these; return how many are alone still, and have joined."""
    indptr, indices, values = rows
    joined = 0
    for i in range(len(movers)):
        v, p = movers[i], wanted[i]
        if p == v:
            pending[kept] = v
            kept += 1
            continue
        between = 0.0
        for k in range(indptr[v], indptr[v + 1]):
            between += values[k] * (part[indices[k]] == p)
        part[v], alone[v], alone[p] = p, False, False
        add_weight(weights, p, strengths, v, 1.0)
        outside[p] += outside[v] - 2 * between
        joined += 1
    for i in range(len(movers)):
        p = wanted[i]
        is_open[p] = outside[p] >= find_rest(weights, p, totals, members[p], scale)
    return kept, joined


@compile_late(0.05, lambda alone, pending, count: 0.1 * count, views=True)
def keep_alone(alone, pending, count):  # type: ignore[no-untyped-def]
    """Keep those of a list that are alone; return how many."""
    kept = 0
    for i in range(count):
        if alone[pending[i]]:
            pending[kept] = pending[i]
            kept += 1
    return kept


class Parts:
    """The parts of a level's communities."""

    def __init__(self, level: Level, members: Array, scale: float) -> None:
        n, rows = level.n, level.rows
        self.rows, self.level, self.scale = (rows.indptr, rows.indices, rows.values), level, scale
        self.members, self.totals = members, add_strengths(level, members, n)
        self.part, self.alone = np.arange(n, dtype=np.int32), np.ones(n, bool)
        self.weights, self.outside, self.open = level.strengths.copy(), np.empty(n), np.empty(n, bool)
        run_over_rows(add_inside, rows.indptr, rows.nvals, self.rows, members, self.outside)
        open_parts(level.strengths, self.totals, members, self.outside, self.weights, self.open, scale)
        self.pending, self.movers, self.wanted = (
            np.flatnonzero(self.open).astype(np.int32),
            np.empty(n, np.int32),
            np.empty(n, np.int32),
        )
        self.count, self.tables, self.halves = self.pending.size, make_tables(n), np.full(n, 2, np.uint32)

    def join_half(self, state: int, one: int) -> int:
        """One round; return how many have joined."""
        self.count = keep_alone(self.alone, self.pending, self.count)
        given = self.rows[0], self.pending, self.count, np.uint64(state & 0xFFFFFFFF), self.halves, one, self.movers
        left, taken, work = take_class(*given)
        movers, wanted = self.movers[:taken], self.wanted[:taken]
        self.open[movers] = False
        self.propose(movers, wanted, work)
        self.open[movers] = True
        places = self.rows, self.level.strengths, self.totals, self.members, self.part, self.alone
        sums = self.outside, self.weights, self.open
        self.count, joined = join_some(*places, *sums, movers, wanted, self.pending, left, self.scale)
        return joined

    def propose(self, movers: Array, wanted: Array, work: int) -> None:
        """The parts that movers want."""
        taken = np.zeros(1, np.int64)
        level = self.rows, self.level.strengths, self.weights, self.members, self.part

        def take(table: Any) -> None:
            propose_parts(taken, *level, movers, wanted, *table, self.scale, self.open, *UNLIMITED)

        run_for_each(take, self.tables[: 1 if work < WORTH_A_THREAD else None])


def refine(level: Level, members: Array, scale: float, draw: int) -> Array:
    """The part of each vertex, named by one of its vertices, as `Joins.refine` finds it."""
    parts, turn, joined = Parts(level, members, scale), 0, 1
    while joined:
        state = derive_state(~(draw + turn))
        joined = parts.join_half(state, 1) + parts.join_half(state, 0)
        turn += 1
    return parts.part
