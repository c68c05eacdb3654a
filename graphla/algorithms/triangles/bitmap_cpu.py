"""Triangles on every core; see `bitmap`. A thread takes some vertices u at a time, and marks the neighbours of each.

`mine` has the hubs among the arcs of u as bits, `marked` all others.
"""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.triangles.oriented_cpu import Oriented
from graphla.engine.cpu.atomic import fetch_and_add
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.popcount import popcount
from graphla.engine.cpu.threads import WORTH_A_THREAD, count_workers, run_for_each

TAKEN = 256  # vertices that a thread takes at a time
FEW = 8  # hubs of a vertex below which each pair is looked up


@njit(inline="always")
def _test(row, w):  # type: ignore[no-untyped-def]
    """Bit w of a row, as an integer."""
    return np.int64(row[w >> 6] >> np.uint64(w & 63) & np.uint64(1))


@njit(inline="always")
def _mark(words, heads):  # type: ignore[no-untyped-def]
    """Set the bits of some vertices."""
    for w in heads:
        words[w >> 6] |= np.uint64(1) << np.uint64(w & 63)


@njit(inline="always")
def _unmark(words, heads):  # type: ignore[no-untyped-def]
    """Clear the words of some vertices."""
    for w in heads:
        words[w >> 6] = np.uint64(0)


@njit(inline="always")
def _count_common(bits, v, mine, count):  # type: ignore[no-untyped-def]
    """The bits that the first words of row v and of another row have in common."""
    found = np.uint64(0)
    for k in range(count):
        found += popcount(bits[v, k] & mine[k])
    return np.int64(found)


@compile_late(0.5, lambda taken, begin, end, hubs, rests, arcs, *_: 0.5 * len(hubs) + 2 * len(arcs), views=True)
def _count(taken, begin, end, hubs, rests, arcs, bits, mine, marked):  # type: ignore[no-untyped-def]
    """The triangles of which some vertices, those that this thread takes, are the largest."""
    n, with_bits, words = len(hubs), bits.shape[0], bits.shape[1]
    found = np.int64(0)
    while True:
        first = fetch_and_add(taken, 0, TAKEN)
        if first >= n:
            return found
        for u in range(first, min(n, first + TAKEN)):
            if hubs[u] + rests[u] < 2:
                continue
            to_hubs = arcs[begin[u] : begin[u] + hubs[u]]
            to_rest = arcs[end[u] - rests[u] : end[u]]
            _mark(mine, to_hubs)
            if len(to_hubs) < FEW:
                for v in to_hubs:
                    for w in to_hubs:
                        found += np.int64(bits[v, w >> 6] >> np.uint64(w & 63) & np.uint64(1)) if w < v else 0
            else:
                for v in to_hubs:
                    found += _count_common(bits, v, mine, (v >> 6) + 1)
            if len(to_rest):
                _mark(marked, to_rest)
                for v in to_rest:
                    if v >= with_bits or hubs[v] < words:
                        for k in range(begin[v], begin[v] + hubs[v]):
                            found += _test(mine, arcs[k])
                    elif len(to_hubs):
                        found += _count_common(bits, v, mine, words)
                    for k in range(end[v] - rests[v], end[v]):
                        found += _test(marked, arcs[k])
                _unmark(marked, to_rest)
            _unmark(mine, to_hubs)


@njit(inline="always")
def _close_common(bits, both, v, mine, mine_both, count, ways, closed):  # type: ignore[no-untyped-def]
    """What u and v get of their common hubs, to which `ways` arcs are added each."""
    of_u, of_v = np.uint64(0), np.uint64(0)
    for k in range(count):
        common = bits[v, k] & mine[k]
        if common:
            found = popcount(common)
            of_u += found + popcount(common & both[v, k])
            of_v += found + popcount(common & mine_both[k])
            while common:
                rest = common & (common - np.uint64(1))
                closed[(k << 6) + np.int64(popcount((common ^ rest) - np.uint64(1)))] += ways
                common = rest
    return np.int64(of_u), np.int64(of_v)


@njit(inline="always")
def _close_list(first, last, arcs, arc_ways, marks, marks_both, ways, closed):  # type: ignore[no-untyped-def]
    """The same of the heads of some arcs of v that are marked."""
    of_u, of_v = np.int64(0), np.int64(0)
    for k in range(first, last):
        w = arcs[k]
        if _test(marks, w):
            of_u += 1 + arc_ways[k] if len(arc_ways) else 2
            of_v += 1 + _test(marks_both, w)
            closed[w] += ways
    return of_u, of_v


@njit(inline="always")
def _mark_both(words, first, last, arcs, ways):  # type: ignore[no-untyped-def]
    """Set the bits of the heads of some arcs that are there both ways."""
    for k in range(first, last):
        if ways[k]:
            words[arcs[k] >> 6] |= np.uint64(1) << np.uint64(arcs[k] & 63)


@compile_late(0.8, lambda taken, begin, end, hubs, rests, arcs, *_: len(hubs) + 8 * len(arcs), views=True)
def _close(  # type: ignore[no-untyped-def]
    taken, begin, end, hubs, rests, arcs, bits, mine, marked, ways, both, mine_both, marked_both, closed
):
    """The arcs between the neighbours of each vertex, of triangles whose largest vertices this thread takes.

    A triangle adds to each of its vertices the number of arcs between the other two.
    """
    n, with_bits, words, directed = len(hubs), bits.shape[0], bits.shape[1], len(ways) > 0
    while True:
        start = fetch_and_add(taken, 0, TAKEN)
        if start >= n:
            return 0
        for u in range(start, min(n, start + TAKEN)):
            if hubs[u] + rests[u] < 2:
                continue
            hub, hub_end, rest, rest_end = begin[u], begin[u] + hubs[u], end[u] - rests[u], end[u]
            _mark(mine, arcs[hub:hub_end])
            _mark(marked, arcs[rest:rest_end])
            if directed:
                _mark_both(mine_both, hub, hub_end, arcs, ways)
                _mark_both(marked_both, rest, rest_end, arcs, ways)
            for i in range(hubs[u] + rests[u]):
                k = hub + i if i < hubs[u] else rest + i - hubs[u]
                v, two = arcs[k], np.int64(1 + ways[k] if directed else 2)
                of_u, of_v = np.int64(0), np.int64(0)
                if v < with_bits:
                    top = min(words, (v >> 6) + 1)
                    of_u, of_v = _close_common(bits, both, v, mine, mine_both, top, two, closed)
                else:
                    last = begin[v] + hubs[v]
                    of_u, of_v = _close_list(begin[v], last, arcs, ways, mine, mine_both, two, closed)
                more_u, more_v = _close_list(end[v] - rests[v], end[v], arcs, ways, marked, marked_both, two, closed)
                closed[u] += of_u + more_u
                closed[v] += of_v + more_v
            _unmark(mine, arcs[hub:hub_end])
            _unmark(marked, arcs[rest:rest_end])
            if directed:
                _unmark(mine_both, arcs[hub:hub_end])
                _unmark(marked_both, arcs[rest:rest_end])


def count_closed(oriented: Oriented) -> Any:
    """The arcs between the neighbours of each vertex: twice its triangles, of an undirected graph."""
    workers, taken = choose_workers(oriented), np.zeros(1, np.int64)
    closed = np.zeros((workers, oriented.order.size), np.int64)
    directed, ways = oriented.ways.size > 0, (oriented.ways, oriented.both)

    def work(worker: int) -> None:
        marks = make_marks(oriented)
        both = make_marks(oriented) if directed else marks
        _close(taken, *list_rows(oriented), *marks, *ways, *both, closed[worker])

    run_for_each(work, range(workers))
    counts = np.empty(oriented.order.size, np.int64)
    counts[oriented.order] = closed.sum(axis=0)
    return counts


def count_all(oriented: Oriented) -> int:
    """The number of triangles."""
    taken, given = np.zeros(1, np.int64), list_rows(oriented)
    return sum(run_for_each(lambda _: _count(taken, *given, *make_marks(oriented)), range(choose_workers(oriented))))


def list_rows(oriented: Oriented) -> tuple[Any, ...]:
    """What both kernels read."""
    return oriented.begin, oriented.end, oriented.hubs, oriented.rests, oriented.arcs, oriented.bits


def make_marks(oriented: Oriented) -> tuple[Any, Any]:
    """A bit for each hub, and for each vertex; a kernel that makes no array itself compiles in half the time."""
    return np.zeros(oriented.bits.shape[1], np.uint64), np.zeros((oriented.order.size >> 6) + 1, np.uint64)


def choose_workers(oriented: Oriented) -> int:
    """The number of threads."""
    return count_workers() if oriented.arcs.size >= WORTH_A_THREAD else 1
