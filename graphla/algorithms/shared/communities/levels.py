"""The levels of a climb: communities that consist of those of the level below, and partitions between two levels."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import heapq
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.climb import Rules, apply
from graphla.algorithms.shared.communities.labels import number_by_size
from graphla.algorithms.shared.communities.level import Level, make_level
from graphla.algorithms.shared.communities.modularity import measure
from graphla.common.arguments import show, to_int
from graphla.common.errors import DimensionMismatch, InvalidOption, NotSupported, VerificationError
from graphla.containers.labels import Column, Names
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.problem.answer import Answer
from graphla.storage.convert import expand_rows

Array = Any


@dataclass(frozen=True)
class Levels:
    """The levels of `louvain` or `leiden`, from small communities to those that were found.

    Parameters
    ----------
    labels : Matrix
        INT32, a row for each level: the number of each vertex's community, as in the answer, which is the last row. The
        communities of a row consist of whole communities of the row before; those of Leiden are connected.
    qualities : tuple of float
        The quality of each level: its modularity, or what `quality` asked for.
    graph : Graph
        The graph that was asked about.
    rules : Rules
        The options of the call.

    Examples
    --------
    >>> import graphla as gl
    >>> groups, levels = gl.leiden(gl.generate.path(12), levels=True)
    >>> len(levels.qualities) == levels.labels.nrows, levels.cut(2).to_numpy().tolist()
    (True, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    """

    labels: Matrix
    qualities: tuple[float, ...]
    graph: Graph = field(repr=False)
    rules: Rules = field(repr=False)

    def __repr__(self) -> str:
        counts = ", ".join(f"{row.max(initial=-1) + 1:,}" for row in self.labels.to_numpy(-1))
        return f"Levels of {counts} communities"

    def cut(self, count: int) -> Vector:
        """Communities of a wanted number: of the last level that has as many, joined where that costs least.

        Parameters
        ----------
        count : int
            How many communities, from the number of connected components to that of vertices.

        Returns
        -------
        Vector
            INT32 of size n: the number of each vertex's community, the largest first.

        Raises
        ------
        InvalidOption
            If there cannot be as many.
        NotSupported
            If the graph is spread over ranks.

        Notes
        -----
        Pairs with the greatest gain are joined first, those of one community of the next level before all others.
        O(E log E), on the host.

        Examples
        --------
        >>> import graphla as gl
        >>> _, levels = gl.louvain(gl.generate.grid2d(6), levels=True)
        >>> [int(levels.cut(k).to_numpy().max()) + 1 for k in (1, 3, 20)]
        [1, 3, 20]
        """
        if self.graph.engine.name == "mpi":
            raise NotSupported(
                "levels.cut joins pairs of communities on one host, and the graph is spread over ranks: G.to('cpu') "
                "collects it on each of them, if it fits there"
            )
        n, wanted = self.graph.n, to_int(count, "count", min(1, self.graph.n))
        if wanted > n:
            raise InvalidOption(f"count={wanted}: there are {n:,} vertices")
        rows = [np.arange(n), *self.labels.to_numpy(-1), np.zeros(n, np.int64)]
        last = max(k for k, row in enumerate(rows[:-1]) if row.max(initial=-1) + 1 >= wanted)
        base = apply(np, make_level(self.graph.to("cpu")), self.rules.on_host())
        labels = join(base, rows[last], rows[last + 1], wanted)
        return Vector.from_dense(self.graph.engine.xp.asarray(labels), engine=self.graph.engine)


def join(level: Level, labels: Array, groups: Array, wanted: int) -> Array:
    """Join communities until there are as many as wanted, first those within the same group."""
    from graphla.algorithms.shared.communities.queue import merge  # here, because Numba takes a second

    count = int(labels.max(initial=-1)) + 1
    above = replace(merge(level, labels, count), scale=level.scale)
    group = np.empty(count, np.int64)
    group[labels] = groups
    owner = np.arange(count)
    for allowed in (group, np.zeros(count, np.int64)):
        owner = join_pairs(above, owner, allowed, wanted)
    if np.unique(owner).size > wanted:
        raise InvalidOption(f"count={wanted}: the graph has {np.unique(owner).size:,} connected components")
    return number_by_size(np, owner[labels])


def join_pairs(level: Level, owner: Array, group: Array, wanted: int) -> Array:
    """The community that each one belongs to, after joins of neighbours of the same group, the greatest gain first."""
    from graphla.algorithms.shared.communities.queue import add_strengths  # here, because Numba takes a second

    tails, heads = owner[expand_rows(level.rows)], owner[level.rows.indices]
    near: dict[int, dict[int, float]] = {int(c): {} for c in np.unique(owner)}
    for c, d, w in zip(tails.tolist(), heads.tolist(), level.rows.values.tolist(), strict=True):
        if c != d and group[c] == group[d]:
            near[c][d] = near[c].get(d, 0.0) + w
    totals = add_strengths(level, owner, owner.size)
    sums, owner = {c: totals[c] for c in near}, owner.copy()

    def rate(c: int, d: int) -> tuple[float, int, int, float]:
        return level.scale * float(sums[c] @ sums[d][::-1]) - near[c][d], c, d, near[c][d]

    heap = [rate(c, d) for c in near for d in near[c] if c < d]
    heapq.heapify(heap)
    while heap and len(near) > wanted:
        entry = heapq.heappop(heap)
        _, c, d, _ = entry
        if c not in near or d not in near[c] or entry != rate(c, d):
            continue
        sums[c] = sums[c] + sums.pop(d)
        owner[owner == d] = c
        for e, w in near.pop(d).items():
            del near[e][d]
            if e != c:
                near[c][e] = near[e][c] = near[c].get(e, 0.0) + w
        for e in near[c]:
            heapq.heappush(heap, rate(*sorted((c, e))))
    return owner


class LevelsAnswer(Answer):
    """Levels; as an array their labels."""

    def from_array(self, G: Any, array: Any) -> Any:
        """The levels, or a matrix of labels."""
        return array if isinstance(array, Levels) else Matrix._from_sentinel(array, -1, G.engine)

    def call(self, G: Any, answer: Any, problem: str, sources: Any = None) -> Any:
        """The levels, whose labels know what vertices are called."""
        answer.labels._name_columns(Names((Column("level", None), Column("vertex", G._labels), Column("label", None))))
        return answer

    def to_array(self, answer: Any) -> Array:
        """The labels on the host."""
        return getattr(answer, "labels", answer).to_numpy(-1)

    def read(self, G: Any, value: Any, settings: Any) -> Array:
        """The labels, refused if they are not those of vertices."""
        labels = getattr(value, "labels", value)
        if not isinstance(labels, Matrix) or labels.shape[1] != G.n or labels.dtype.kind != "i":
            raise DimensionMismatch(f"levels={show(value)}: give the levels that the problem returns")
        return self.to_array(labels)


class Communities(Problem):
    """A problem whose methods climb: it may give the levels, too."""

    def _finish(self, G: Any, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        labels, rows = found
        if rows is None:
            return found
        xp = G.engine.xp
        base = apply(xp, make_level(G), settings)
        qualities = tuple([measure(xp, base, row) for row in rows])
        return labels, Levels(Matrix._from_sentinel(rows, -1, G.engine), qualities, G, settings)


def verify_levels(name: str, labels: Array, levels: Array | None) -> None:
    """Assert that each level consists of communities of the one before, and that the last one is the answer."""
    if levels is None:
        return
    if not np.array_equal(levels[-1], labels):
        raise VerificationError(f"{name}: the last level differs from the labels")
    for k, (low, high) in enumerate(pairwise(levels)):
        if np.unique(low * np.int64(labels.size) + high).size > np.unique(low).size:
            raise VerificationError(f"{name}: level {k + 1} divides a community of the level before")
