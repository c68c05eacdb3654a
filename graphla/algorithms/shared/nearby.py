"""Searches that end early, on the CPU: what is near is searched in lists, what is not by whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.shared.limits import Limits
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.storage import CompressedMatrix, SparseVector

Array = Any
ROOM, GROWTH, SHARE = 4096, 16, 16
"""Vertices for which there is room at first; how often more when that is too little; and from n / SHARE on arrays of
all vertices are faster (New York: a search in lists takes four times as long as by buckets)."""
WAITING = 4
"""Places in a heap per vertex, of which an earlier offer may wait, too."""
PREFERRED = "nearby", "the search ends early"
"""The method of such a search on the CPU, and the reason."""


@dataclass(frozen=True, eq=False)
class Lists:
    """What searches have met: the list of source k ends at ``ends[k]``; its vertices are in order."""

    ends: Array
    vertices: Array
    values: Array
    parents: Array

    def to_vectors(self, G: Any) -> tuple[Vector, Vector]:
        """Values and parents of the only search."""
        parts = (SparseVector(G.n, self.vertices, each) for each in (self.values, self.parents))
        values, parents = (Vector._from_storage(part, G.engine) for part in parts)
        return values, parents

    def to_matrices(self, G: Any) -> tuple[Matrix, Matrix]:
        """Values and parents with a row for each search."""
        indptr = np.concatenate((np.zeros(1, self.ends.dtype), self.ends))
        parts = (CompressedMatrix(self.ends.size, G.n, indptr, self.vertices, e) for e in (self.values, self.parents))
        values, parents = (Matrix._from_storage(part, G.engine) for part in parts)
        return values, parents


def search_near(G: Any, weights: Array | None, sources: Sequence[int], s: Limits, infinity: Any) -> Lists | None:
    """Search from each source as far as `s` says, along weights or by levels; None if one meets too many vertices.

    Vertices whose value is `infinity` are not reached.
    """
    room, most = min(ROOM, G.n), G.n // SHARE if s.ends else G.n
    while True:
        found = search_in(G, weights, sources, s, infinity, max(1, room))
        if found is not None or room >= max(most, ROOM):
            return found
        room = min(GROWTH * room, G.n)


def search_in(G: Any, weights: Array | None, sources: Sequence[int], s: Limits, infinity: Any, room: int) -> Any:
    """The same with room for so many vertices; None if that is too little."""
    from graphla.algorithms.shared.nearby_cpu import GIVEN_UP, SOURCES_A_THREAD, search_each
    from graphla.engine.cpu.threads import count_workers, run_for_each

    last = np.array([s.find_last(infinity.dtype)])
    targets = np.array(s.targets or (), np.int32)
    waiting = WAITING * room if room < G.n else G.nvals + 1
    how = last, np.array([infinity]), targets, room, waiting
    pieces = max(1, min(4 * count_workers(), len(sources) // SOURCES_A_THREAD))
    run: Callable[[Any], Any] = lambda some: search_each(G.csr.indptr, G.csr.indices, weights, some, *how)  # noqa: E731
    parts = run_for_each(run, np.array_split(np.asarray(sources, np.int32), pieces))
    if any((part[0] == GIVEN_UP).any() for part in parts):
        return None
    return join(parts)


def join(parts: list[tuple[Array, ...]]) -> Lists:
    """One record of the lists of all pieces, each list sorted by vertex."""
    if len(parts) == 1 and parts[0][0].size == 1:
        ends, *lists = parts[0]
        order = np.argsort(lists[0])
        return Lists(ends, *(each[order] for each in lists))
    before = np.cumsum([0, *(part[1].size for part in parts[:-1])])
    ends = np.concatenate([part[0] + first for part, first in zip(parts, before, strict=True)])
    vertices, values, parents = (np.concatenate([part[k] for part in parts]) for k in (1, 2, 3))
    rows = np.repeat(np.arange(ends.size), np.diff(ends, prepend=0))
    order = np.lexsort((vertices, rows))
    return Lists(ends, vertices[order], values[order], parents[order])


def answer(G: Any, found: Lists, s: Limits, absent: Any) -> tuple[Any, ...]:
    """Values and parents of the only search: as far as it goes, which the last one says, or arrays of all vertices."""
    if s.ends:
        values, tree = found.to_vectors(G)
        return values, tree if s.parents else None, True
    return spread(G, found, absent, s.parents)


def spread(G: Any, found: Lists, absent: Any, parents: bool) -> tuple[Array, Array | None]:
    """Values and parents of the only search as arrays of all vertices."""
    values, tree = np.full(G.n, absent, found.values.dtype), np.full(G.n if parents else 0, -1, np.int32)
    values[found.vertices] = found.values
    if parents:
        tree[found.vertices] = found.parents
    return values, tree if parents else None
