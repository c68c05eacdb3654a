"""Moves of many vertices at once: the rounds of the algebra, which all engines follow.

In a round half of the vertices, chosen by a hash of their numbers, propose the community that gains most, by what the
communities were before the round; of hubs only an eighth takes part, for many vertices go by where they are. Of two
vertices that are alone only the larger one joins the other, so that they do not swap: any move makes communities fewer
while all vertices are alone. The other half follows, then they are drawn anew. Only vertices that wait take part: at
first all, later those with a neighbour that has moved. All sums are exact, so every engine moves the same vertices.

Where communities are limited in size, a vertex wants none that has no room for it; of those that want one community in
a round the first join until it is full, and the others wait.

Moves of the same round may lower the modularity together. Where those of a level do, vertices move apart instead: of
all that want to move those whose two communities no other one leaves or joins in the round. Then the gains add up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.random_order import mix
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.generators.hashing import derive_state
from graphla.graphs.graph import Graph
from graphla.storage.convert import are_equal, expand_rows, order_stably, tally
from semirings import binary

Array = Any
Propose = Callable[[Level, Array, Array, Array, Array, float], Array]
"""``propose(level, communities, totals, movers, open, scale)``: the community that gains most for each vertex that may
move, among those that are open; its own for all others."""
Move = Callable[[Level, Array, float, int], Array]
"""As the step `move` of a climb."""
Wake = Callable[[Level, Array, Array, Array], None]
"""``wake(level, communities, moved, flags)``: flag the neighbours of those that have moved, in other communities."""
CLASSES = 2
"""Rounds of a turn, and classes of most vertices: a power of two."""
HUB_CLASSES = 8
"""Classes of hubs, a power of two, of which a turn takes the first `CLASSES`."""
HUB = 4
"""A vertex is a hub if it has more than so many times the arcs that vertices have in the mean."""
MOST_TURNS = 40
"""Turns of all classes on a level: later ones move few vertices, which the next level moves faster."""


def count_classes(xp: Any, level: Level) -> Array:
    """Among how many classes each vertex is drawn: uint32; of other ranks' vertices nobody knows it."""
    lengths = xp.diff(level.rows.indptr).astype(np.int64)
    return xp.where(lengths * level.n > HUB * level.entries, HUB_CLASSES, CLASSES).astype(np.uint32)


def find_room(level: Level, community: Array) -> Array:
    """How many vertices of the graph each community may still take in."""
    return level.most - tally(community, level.n, level.sizes)


def pick_sizes(level: Level, vertices: Array) -> Array:
    """How many vertices of the graph each of these is."""
    sizes: Any = level.sizes
    return sizes[vertices]


def choose_move(at_once: Move, by_rounds: Move) -> Move:
    """Moves that are fast, and round by round where communities are limited in size."""
    return lambda level, *given: (by_rounds if level.most else at_once)(level, *given)


def flag_around(level: Level, community: Array, moved: Array, flags: Array) -> None:
    """Flag the neighbours of vertices that have moved, but those of the same community."""
    tails, heads = expand_rows(level.around), level.around.indices
    flags[heads[moved[tails] & (community[tails] != community[heads])]] = True


class Rounds:
    """Moves and mergers on an engine.

    Attributes
    ----------
    engine : Engine
        The engine.
    propose : callable
        How vertices find the community that gains most.
    wake : callable
        How the neighbours of those that have moved are flagged.
    """

    def __init__(self, engine: Any, propose: Propose, wake: Wake | None = None) -> None:
        self.engine, self.xp, self.propose, self.wake = engine, engine.xp, propose, wake or flag_around

    def move(self, level: Level, start: Array, scale: float, draw: int) -> Array:
        """The community of each vertex, from a start, once no vertex gains or after many turns."""
        xp, community, free = self.xp, start, self.find_free(level)
        waits = free.copy()
        classes = count_classes(xp, level)
        for turn in range(MOST_TURNS):
            drawn, before = self.draw_classes(level.n, draw + turn, classes), community
            for one in range(CLASSES):
                community, waits = self.move_waiting(level, community, (drawn == one) & free, waits, scale)
            if are_equal(before, community) and not level.is_any(waits & free):
                break
        return community

    def find_free(self, level: Level) -> Array:
        """Whether each vertex may move."""
        return self.xp.ones(level.n, bool) if level.fixed is None else ~level.fixed

    def move_waiting(
        self, level: Level, community: Array, drawn: Array, waits: Array, scale: float
    ) -> tuple[Array, Array]:
        """One round of those that wait: their communities, and who waits after it.

        A vertex waits again once a neighbour has moved to another community than its own, or if it would have swapped.
        """
        movers = drawn & waits
        wanted, after = self.want(level, community, movers, scale)
        waits = (waits & ~movers) | (wanted != after)
        self.wake(level, after, after != community, waits)
        return after, waits

    def move_apart(self, level: Level, start: Array, scale: float, draw: int) -> Array:
        """The same by moves that touch different communities, until no vertex gains."""
        xp, community, turn = self.xp, start, 0
        free, everyone = self.find_free(level), xp.ones(level.n, bool)
        while True:
            wanted = self.propose(level, community, self.add_up(level, community)[0], free, everyone, scale)
            movers = xp.flatnonzero(wanted != community)
            if not movers.size:
                return community
            movers = self.keep_apart(movers, community[movers], wanted[movers], level.n, draw + turn)
            community = community.copy()
            community[movers], turn = wanted[movers], turn + 1

    def keep_apart(self, movers: Array, own: Array, wanted: Array, n: int, draw: int) -> Array:
        """Those of the movers whose numbers are hashed highest among all that touch their two communities."""
        xp = self.xp
        keys = (mix(xp, movers.astype(np.uint32), derive_state(draw)) >> np.uint32(1)).astype(np.int64) << 32 | movers
        touched, twice = xp.concatenate([own, wanted]), xp.concatenate([keys, keys])
        highest = Vector.from_coo(touched, twice, size=n, dup_op=binary.max, engine=self.engine).to_dense(-1)
        return movers[(highest[own] == keys) & (highest[wanted] == keys)]

    def draw_classes(self, n: int, draw: int, classes: Any) -> Array:
        """The class of each vertex: uint32."""
        return mix(self.xp, self.xp.arange(n, dtype=np.uint32), derive_state(draw)) & (classes - np.uint32(1))

    def want(self, level: Level, community: Array, movers: Array, scale: float) -> tuple[Array, Array]:
        """The communities that movers want, and those that they get: of two that are alone one stays, the fixed one."""
        xp, n = self.xp, level.n
        totals, sizes = self.add_up(level, community)
        if level.fixed is not None:
            sizes = sizes + tally(community[level.fixed], n)
        wanted = self.propose(level, community, totals, movers, xp.ones(n, bool), scale)
        swaps = (sizes[community] == 1) & (sizes[wanted] == 1) & (wanted > community)
        found = xp.where(swaps, community, wanted)
        return wanted, self.admit(level, community, found) if level.most else found

    def admit(self, level: Level, community: Array, wanted: Array) -> Array:
        """The communities after a round in which none becomes too large: of those that want one the first get it."""
        xp = self.xp
        movers = xp.flatnonzero(wanted != community)
        movers = movers[order_stably(wanted[movers])]
        to, sizes = wanted[movers], pick_sizes(level, movers)
        arriving = tally(to, level.n, sizes)
        joined = xp.cumsum(sizes) - (xp.cumsum(arriving) - arriving)[to]
        late = movers[joined > find_room(level, community)[to]]
        wanted[late] = community[late]
        return wanted

    def add_up(self, level: Level, community: Array) -> tuple[Array, Array]:
        """The strengths and sizes of communities."""
        return self.add(level, community, level.n), tally(community, level.n)

    def add(self, level: Level, numbers: Array, count: int) -> Array:
        """The strengths of groups: of shape (count, sides)."""
        xp = self.xp
        sums = [tally(numbers, count, xp.ascontiguousarray(side)) for side in level.strengths.T]
        return xp.ascontiguousarray(xp.stack(sums, 1))

    def merge(self, level: Level, numbers: Array, count: int) -> Level:
        """The level whose vertices are groups: W' = S' W S without its diagonal, where S[v, numbers[v]] = 1."""
        rows = level.rows
        tails, heads = numbers[expand_rows(rows)], numbers[rows.indices]
        there = tails != heads
        W = Matrix.from_coo(
            *(tails[there], heads[there], rows.values[there]),
            nrows=count,
            ncols=count,
            dup_op=binary.plus,
            engine=self.engine,
        )
        return Level(Graph(W).csr, self.add(level, numbers, count), level.total)
