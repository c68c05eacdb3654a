"""The k shortest paths between two vertices, none of which meets a vertex twice, by Yen's algorithm.

Every path leaves one that was found before at some place, by an arc that none of them took there. Such a deviation is
no shorter than its beginning, the arc, and what is left from there to the target: distances that one search against the
arcs finds. Deviations wait in a queue by this bound. The first one is answered by the way onward from there if that
misses the beginning; else it is searched for (see `_detours.py`), and waits with its length. So most deviations are
never searched for. A search goes as far as the last of the k paths would be if all bounds were lengths; if it finds
none so near, the deviation waits with the greater bound, and the next search for it goes twice as far beyond the first
bound. Of paths of l arcs each takes O(l (degree + log)), and its searches.

Source: Yen, "Finding the k shortest loopless paths in a network", Management Science 17, 1971; Lawler, 1972 (no path
twice); Kurz, Mutzel, "A Sidetrack-Based Algorithm for Finding the k Shortest Simple Paths in a Directed Graph", ISAAC
2016; Feng, "Finding k shortest simple paths in directed graphs: a node classification algorithm", Networks 64, 2014
(paths that need no search).
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.sssp import sssp
from graphla.algorithms.sssp._detours import Question, as_vertices
from graphla.algorithms.sssp._lengths import (
    begin_distances,
    find_distances,
    find_dtype,
    get_reverse,
    get_sums,
    open_detours,
    require_lengths,
    sum_type,
)
from graphla.common.arguments import to_int
from graphla.common.typing import Vertex
from graphla.graphs.graph import Graph
from graphla.problem import require_graph

Array = Any


class Deviation(NamedTuple):
    """Paths that begin as one that was found, as far as the place `at`, and leave to no vertex that is banned there.

    `rest` is the shortest of them from that place on, None if it is not known: then `head` is where the bound leads, -1
    if a search has shown that the bound is too low.
    """

    path: Array
    lengths: Array
    at: int
    banned: tuple[int, ...]
    head: int
    bound: Any
    rest: Any

    def join(self) -> Array:
        """The whole path."""
        return np.append(self.path[: self.at + 1], self.rest)

    def ask(self, after: Array, limit: Any) -> Question:
        """What to search for; clear is what the path that was found ends with, as far as that is the way onward."""
        beginning, end = self.path[: self.at + 1], self.path[self.at + 1 :]
        strays = np.flatnonzero(after[end[:-1]] != end[1:])
        clear = end[strays[-1] + 1 if strays.size else 0 :]
        return Question(beginning, self.banned, clear, limit - self.lengths[self.at])


Waiting = tuple[Any, int, Deviation]
"""The least length of a deviation, its number, which decides between equal ones, and the deviation."""


def k_shortest_paths(G: Graph, source: Vertex, target: Vertex, k: int) -> tuple[list[list[Any]], Array]:
    """The k shortest paths from one vertex to another that meet no vertex twice.

    Parameters
    ----------
    G : Graph
        The graph, on the CPU or a GPU. No weight is negative; an arc of a pattern weighs 1.
    source : int
        The first vertex of the paths.
    target : int
        The last vertex of the paths.
    k : int
        How many paths, from 1 on.

    Returns
    -------
    paths : list of list
        The vertices of each path in their order, `source` and `target` included, the shortest path first; fewer than k
        if there are no more. Their labels if the graph has labels. The order of paths of one length is the same on
        every engine; see the notes.
    lengths : numpy.ndarray
        The sum of the weights of each path: INT64, or FP64 for floating-point weights.

    Raises
    ------
    InvalidGraph
        If `source` or `target` is no vertex of G.
    InvalidOption
        If `k` is no number from 1 on.
    NotSupported
        If a weight is negative, or the graph is spread over ranks.
    Overflow
        If the length of a path may exceed INT64.

    See Also
    --------
    shortest_path : One shortest path.

    Notes
    -----
    Yen's algorithm with distances to the target as bounds, so that most deviations are never searched. Of paths of one
    length, that which leaves an earlier path comes first, and of those that leave the same one, that which leaves it
    first.

    On a GPU a path costs one launch and one wait for the bounds of all its deviations, and where some are searched for,
    one launch for all that come before the next path, with two waits; none waits for another.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], [4, 9, 3, 9, 1]), engine="cpu")
    >>> paths, lengths = gl.k_shortest_paths(G, 0, 3, 3)
    >>> paths, lengths.tolist()
    ([[0, 1, 2, 3], [0, 2, 3], [0, 1, 3]], [8, 10, 13])
    """
    require_graph(G)
    wanted, ends = to_int(k, "k", 1), (G.vertex(source, "source"), G.vertex(target, "target"))
    require_lengths(G, "k_shortest_paths")
    found = sssp._within_memory(G, find_paths, *ends, wanted)
    paths = sorted(found, key=lambda each: each[1])
    return [G._call_vertices(path.tolist()) for path, _ in paths], np.array(
        [length for _, length in paths], sum_type(G)
    )


def find_paths(G: Graph, source: int, target: int, k: int) -> list[tuple[Array, Any]]:
    """Each path and its length."""
    search, found = Search(G, target, k), list[tuple[Array, Any]]()
    if search.detours.after[source] < 0:
        return found
    path = search.follow(source, as_vertices([]))
    lengths, at, banned, queue, numbers = np.zeros(1, sum_type(G)), 0, (), list[Waiting](), count()
    while True:
        along, rests, heads = search.detours.leave(path, at, banned)
        lengths = np.append(lengths[:at], np.add.accumulate(np.append(lengths[at], along)))
        found.append((path, lengths[-1]))
        if len(found) == k:
            return found
        leaving = np.flatnonzero(heads >= 0)
        search.note((lengths[at:-1] + rests)[leaving])
        bounds, followers, ways = (each.tolist() for each in (lengths[at:-1] + rests, path[at + 1 :], heads))
        for i in leaving.tolist():
            taken = (*banned, followers[0]) if i == 0 else (followers[i],)
            waiting = Deviation(path, lengths, at + i, taken, ways[i], bounds[i], None)
            heappush(queue, (bounds[i], next(numbers), waiting))
        first = search.take_first(queue)
        if first is None:
            return found
        path, lengths, at, banned = first.join(), first.lengths, first.at, first.banned


class Search:
    """What is asked about k paths to a target."""

    def __init__(self, G: Graph, target: int, k: int) -> None:
        begin_distances(G)
        self.detours, self.target = open_detours(G, get_sums(G)), target
        self.detours.begin(find_dtype(G), leaves=True)
        self.detours.aim(find_distances(get_reverse(G), target), target)
        self.marks, self.way, self.asked = np.zeros(G.n, np.int32), np.empty(G.n, np.int32), 0
        self.others, self.least = k - 1, np.zeros(0, sum_type(G))

    def note(self, bounds: Array) -> None:
        """Keep the least bounds of deviations that there were, as many as paths are to be found beside the first."""
        self.least = np.append(self.least, bounds)
        if self.least.size > self.others:
            self.least = np.partition(self.least, self.others - 1)[: self.others]

    def limit(self, least: Any, bound: Any) -> Any:
        """How far to search for a deviation that has the `least` length, of which the `bound` was known at first."""
        limit = max(self.least.max(), least + (least - bound))
        return limit + 2 * limit * self.detours.slack

    def follow(self, head: int, beginning: Array) -> Array:
        """The way to the target from a vertex on; empty if there is none, or it meets the beginning."""
        from graphla.algorithms.sssp._k_shortest_cpu import follow

        self.asked += 1
        given = head, self.target, beginning, self.marks, np.int32(self.asked), self.way
        return self.way[: follow(self.detours.after, *given)].copy()

    def take_first(self, queue: list[Waiting]) -> Deviation | None:
        """The deviation with the shortest path, which is known then; None if there are no more.

        Those before the first that needs no search are searched for, many at once where that is best.
        """
        while queue:
            around = list[Waiting]()
            while queue and len(around) < self.detours.together:
                length, number, first = heappop(queue)
                known = first if first.rest is not None else self.complete(first)
                if known is not None:
                    if not around:
                        return known
                    heappush(queue, (length, number, known))
                    break
                around.append((length, number, first))
            for found in self.go_around(around):
                heappush(queue, found)
        return None

    def complete(self, first: Deviation) -> Deviation | None:
        """The deviation with the shortest path from where its bound leads; None if that meets the beginning."""
        if first.head < 0:
            return None
        rest = self.follow(first.head, first.path[: first.at + 1])
        return first._replace(rest=rest) if rest.size else None

    def go_around(self, around: list[Waiting]) -> Iterator[Waiting]:
        """The deviations with the lengths of their shortest paths, or the least ones if these are beyond the limit."""
        limits = [self.limit(least, first.bound) for least, _, first in around]
        questions = [first.ask(self.detours.after, limit) for (_, _, first), limit in zip(around, limits, strict=True)]
        answers = self.detours.go_around(questions)
        for (_, number, first), asked, (way, length) in zip(around, questions, answers, strict=True):
            if length == self.detours.none:
                continue
            least = (first.lengths[first.at] + length).item()
            if way.size:
                rest = np.append(way, self.follow(int(way[-1]), as_vertices([]))[1:])
                yield least, number, first._replace(rest=rest)
            elif length > asked.limit:
                yield least, number, first._replace(head=-1)
