"""Delta-stepping by the ranks of one machine, in one kernel each, which meet in memory that they share.

A rank has the leaving arcs of its vertices. It relaxes those of its vertices nearer than the end of the bucket until
none is left; a distance that a vertex of another rank may take goes into the box from this rank to that one. Then all
meet, and each empties its boxes. Once there is nothing more to do below the end, the nearest vertex on any rank decides
on the next one. There are two sets of boxes in turn, so that a box is emptied while the next one is filled. Distances
lie in shared memory, and only their owner writes them; others look there whether sending is worth it.
"""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.meeting import meet

FREE, NEAR, FAR = 0, 1, 2  # in which list a vertex is
BUSY, COUNTS = 0, 1  # what a rank posts: whether it has more to do, and the entries of its boxes
BEGIN, SIZE, FARS, ARC = 0, 1, 2, 3  # of the ring of near vertices; of the far ones; the arc to go on from, or -1


@njit(inline="always")
def _append(v, ring, state):  # type: ignore[no-untyped-def]
    """Put a vertex at the end of the near ones; each is there once at most."""
    at = state[BEGIN] + state[SIZE]
    ring[at - ring.size if at >= ring.size else at] = v
    state[SIZE] += 1


@inner()
def _lower(v, d, via, end, distance, parent, where, ring, far, state):  # type: ignore[no-untyped-def]
    """Give the own vertex v a smaller distance, and put it into a list."""
    distance[v] = d
    if parent.size:
        parent[v] = via
    if np.float64(d) < end:
        if where[v] != NEAR:
            where[v] = NEAR
            _append(v, ring, state)
    elif where[v] == FREE:
        where[v] = FAR
        far[state[FARS]] = v
        state[FARS] += 1


@inner()
def _relax_near(first, width, rank, end, none, arcs, distances, parent, where, ring, far, state, counts, boxes):  # type: ignore[no-untyped-def]
    """Relax the arcs of near vertices until there are none, or a box is full; then `state` tells where to go on."""
    indptr, indices, weights = arcs
    heads, tails, found = boxes
    own, most = distances[first : first + where.size], heads.shape[1]
    while state[SIZE] > 0:
        u = ring[state[BEGIN]]
        d, k = own[u], indptr[u] if state[ARC] < 0 else state[ARC]
        while k < indptr[u + 1]:
            p, w = np.int64(indices[k]), weights[k]
            if w < none - d and d + w < distances[p]:
                if first <= p < first + width:
                    _lower(p - first, own.dtype.type(d + w), u + first, end, own, parent, where, ring, far, state)
                else:
                    to = p // width
                    if counts[to] == most:
                        state[ARC] = k
                        return
                    heads[to, counts[to]] = p - to * width
                    tails[to, counts[to]] = u + first
                    found[to, counts[to]] = d + w
                    counts[to] += 1
            k += 1
        state[ARC] = -1
        state[BEGIN] = 0 if state[BEGIN] + 1 == ring.size else state[BEGIN] + 1
        state[SIZE] -= 1
        where[u] = FREE


@inner()
def _find_nearest(distance, where, far, state):  # type: ignore[no-untyped-def]
    """The least distance of the far vertices; those that have come near meanwhile leave the list."""
    nearest, left = np.inf, 0
    for i in range(state[FARS]):
        v = far[i]
        if where[v] == FAR:
            nearest = min(nearest, np.float64(distance[v]))
            far[left] = v
            left += 1
    state[FARS] = left
    return nearest


@inner()
def _open_bucket(end, distance, where, ring, far, state):  # type: ignore[no-untyped-def]
    """Move the far vertices below `end` to the near ones."""
    left = 0
    for i in range(state[FARS]):
        v = far[i]
        if np.float64(distance[v]) < end:
            where[v] = NEAR
            _append(v, ring, state)
        else:
            far[left] = v
            left += 1
    state[FARS] = left


@njit()
def run(rank, ranks, width, source, delta, none, arcs, distances, parent, where, lists, state, shared):  # type: ignore[no-untyped-def]
    """Compute the distances of the own vertices, and their parents as places; return how often the ranks have met."""
    arrived, posts, nearests, heads, tails, found = shared
    ring, far = lists
    first, end, round = rank * width, delta, 0
    own = distances[first : first + where.size]
    if 0 <= source - first < where.size:
        _lower(source - first, own.dtype.type(0), source, np.inf, own, parent, where, ring, far, state)
    round += 1
    meet(arrived, rank, ranks, round)
    while True:
        turn = round & 1
        counts = posts[turn, rank, COUNTS:]
        counts[:] = 0
        boxes = heads[turn, rank], tails[turn, rank], found[turn, rank]
        _relax_near(first, width, rank, end, none, arcs, distances, parent, where, ring, far, state, counts, boxes)
        posts[turn, rank, BUSY] = state[SIZE]
        round += 1
        meet(arrived, rank, ranks, round)
        busy = np.int64(0)
        for other in range(ranks):
            busy += posts[turn, other].sum()
            for i in range(posts[turn, other, COUNTS + rank]):
                v, d = heads[turn, other, rank, i], found[turn, other, rank, i]
                if d < own[v]:
                    if state[ARC] >= 0 and ring[state[BEGIN]] == v:
                        state[ARC] = -1  # all of its arcs once more
                    _lower(v, d, tails[turn, other, rank, i], end, own, parent, where, ring, far, state)
        if busy:
            continue
        nearests[turn, rank, 0] = _find_nearest(own, where, far, state)
        round += 1
        meet(arrived, rank, ranks, round)
        nearest = np.inf
        for other in range(ranks):
            nearest = min(nearest, nearests[turn, other, 0])
        if nearest == np.inf:
            return round
        end = max((np.floor(nearest / delta) + 1) * delta, np.nextafter(nearest, np.inf))
        _open_bucket(end, own, where, ring, far, state)
