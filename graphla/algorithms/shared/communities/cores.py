"""The rounds of moves on the cores of a CPU: those of `Rounds`, over lists of the vertices that wait.

The vertices of a round propose on all cores, each core with a table of weights by community; then they move. Sums are
exact, and are kept up to date by those that move.
"""

# pyright: reportCallIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.level import LEAST_GAIN, Level
from graphla.algorithms.shared.communities.queue import add_near, add_strengths
from graphla.algorithms.shared.communities.rounds import CLASSES, MOST_TURNS, count_classes, find_room
from graphla.algorithms.shared.random_order import HASH_FIRST, HASH_SECOND
from graphla.engine.cpu.atomic import fetch_and_add
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import WORTH_A_THREAD, count_workers, run_for_each
from graphla.graphs.generators.hashing import derive_state

Array = Any
TAKEN = 256
"""Vertices that a core takes at a time."""
EVERYWHERE, UNLIMITED = np.empty(0, np.bool_), (np.empty(0), np.empty(0))
"""All communities are open, and have room for all."""


def measure(rows: Any, movers: Array) -> float:
    """The microseconds, about, that Python takes for the rows of movers, if these are as long as the others."""
    return len(movers) * (1.5 + 0.5 * len(rows[1]) / (len(rows[0]) - 1))


@inner()
def draw(v, state):  # type: ignore[no-untyped-def]
    """The hash of a vertex, as `mix` has it."""
    mask = np.uint64(0xFFFFFFFF)
    x = np.uint64(v) ^ state
    x = ((x ^ (x >> np.uint64(16))) * np.uint64(HASH_FIRST)) & mask
    x = ((x ^ (x >> np.uint64(15))) * np.uint64(HASH_SECOND)) & mask
    return x ^ (x >> np.uint64(16))


@inner()
def find_gain(strengths, totals, v, c, weight, scale, own):  # type: ignore[no-untyped-def]
    """The weight between a vertex and a community beyond that of chance, the vertex left out of its own."""
    last = strengths.shape[1] - 1
    share = 0.0
    for side in range(last + 1):
        total = totals[c, last - side]
        if own:
            total -= strengths[v, last - side]
        share += scale * strengths[v, side] * total
    return weight - share


@inner()
def choose(strengths, totals, v, own, count, near, seen, scale, is_open, sizes, room):  # type: ignore[no-untyped-def]
    """The smallest of the open communities that gain most; its own unless one gains more; `near` is zero again.

    Of no elements, `is_open` opens all, and `room` is enough in each for vertices of all sizes.
    """
    most = find_gain(strengths, totals, v, own, near[own], scale, True)
    most += LEAST_GAIN * (strengths[v, 0] + strengths[v, strengths.shape[1] - 1])
    best, found = own, False
    for i in range(count):
        c = seen[i]
        if near[c] >= most and c != own and (len(is_open) == 0 or is_open[c]):  # chance takes off no less than nothing
            gain = find_gain(strengths, totals, v, c, near[c], scale, False)
            better = gain > most or (found and gain == most and c < best)
            if better and (len(room) == 0 or sizes[v] <= room[c]):
                best, most, found = c, gain, True
        near[c] = 0.0
    near[own] = 0.0
    return best


@compile_late(0.5, lambda taken, rows, *given: measure(rows, given[3]), views=True)
def propose_some(  # type: ignore[no-untyped-def]
    taken, rows, strengths, totals, community, movers, wanted, near, seen, scale, is_open, sizes, room
):
    """What movers want, `TAKEN` of them at a time until all are taken."""
    indptr, indices, values = rows
    begin = fetch_and_add(taken, 0, TAKEN)
    while begin < len(movers):
        for i in range(begin, min(begin + TAKEN, len(movers))):
            v = movers[i]
            count = add_near(indptr, indices, values, community, v, near, seen)
            wanted[i] = choose(strengths, totals, v, community[v], count, near, seen, scale, is_open, sizes, room)
        begin = fetch_and_add(taken, 0, TAKEN)


@compile_late(0.2, lambda rows, *given: measure(rows, given[4]) / 5, views=True)
def move_some(rows, strengths, totals, sizes, community, movers, wanted, waits, pending, kept):  # type: ignore[no-untyped-def]
    """Move, and let the neighbours wait; the first `kept` of `pending` wait already, and it has room for all and one.

    Return how many wait and have moved.
    """
    indptr, indices = rows[0], rows[1]
    moved = 0
    for i in range(len(movers)):
        v, to = movers[i], wanted[i]
        own = community[v]
        if to > own and sizes[own] == 1 and sizes[to] == 1:
            pending[kept] = v
            kept += 1
            continue
        waits[v] = False
        if to != own:
            movers[moved], wanted[moved] = v, to
            moved += 1
    for i in range(moved):
        v, to = movers[i], wanted[i]
        own = community[v]
        sizes[own] -= 1
        sizes[to] += 1
        for side in range(strengths.shape[1]):
            totals[own, side] -= strengths[v, side]
            totals[to, side] += strengths[v, side]
        community[v] = to
    for i in range(moved):
        v = movers[i]
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            wakes = not waits[u] and community[u] != community[v]
            waits[u] |= wakes
            pending[kept] = u
            kept += wakes
    return kept, moved


@compile_late(0.1, lambda indptr, indices, *_: 0.05 * (len(indptr) + len(indices)), views=True)
def flag_neighbors(indptr, indices, community, moved, flags):  # type: ignore[no-untyped-def]
    """Flag the neighbours of vertices that have moved, but those of the same community."""
    for v in range(len(moved)):
        if moved[v]:
            for k in range(indptr[v], indptr[v + 1]):
                if community[indices[k]] != community[v]:
                    flags[indices[k]] = True


@compile_late(0.1, lambda indptr, pending, count, *_: 1.5 * count, views=True)
def take_class(indptr, pending, count, state, classes, one, movers):  # type: ignore[no-untyped-def]
    """Take the vertices of a class from `pending` to `movers`: how many are left and taken, and the arcs of those."""
    left, taken, work = 0, 0, 0
    for i in range(count):
        v = pending[i]
        moves = draw(v, state) & np.uint64(classes[v] - 1) == np.uint64(one)
        movers[taken] = pending[left] = v
        taken, left = taken + moves, left + (not moves)
        work += moves * (indptr[v + 1] - indptr[v])
    return left, taken, work


def make_tables(n: int) -> list[tuple[Array, Array]]:
    """For each core weights by community, all zero, and room for the communities around a vertex."""
    return [(np.zeros(n), np.empty(n, np.int32)) for _ in range(count_workers())]


class Cores:
    """Moves on a level: a call of `Rounds.move`, on all cores."""

    def __init__(self, level: Level, start: Array, scale: float) -> None:
        n, rows = level.n, level.rows
        self.rows = rows.indptr, rows.indices, rows.values
        self.level, self.scale, self.community = level, scale, start.copy()
        self.totals, self.sizes = add_strengths(level, start, n), np.bincount(start, minlength=n)
        self.waits, self.count = np.ones(n, bool), n
        self.pending, self.movers, self.wanted = np.arange(n + 1, dtype=np.int32), *np.empty((2, n), np.int32)
        if level.fixed is not None:
            self.count = int((~level.fixed).sum())
            self.pending[: self.count] = np.flatnonzero(~level.fixed)
            self.sizes += np.bincount(start[level.fixed], minlength=n)
        self.tables, self.classes = make_tables(n), count_classes(np, level)

    def turn(self, state: int) -> int:
        """One class after the other; return how many have moved."""
        return sum(self.move_class(state, one) for one in range(CLASSES))

    def move_class(self, state: int, one: int) -> int:
        """One round."""
        given = self.rows[0], self.pending, self.count, np.uint64(state & 0xFFFFFFFF), self.classes, one, self.movers
        left, taken, work = take_class(*given)
        movers, wanted = self.movers[:taken], self.wanted[:taken]
        self.propose(movers, wanted, work)
        places = self.rows, self.level.strengths, self.totals, self.sizes, self.community
        self.count, moved = move_some(*places, movers, wanted, self.waits, self.pending, left)
        return moved

    def propose(self, movers: Array, wanted: Array, work: int) -> None:
        """What movers want."""
        level = self.rows, self.level.strengths, self.totals, self.community
        propose_on_cores(self.tables, work, level, movers, wanted, self.scale, EVERYWHERE, UNLIMITED)


def propose_on_cores(
    tables: list[Any], work: int, level: Any, movers: Array, wanted: Array, scale: float, is_open: Array, limits: Any
) -> None:
    """What movers want, of communities that are open and have room; `work` is how many arcs they have."""
    taken = np.zeros(1, np.int64)

    def take(table: Any) -> None:
        propose_some(taken, *level, movers, wanted, *table, scale, is_open, *limits)

    run_for_each(take, tables[: 1 if work < WORTH_A_THREAD else None])


def propose(level: Level, community: Array, totals: Array, movers: Array, open: Array, scale: float) -> Array:
    """The community that gains most for each vertex that may move, its own for the others, as in `Algebra`."""
    rows, at = level.rows, np.flatnonzero(movers).astype(np.int32)
    found, given = np.empty(at.size, np.int32), (level.strengths, totals, community)
    arrays = rows.indptr, rows.indices, rows.values
    limits = (level.sizes, find_room(level, community)) if level.most else UNLIMITED
    propose_on_cores(make_tables(level.n), rows.nvals, (arrays, *given), at, found, scale, open, limits)
    wanted = community.copy()
    wanted[at] = found
    return wanted


def wake(level: Level, community: Array, moved: Array, flags: Array) -> None:
    """Flag the neighbours of vertices that have moved, as `Rounds` does."""
    flag_neighbors(level.around.indptr, level.around.indices, community, moved, flags)


def move(level: Level, start: Array, scale: float, draw: int) -> Array:
    """The community of each vertex, from a start, as `Rounds.move` finds it."""
    cores = Cores(level, start, scale)
    for turn in range(MOST_TURNS):
        if not cores.turn(derive_state(draw + turn)) and not cores.count:
            break
    return cores.community
