"""Make a separator smaller: it is shifted toward one side, vertex by vertex, and stays where it was best.

A vertex of the separator goes to one side, and its neighbours on the other side come in. Next is always the one that
makes the separator lightest. So all of it moves in one direction, and passes over places where it is heavier.

C. M. Fiduccia, R. M. Mattheyses, "A linear-time heuristic for improving network partitions", DAC 1982; C. Ashcraft,
J. W. H. Liu, "Using domain decomposition to find graph bisectors", BIT 37(3), 1997; B. Hendrickson, E. Rothberg,
"Improving the run time and quality of nested dissection ordering", SIAM J. Sci. Comput. 20(2), 1998.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.engine.cpu.jit import inner

BETWEEN = 2
"""The separator, beside the sides 0 and 1."""
SHIFTS = 4
"""The most shifts of a separator on a level."""
PATIENCE = 60
"""Moves, beside two for each vertex of the separator, that it may be heavier than it was."""
SHARE = 0.6
"""Part of all weights that a side may have."""
TILT = 0.01
"""Part by which a separator is worse that leaves all on one side."""


class Scratch(NamedTuple):
    """What a shift takes: the weight of each vertex's neighbours beyond, a heap of keys, a log of changes."""

    beyond: Any
    heap: Any
    log: Any


@inner()
def make_scratch(n, arcs):  # type: ignore[no-untyped-def]
    """Room for a graph: each vertex comes in once, and each arc has the key of its head renewed once."""
    return Scratch(np.empty(n, np.int32), np.empty(2 * n + arcs, np.int64), np.empty(2 * n, np.int64))


@inner()
def push(heap, count, key):  # type: ignore[no-untyped-def]
    """Add a key to a heap of so many, the highest on top; returns how many there are."""
    k = count
    while k and heap[(k - 1) >> 1] < key:
        heap[k] = heap[(k - 1) >> 1]
        k = (k - 1) >> 1
    heap[k] = key
    return count + 1


@inner()
def pop(heap, count):  # type: ignore[no-untyped-def]
    """Take the key on top off a heap of so many; returns how many there are."""
    count -= 1
    key, k = heap[count], 0
    while 2 * k + 1 < count:
        child = 2 * k + 1
        if child + 1 < count and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= key:
            break
        heap[k] = heap[child]
        k = child
    heap[k] = key
    return count


@inner()
def make_key(v, weights, beyond):  # type: ignore[no-untyped-def]
    """What the separator loses if a vertex leaves it, above the vertex."""
    return ((np.int64(weights[v]) - beyond[v]) << 32) + v


@inner()
def rate(sums):  # type: ignore[no-untyped-def]
    """How bad a separator is: its weight, a little more where the sides differ, and what a side has too much."""
    total, larger = sums[0] + sums[1] + sums[BETWEEN], max(sums[0], sums[1])
    tilt = (larger - min(sums[0], sums[1])) / total
    return sums[BETWEEN] * (1.0 + TILT * tilt) + max(0.0, larger - SHARE * total)


@inner()
def change(v, side, new, weights, sums):  # type: ignore[no-untyped-def]
    """Let a vertex change its side."""
    sums[side[v]] -= weights[v]
    sums[new] += weights[v]
    side[v] = new


@inner()
def bring_in(u, whence, start, heads, weights, side, S, count):  # type: ignore[no-untyped-def]
    """Renew keys after a vertex of the side `whence` has come into the separator; returns how long the heap is."""
    S.beyond[u] = 0
    for e in range(start[u], start[u + 1]):
        x = heads[e]
        if side[x] == whence:
            S.beyond[u] += weights[x]
        elif side[x] == BETWEEN:
            S.beyond[x] -= weights[u]
            count = push(S.heap, count, make_key(x, weights, S.beyond))
    return push(S.heap, count, make_key(u, weights, S.beyond))


@inner()
def fill_heap(whence, start, heads, weights, side, S):  # type: ignore[no-untyped-def]
    """Make the heap of the separator's vertices; returns how many there are."""
    count = 0
    for v in range(len(weights)):
        if side[v] != BETWEEN:
            continue
        S.beyond[v] = 0
        for e in range(start[v], start[v + 1]):
            if side[heads[e]] == whence:
                S.beyond[v] += weights[heads[e]]
        count = push(S.heap, count, make_key(v, weights, S.beyond))
    return count


@inner()
def shift(to, patience, start, heads, weights, side, sums, S):  # type: ignore[no-untyped-def]
    """Let the side `to` grow, and go back to the best separator met. True if that is better than before."""
    whence, most = 1 - to, SHARE * (sums[0] + sums[1] + sums[BETWEEN])
    count = fill_heap(whence, start, heads, weights, side, S)
    since, logged, kept, patience = 0, 0, 0, patience + 2 * count
    begun = best = rate(sums)
    while count and since < patience:
        key = S.heap[0]
        v, count = key & 0xFFFFFFFF, pop(S.heap, count)
        if side[v] != BETWEEN or key != make_key(v, weights, S.beyond):
            continue  # it has gone, or has a newer key
        if sums[to] + weights[v] > most:
            break
        change(v, side, to, weights, sums)
        S.log[logged] = 4 * v + BETWEEN
        logged += 1
        for e in range(start[v], start[v + 1]):
            u = heads[e]
            if side[u] == whence:
                change(u, side, BETWEEN, weights, sums)
                S.log[logged] = 4 * u + whence
                logged += 1
                count = bring_in(u, whence, start, heads, weights, side, S, count)
        since, here = since + 1, rate(sums)
        if here < best:
            best, kept, since = here, logged, 0
    for k in range(logged - 1, kept - 1, -1):
        change(S.log[k] >> 2, side, S.log[k] & 3, weights, sums)
    return best < begun


@inner()
def refine(start, heads, weights, side, sums, S):  # type: ignore[no-untyped-def]
    """Shift a separator to and fro, as long as one of both makes it better."""
    to, failed = 0 if sums[0] < sums[1] else 1, 0
    for _ in range(SHIFTS):
        failed = 0 if shift(to, PATIENCE, start, heads, weights, side, sums, S) else failed + 1
        if failed == 2:
            break
        to = 1 - to
