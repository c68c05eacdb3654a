"""Detours: shortest paths to a target that begin as a path that is known, and leave it by other arcs.

What is to go from each vertex is known: the distance to the target, or a lower bound of it. With distances goes the way
`after` from each vertex: to the least next one that is nearer, or if all are as near, to one that leads on. So the
way does not hang on the engine. A search for a detour may not enter the beginning. A vertex is clear if its way misses
it; then the rest of the path is known, and no search goes beyond. Of shortest paths the one to the least clear vertex
is taken, and back from there each time to the least vertex that is nearer to the source; where only vertices as near
lead there, to one that was reached in fewer such steps. That, too, is the same on every engine: sums of numbers are
never negative and rounded in the order of the path, so that the least one does not hang on the order of the search.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.shared.weights import infinity
from graphla.engine import tracing
from graphla.graphs.graph import Graph

Array = Any
UNBOUNDED = 2**62
"""No search relaxes so many arcs."""
HEAP = 256
"""Places of a heap at first."""


class Question(NamedTuple):
    """The beginning of a path, the vertices that it may not go on to at its end, and some that are clear.

    Paths beyond the `limit`, from that end to the target, are not asked for.
    """

    beginning: Array
    banned: Sequence[int]
    clear: Array
    limit: Any


class Answer(NamedTuple):
    """The way from the end of a beginning as far as a clear vertex, without its first; and the length as far as the
    target. If it is empty, no path is shorter than the length, which is `none` if there is no path at all and above the
    limit if there is none within it; else a bound is greater than what is to go, or the search was given up."""

    way: Array
    length: Any


def as_vertices(vertices: Any) -> Array:
    """Vertices as the kernels take them."""
    return np.asarray(vertices, np.int32)


def find_slack(G: Graph, dtype: Any) -> Any:
    """The share of a length by which rounded sums along paths may differ; 0 for integers."""
    return dtype.type(G.n * 2.0**-51 if dtype.kind == "f" else 0)


class Detours:
    """Questions to a graph on the CPU; `aim` says how much is to go from each vertex."""

    together = 1
    """How many questions are best asked at once."""

    def __init__(self, G: Graph, weights: Array) -> None:
        self.A = (G.csr.indptr, G.csr.indices, weights)
        self.none, self.slack = infinity(weights.dtype), find_slack(G, weights.dtype)
        self.marks, self.bans, self.asked = np.zeros(G.n, np.int32), np.zeros(G.n, np.int32), 0
        self.met = np.empty(G.n, weights.dtype), *(np.zeros(G.n, np.int32) for _ in range(3))
        self.found = np.empty(G.n, np.int32)
        self.most = G.n + G.nvals

    def begin(self, given: np.dtype[Any], *, leaves: bool) -> None:
        """Begin to compile what `aim` needs for a target with distances of a dtype, and `leave`."""

    def aim(self, far: Array, target: int | None = None) -> None:
        """Take what is to go at least from each vertex: with a `target` the distances, and then there are ways onward.

        Distances may have a narrower dtype than lengths; `far` has them in that of lengths. `after` has the next vertex
        on the way from each, on the host, -1 where there is none.
        """
        from graphla.algorithms.sssp._k_shortest_cpu import point_onward

        self.far = self.widen(far)
        self.after = as_vertices([]) if target is None else point_onward(self.A, self.far, self.none, target)

    def widen(self, far: Array) -> Array:
        """The distances in the dtype of lengths."""
        dtype = self.none.dtype
        return far if far.dtype == dtype else np.where(far == infinity(far.dtype), self.none, far.astype(dtype))

    def ask(self) -> np.int32:
        """The number of a question: a multiple of three."""
        self.asked += 3
        return np.int32(self.asked)

    def leave(self, path: Array, first: int, banned: Sequence[int]) -> tuple[Array, Array, Array]:
        """For each place of a path from the first on: the weight of its arc, how much is to go by another, its head."""
        from graphla.algorithms.sssp._k_shortest_cpu import leave_each

        count, dtype = path.size - 1 - first, self.none.dtype
        out = np.empty(count, dtype), np.full(count, self.none), np.full(count, -1, np.int32)
        leave_each(*self.A, self.far, path, first, as_vertices(banned), self.marks, self.bans, self.ask(), out)
        return out

    def go_around(self, questions: Sequence[Question]) -> list[Answer]:
        """The answer to each question."""
        return [self.answer(each) for each in questions]

    def answer(self, question: Question) -> Answer:
        """The answer to a question."""
        from graphla.algorithms.sssp._k_shortest_cpu import detour

        given = question.beginning, as_vertices(question.banned), question.clear, self.none.dtype.type(question.limit)
        heap = np.empty(HEAP, self.none.dtype), np.empty(HEAP, np.int32)
        held = (self.found, *heap), self.marks, self.bans, self.met, self.ask()
        most = UNBOUNDED if self.after.size else self.most
        length, count, arcs = detour(self.A, self.far, self.none, self.slack, self.after, given, most, *held)
        tracing.count_relaxed(arcs)
        return Answer(self.found[:count].copy(), length)
