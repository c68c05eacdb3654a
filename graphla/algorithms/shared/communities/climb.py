"""The climb: move vertices between communities, then make each community a vertex, until no two of them join."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphla.algorithms.shared.communities.labels import name_by_smallest, number_by_size, renumber
from graphla.algorithms.shared.communities.level import Level, make_level
from graphla.algorithms.shared.communities.modularity import measure, to_resolution
from graphla.algorithms.shared.seed import to_seed
from graphla.common.arguments import to_int, to_real
from graphla.graphs.graph import Graph
from graphla.problem import Settings as Checked
from graphla.problem import checked

Array = Any
LEVEL_DRAWS, CLIMB_DRAWS = 1 << 16, 1 << 32
"""Seeds that a level may use, and a climb."""
ROUNDING = 1e-12
"""A difference of two modularities that may be rounding: engines add up in different orders."""


def check_levels(value: Any, name: str) -> int | None:
    """A number of levels, or None for as many as there are."""
    return None if value is None else to_int(value, name, 1)


@dataclass(frozen=True)
class Rules(Checked):
    """What the caller asked for."""

    resolution: float = checked(1.0, to_resolution)
    seed: int = checked(0, to_seed)
    threshold: float = checked(0.0, lambda value, name: to_real(value, name, 0.0))
    max_levels: int | None = checked(None, check_levels)

    @property
    def finished(self) -> bool:
        """Whether a climb goes on until no two communities gain if they are joined."""
        return not self.threshold and self.max_levels is None


@dataclass(frozen=True)
class Steps:
    """The steps of a level, as an engine takes them.

    Attributes
    ----------
    move : callable (level, start, scale, draw) -> array
        The community of each vertex after moves that raise modularity; a community is named by one of its vertices.
    move_apart : callable (level, start, scale, draw) -> array, optional
        The same by moves that are sure to raise it, where those of `move` may lower it.
    merge : callable (level, numbers, count) -> Level
        The level above, whose vertices are `count` groups with these numbers.
    refine : callable (level, communities, scale, draw) -> array, optional
        Parts of the communities, which become the vertices of the level above; by default the communities themselves.
    split : callable (G, labels) -> array, optional
        The connected pieces of communities of the whole graph, each named by one of its vertices.
    """

    move: Callable[[Level, Array, float, int], Array]
    merge: Callable[[Level, Array, int], Level]
    refine: Callable[[Level, Array, float, int], Array] | None = None
    move_apart: Callable[[Level, Array, float, int], Array] | None = None
    split: Callable[[Graph, Array], Array] | None = None


@dataclass(frozen=True)
class StepUp:
    """From a level to the one above.

    Attributes
    ----------
    communities : array
        Those of the vertices of the level below.
    places : array
        The vertex of the level above that each of them becomes a part of.
    above : Level
        The level above; that below itself if no two vertices are joined.
    start : array
        The communities of its vertices.
    reached : float
        Their modularity.
    """

    communities: Array
    places: Array
    above: Level
    start: Array
    reached: float


@dataclass(frozen=True)
class Climb:
    """A climb from the graph to its communities.

    Attributes
    ----------
    rules : Rules
        What was asked for.
    steps : Steps
        How.
    iterations : int
        How many climbs, each from the communities of the one before, if they differ.
    """

    rules: Rules
    steps: Steps
    iterations: int = 1

    def run(self, G: Graph) -> Array:
        """The number of the community of each vertex, by `number_by_size`: int32 on the engine.

        Where communities must be connected they are split after each climb; the next one begins with the pieces. After
        the last one the pieces are the vertices of more climbs, until none is split.
        """
        xp, base = G.engine.xp, make_level(G)
        labels = xp.arange(G.n, dtype="int32")
        if not base.total:
            return labels
        draws = itertools.count(self.rules.seed + CLIMB_DRAWS, CLIMB_DRAWS)
        for draw in itertools.islice(draws, self.iterations):
            before = labels
            labels, whole = self.split(G, self.rise(xp, base, before, draw))
            if bool(xp.array_equal(before, labels)):
                break
        while not whole and self.rules.finished:
            numbers, count = renumber(xp, labels)
            above = self.steps.merge(base, numbers, count)
            labels, whole = self.split(G, self.rise(xp, above, xp.arange(count, dtype="int32"), next(draws))[numbers])
        return number_by_size(xp, labels)

    def split(self, G: Graph, found: Array) -> tuple[Array, bool]:
        """The smallest vertex of each community, of its pieces if it must be connected; and if all are whole."""
        xp = G.engine.xp
        numbers, count = renumber(xp, found)
        if self.steps.split is None:
            return name_by_smallest(xp, numbers, count), True
        pieces, wanted = renumber(xp, self.steps.split(G, numbers))
        return name_by_smallest(xp, pieces, wanted), wanted == count

    def rise(self, xp: Any, level: Level, start: Array, draw: int) -> Array:
        """The communities of the vertices of the lowest level, after all levels above it."""
        numbers, found = xp.arange(level.n, dtype="int32"), start
        reached = self.measure(xp, level, start)
        for depth in itertools.count():
            if depth == self.rules.max_levels:
                break
            before, step = reached, self.step_up(xp, level, start, draw + depth * LEVEL_DRAWS, reached)
            found, reached, start = step.communities[numbers], step.reached, step.start
            if step.above is level or (self.rules.threshold and reached - before <= self.rules.threshold):
                break
            numbers, level = step.places[numbers], step.above
        return found

    def step_up(self, xp: Any, level: Level, start: Array, draw: int, before: float) -> StepUp:
        """Moves, and the level above; those that lower the modularity are taken back, and others made that cannot."""
        scale = self.rules.resolution / level.total
        step = self.join(xp, level, self.steps.move(level, start, scale, draw), draw)
        if self.steps.move_apart is None or step.reached >= before - ROUNDING:
            return step
        return self.join(xp, level, self.steps.move_apart(level, start, scale, draw), draw)

    def join(self, xp: Any, level: Level, communities: Array, draw: int) -> StepUp:
        """The level above communities, and their modularity, which is measured there, for it has fewer arcs."""
        places, count, start = self.group(xp, level, communities, draw)
        above = level if count == level.n else self.steps.merge(level, places, count)
        return StepUp(communities, places, above, start, self.measure(xp, above, start))

    def measure(self, xp: Any, level: Level, communities: Array) -> float:
        """The modularity, if it matters."""
        if not self.rules.threshold and self.steps.move_apart is None:
            return 0.0
        return measure(xp, level, renumber(xp, communities)[0], self.rules.resolution)

    def group(self, xp: Any, level: Level, communities: Array, draw: int) -> tuple[Array, int, Array]:
        """The vertex of the next level that each vertex becomes a part of, how many there are, and their communities.

        Those are the refined parts of communities, or communities where refinement joins no two vertices.
        """
        numbers, count = renumber(xp, communities)
        if self.steps.refine is not None:
            members = name_by_smallest(xp, numbers, count)
            parts = self.steps.refine(level, members, self.rules.resolution / level.total, draw)
            places, wanted = renumber(xp, parts)
            if wanted < level.n:
                start = xp.empty(wanted, "int32")
                start[places] = places[members]
                return places, wanted, start
        return numbers, count, xp.arange(count, dtype="int32")
