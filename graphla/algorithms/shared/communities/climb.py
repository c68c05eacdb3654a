"""The climb: move vertices between communities, then make each community a vertex, until no two of them join."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from graphla.algorithms.shared.communities.labels import (
    count_up,
    lift,
    name_by_smallest,
    number_by_size,
    pick,
    renumber,
    to_labels,
)
from graphla.algorithms.shared.communities.level import Level, make_level
from graphla.algorithms.shared.communities.modularity import measure, to_resolution
from graphla.algorithms.shared.communities.null_models import QUALITIES, weigh
from graphla.algorithms.shared.seed import to_seed
from graphla.common.arguments import to_int, to_real
from graphla.common.errors import InvalidOption
from graphla.graphs.graph import Graph
from graphla.problem import Settings as Checked
from graphla.problem import checked, choice, flag
from graphla.storage.convert import are_equal, is_any, tally

Array = Any
LEVEL_DRAWS, CLIMB_DRAWS = 1 << 16, 1 << 32
"""Seeds that a level may use, and a climb."""
ROUNDING = 1e-12
"""A difference of two modularities that may be rounding: engines add up in different orders."""


def check_most(value: Any, name: str) -> int | None:
    """A number of one or more, or None for as many as there are."""
    return None if value is None else to_int(value, name, 1)


@dataclass(frozen=True)
class Rules(Checked):
    """What the caller asked for."""

    resolution: float = checked(1.0, to_resolution)
    seed: int = checked(0, to_seed)
    threshold: float = checked(0.0, lambda value, name: to_real(value, name, 0.0))
    max_levels: int | None = checked(None, check_most)
    quality: str = choice(*QUALITIES)
    max_community_size: int | None = checked(None, check_most)
    levels: bool = flag()
    start: Array | None = None
    fixed: Array | None = None

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Self:
        """Check the options; those that speak of vertices become arrays on the engine: numbers from 0 on, truths."""
        rules = super().resolve(G, {name: asked[name] for name in asked if name not in ("start", "fixed")})
        if asked["start"] is None and asked["fixed"] is None:
            return rules
        start = None if asked["start"] is None else read_start(G, asked["start"], rules.max_community_size)
        fixed = None if asked["fixed"] is None else read_fixed(G, asked["fixed"])
        return replace(rules, start=start, fixed=fixed if fixed is not None and is_any(fixed) else None)

    def on_host(self) -> Self:
        """The same with arrays of NumPy."""
        parts = {name: each.get() for name in ("start", "fixed") if hasattr(each := getattr(self, name), "get")}
        return replace(self, **parts)

    @property
    def finished(self) -> bool:
        """Whether a climb goes on until no two communities gain if they are joined."""
        return not self.threshold and self.max_levels is None


def read_start(G: Graph, labels: Any, most: int | None) -> Array:
    """The numbers of the communities to begin with."""
    xp = G.engine.xp
    numbers = xp.unique(to_labels(G, labels, "start"), return_inverse=True)[1].reshape(-1).astype("int32")
    largest = int(tally(numbers, numbers.size).max()) if numbers.size else 0
    if most is not None and largest > most:
        raise InvalidOption(f"max_community_size={most}: start= has a community of {largest:,} vertices")
    return numbers


def read_fixed(G: Graph, fixed: Any) -> Array:
    """Whether each vertex is among those that a caller names, or marks by a truth for each."""
    if getattr(getattr(fixed, "dtype", None), "kind", "") == "b" and getattr(fixed, "shape", None) == (G.n,):
        truths, xp = fixed.to_dense(False) if hasattr(fixed, "to_dense") else fixed, G.engine.xp
        return xp.asarray(truths.get() if xp is np and hasattr(truths, "get") else truths)
    found = G.engine.xp.zeros(G.n, bool)
    found[G.engine.xp.asarray(G.vertices(fixed, "fixed"), "int64")] = True
    return found


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
    split : callable (level, labels) -> array, optional
        The connected pieces of communities of the lowest level, each named by one of its vertices.
    """

    move: Callable[[Level, Array, float, int], Array]
    merge: Callable[[Level, Array, int], Level]
    refine: Callable[[Level, Array, float, int], Array] | None = None
    move_apart: Callable[[Level, Array, float, int], Array] | None = None
    split: Callable[[Level, Array], Array] | None = None


def apply(xp: Any, level: Level, rules: Rules) -> Level:
    """The lowest level with the null model and the limits that were asked for."""
    level = replace(weigh(xp, level, rules.quality, rules.resolution), fixed=rules.fixed)
    most = rules.max_community_size
    return level if most is None else replace(level, sizes=xp.ones(level.n), most=most)


def keep_fixed(xp: Any, pieces: Array, numbers: Array, fixed: Array | None) -> Array:
    """Pieces of communities, or these as a whole if they have fixed vertices, named by their smallest vertices."""
    if fixed is None:
        return pieces
    held = xp.zeros(numbers.size, bool)
    held[numbers[fixed]] = True
    return xp.where(held[numbers], name_by_smallest(xp, *renumber(xp, numbers)), pieces)


def nest(xp: Any, levels: list[Array], labels: Array) -> Array:
    """Rows of labels, each of communities that consist of those of the row before; the last are the communities."""
    rows, last = [], renumber(xp, labels)[0].astype("int64")
    for numbers in (*levels, labels):
        cells = xp.unique(numbers.astype("int64") * labels.size + last, return_inverse=True)[1]
        row = number_by_size(xp, cells.reshape(-1).astype("int32"))
        if not rows or not are_equal(rows[-1], row):
            rows.append(row)
    return xp.stack(rows)


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

    def run(self, G: Graph) -> tuple[Array, Array | None]:
        """The number of the community of each vertex, by `number_by_size`, and those of levels: int32 on the engine.

        Where communities must be connected they are split after each climb; the next one begins with the pieces. After
        the last one the pieces are the vertices of more climbs, until none is split.
        """
        xp = G.engine.xp
        base = apply(xp, make_level(G), self.rules)
        labels = count_up(xp, G.n)
        if self.rules.start is not None:
            labels = name_by_smallest(xp, *renumber(xp, self.rules.start))
        if not base.total:
            labels = number_by_size(xp, self.split(xp, base, labels)[0])
            return labels, labels[None] if self.rules.levels else None
        whole, levels = True, list[Array]()
        draws = itertools.count(self.rules.seed + CLIMB_DRAWS, CLIMB_DRAWS)
        for draw in itertools.islice(draws, self.iterations):
            before = labels
            levels.clear()
            labels, whole = self.split(xp, base, self.rise(xp, base, before, draw, levels))
            if are_equal(before, labels):
                break
        while not whole and self.rules.finished:
            numbers, count = renumber(xp, labels)
            above, start = self.merge(xp, base, numbers, count), count_up(xp, count)
            labels, whole = self.split(xp, base, pick(numbers, self.rise(xp, above, start, next(draws), [])))
        return number_by_size(xp, labels), nest(xp, levels, labels) if self.rules.levels else None

    def split(self, xp: Any, base: Level, found: Array) -> tuple[Array, bool]:
        """The smallest vertex of each community, of its pieces if it must be connected; and if all are whole."""
        numbers, count = renumber(xp, found)
        if self.steps.split is None:
            return name_by_smallest(xp, numbers, count), True
        pieces = keep_fixed(xp, self.steps.split(base, numbers), numbers, self.rules.fixed)
        pieces, wanted = renumber(xp, pieces)
        return name_by_smallest(xp, pieces, wanted), wanted == count

    def rise(self, xp: Any, level: Level, start: Array, draw: int, levels: list[Array]) -> Array:
        """The communities of the vertices of the lowest level, after all levels above it, listed if wanted."""
        numbers, found = count_up(xp, level.n), start
        reached = self.measure(xp, level, start)
        for depth in itertools.count():
            if depth == self.rules.max_levels:
                break
            before, step = reached, self.step_up(xp, level, start, draw + depth * LEVEL_DRAWS, reached)
            found, reached, start = pick(numbers, step.communities), step.reached, step.start
            if step.above is level or (self.rules.threshold and reached - before <= self.rules.threshold):
                break
            numbers, level = pick(numbers, step.places), step.above
            if self.rules.levels:
                levels.append(numbers)
        return found

    def step_up(self, xp: Any, level: Level, start: Array, draw: int, before: float) -> StepUp:
        """Moves, and the level above; those that lower the modularity are taken back, and others made that cannot."""
        step = self.join(xp, level, self.steps.move(level, start, level.scale, draw), draw)
        if self.steps.move_apart is None or step.reached >= before - ROUNDING * max(1.0, abs(before)):
            return step
        return self.join(xp, level, self.steps.move_apart(level, start, level.scale, draw), draw)

    def join(self, xp: Any, level: Level, communities: Array, draw: int) -> StepUp:
        """The level above communities, and their modularity, which is measured there, for it has fewer arcs.

        Where their refined parts have more of it, these are the communities.
        """
        places, count, start = self.group(xp, level, communities, draw)
        above = level if count == level.n else self.merge(xp, level, places, count)
        reached = self.measure(xp, above, start)
        if above is level or self.steps.refine is None or level.fixed is not None:
            return StepUp(communities, places, above, start, reached)
        apart = count_up(xp, count)
        parted = self.measure(xp, above, apart)
        if parted <= reached + ROUNDING * max(1.0, abs(reached)):
            return StepUp(communities, places, above, start, reached)
        return StepUp(name_by_smallest(xp, places, count), places, above, apart, parted)

    def merge(self, xp: Any, level: Level, numbers: Array, count: int) -> Level:
        """The level whose vertices are groups; one of them is fixed if a vertex of it is."""
        fixed, sizes = level.fixed, level.sizes
        if fixed is not None:
            fixed = xp.zeros(count, bool)
            fixed[numbers[level.fixed]] = True
        if sizes is not None:
            sizes = tally(numbers, count, sizes)
        above = self.steps.merge(level, numbers, count)
        return replace(above, scale=level.scale, fixed=fixed, sizes=sizes, most=level.most)

    def measure(self, xp: Any, level: Level, communities: Array) -> float:
        """The quality, if it matters."""
        if not self.rules.threshold and self.steps.move_apart is None:
            return 0.0
        return measure(xp, level, renumber(xp, communities)[0])

    def group(self, xp: Any, level: Level, communities: Array, draw: int) -> tuple[Array, int, Array]:
        """The vertex of the next level that each vertex becomes a part of, how many there are, and their communities.

        Those are the refined parts of communities, or communities where refinement joins no two vertices.
        """
        numbers, count = renumber(xp, communities)
        if self.steps.refine is not None:
            members = name_by_smallest(xp, numbers, count)
            parts = self.steps.refine(level, members, level.scale, draw)
            places, wanted = renumber(xp, parts)
            if wanted < level.n:
                return places, wanted, lift(xp, places, members, wanted)
        return numbers, count, count_up(xp, count)
