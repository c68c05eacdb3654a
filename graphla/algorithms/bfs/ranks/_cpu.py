"""Levels of a search of which this rank finds its own vertices, with Numba.

Vertices are numbered from the first of this rank on, around the end: its own stand first. `seen` has a bit for each
vertex of the graph, in words of 64; the first words are those of this rank. As all heads of a vertex seen before level
d are seen, a tail of an unseen vertex that is seen is in the frontier.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.threads import WORTH_A_THREAD, count_workers, run_for_each

PARTS = 8  # ranges of words for a thread


@inner()
def _search_row(indptr, indices, v, seen):  # type: ignore[no-untyped-def]
    """A tail of v that is seen, or -1."""
    for k in range(indptr[v], indptr[v + 1]):
        u = indices[k]
        if (seen[u >> 6] >> np.uint64(u & 63)) & np.uint64(1):
            return u
    return np.int32(-1)


@njit()
def _pull_words(first, last, indptr, indices, seen, asked, levels, parents, depth, fresh):  # type: ignore[no-untyped-def]
    """The vertices with a bit in `asked` look for a seen tail; `fresh` becomes `seen` with those that find one."""
    found = np.int64(0)
    for w in range(first, last):
        bits = np.uint64(0)
        for b in range(64 if asked[w] else 0):
            if not (asked[w] >> np.uint64(b)) & np.uint64(1):
                continue
            v = w * 64 + b
            u = _search_row(indptr, indices, v, seen)
            if u >= 0:
                levels[v] = depth
                if parents.size:
                    parents[v] = u
                bits |= np.uint64(1) << np.uint64(b)
                found += 1
        fresh[w] = seen[w] | bits
    return found


@njit()
def _list_new(before, now, words, indptr, queue):  # type: ignore[no-untyped-def]
    """The own vertices in `now` and not in `before`, and how many arcs leave them."""
    size, arcs = 0, np.int64(0)
    for w in range(words):
        bits = now[w] & ~before[w]
        for b in range(64 if bits else 0):
            if (bits >> np.uint64(b)) & np.uint64(1):
                v = w * 64 + b
                queue[size] = v
                arcs += indptr[v + 1] - indptr[v]
                size += 1
    return size, arcs


@njit()
def _push(indptr, indices, queue, size, seen, sent):  # type: ignore[no-untyped-def]
    """Set the bits of the unseen heads of the queue in `sent`."""
    for i in range(size):
        for k in range(indptr[queue[i]], indptr[queue[i] + 1]):
            v = indices[k]
            bit = np.uint64(1) << np.uint64(v & 63)
            if not seen[v >> 6] & bit:
                sent[v >> 6] |= bit


class HostLevels:
    """The arrays of a search on this rank, and its steps."""

    bits = 64

    def __init__(self, rows: Any) -> None:
        self.rows, self.words = rows, rows.slot // 64
        self.seen, self.other, self.sent = (np.empty(self.words * rows.ranks, np.uint64) for _ in range(3))
        self.queue = np.empty(rows.own, np.int32)
        self.size = 0

    def clear(self, parents: bool) -> None:
        """Begin anew, with the vertices without arcs as the only seen ones."""
        self.levels = np.full(self.rows.own, -1, np.int32)
        self.parents = np.full(self.rows.own if parents else 0, -1, np.int32)
        self.other[:] = self.seen[:] = self.rows.blank
        self.found = 0

    def set_source(self, place: int) -> None:
        """Make a vertex the frontier."""
        self.seen[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
        if place < self.rows.own:
            self.levels[place] = 0
            self.parents[place : place + 1] = place
            self.found = 1

    def list_frontier(self) -> int:
        """List the own vertices of the frontier; return how many arcs leave them."""
        self.size, arcs = _list_new(self.other, self.seen, self.words, self.rows.out_indptr, self.queue)
        return arcs

    def push(self) -> Any:
        """Return a bitmap of the unseen heads of the own frontier."""
        self.sent[:] = 0
        _push(self.rows.out_indptr, self.rows.out_indices, self.queue, self.size, self.seen, self.sent)
        return self.sent

    def take(self, offered: Any, depth: int) -> Any:
        """Find the own vertices that a rank offers and that are unseen; return the bitmap after the level."""
        return self.pull_asked(offered & ~self.seen[: self.words], depth)

    def pull(self, depth: int) -> Any:
        """Find the own unseen vertices with a tail in the frontier; return the bitmap after the level."""
        return self.pull_asked(~self.seen[: self.words], depth)

    def pull_asked(self, asked: Any, depth: int) -> Any:
        rows = self.rows
        arrays = rows.in_indptr, rows.in_indices, self.seen, asked, self.levels, self.parents, np.int32(depth + 1)
        parts = 1 if rows.in_indices.size < WORTH_A_THREAD else PARTS * count_workers()
        cuts = np.linspace(0, self.words, parts + 1).astype(int).tolist()
        found = run_for_each(lambda part: _pull_words(*part, *arrays, self.other), list(pairwise(cuts)))
        self.found = sum(found)
        return self.other

    def advance(self) -> None:
        """Let the bitmap after the level be that of the seen."""
        self.seen, self.other = self.other, self.seen

    def count_found(self) -> int:
        """Return how many own vertices the level has found."""
        return int(self.found)

    def finish(self) -> tuple[Any, Any]:
        """Return levels and parents of the own vertices."""
        return self.levels, self.parents
