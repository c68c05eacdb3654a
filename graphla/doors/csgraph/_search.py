"""Searches in float64 on one core; a thread takes a range of sources.

Rows may be unsorted and have repeated columns. `distance` begins infinite, and `parent` with what it is to hold where
there is no path; an empty `parent` is not written.
"""

from __future__ import annotations

import numpy as np

from graphla.algorithms.sssp.delta_stepping_cpu import AFTER, BEFORE, LISTS, OUTSIDE, _drain, _file
from graphla.algorithms.sssp.negative_cycle import _find_on_cycle
from graphla.engine.cpu.jit import njit

SEED = np.uint64(0x9E3779B97F4A7C15)  # of the hashes of vertices


@njit()
def search_from(sources, reach, step, A, distance, parent):  # type: ignore[no-untyped-def]
    """Delta-stepping from the nearest of some vertices, as far as distances are less than `reach`."""
    n = distance.size
    links = np.full((n + LISTS, 3), OUTSIDE, np.int32)
    for k in range(LISTS):
        links[n + k, AFTER] = links[n + k, BEFORE] = n + k
    for k in range(sources.size):
        distance[sources[k]] = 0
        _file(sources[k], 0, n, links)
    _drain(0.0, reach, 0.0, (1.0 / step, np.inf), A, distance, parent, links)


@njit()
def search_each(first, last, sources, reach, step, A, distance, parent):  # type: ignore[no-untyped-def]
    """`search_from` each of some vertices: one row of distances and of parents per source."""
    for k in range(first, last):
        search_from(sources[k : k + 1], reach, step, A, distance[k], parent[k])


@njit()
def walk_from(sources, reach, A, distance, parent):  # type: ignore[no-untyped-def]
    """Breadth-first search from some vertices: the least numbers of edges, as far as they are less than `reach`."""
    indptr, indices = A[0], A[1]
    queue, end, head = np.empty(distance.size, np.int32), 0, 0
    for k in range(sources.size):
        if distance[sources[k]] != 0:
            distance[sources[k]] = 0
            queue[end] = sources[k]
            end += 1
    while head < end:
        u = queue[head]
        far = distance[u] + 1
        if far >= reach:
            break
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if distance[v] == np.inf:
                distance[v] = far
                if parent.size:
                    parent[v] = u
                queue[end] = v
                end += 1
        head += 1


@njit()
def walk_each(first, last, sources, reach, A, distance, parent):  # type: ignore[no-untyped-def]
    """`walk_from` each of some vertices: one row of distances and of parents per source."""
    for k in range(first, last):
        walk_from(sources[k : k + 1], reach, A, distance[k], parent[k])


@njit()
def relax_round(A, distance, parent, active, following):  # type: ignore[no-untyped-def]
    """Relax the arcs of the active vertices; return how many vertices are nearer, which are `following`."""
    indptr, indices, weights = A
    count = 0
    for u in range(distance.size):
        if active[u]:
            active[u] = False
            for e in range(indptr[u], indptr[u + 1]):
                v, far = indices[e], distance[u] + weights[e]
                if far < distance[v]:
                    distance[v], parent[v] = far, u
                    count += not following[v]
                    following[v] = True
    return count


@njit()
def relax_until_stable(A, distance, parent, active):  # type: ignore[no-untyped-def]
    """Bellman–Ford from the active vertices; return a vertex on a cycle of negative weight, or −1.

    Parents have a cycle only if it is negative; they are looked through after 1, 2, 4, 8 … rounds.
    """
    following = np.zeros(distance.size, np.bool_)
    rounds, check = 0, 1
    while relax_round(A, distance, parent, active, following):
        active, following = following, active
        rounds += 1
        if rounds == check:
            check *= 2
            found = _find_on_cycle(parent, np.full(parent.size, -1, np.int64), 0)
            if found >= 0:
                return found
    return -1


@njit()
def join_rows(first, last, out_indptr, out, into, target, weight):  # type: ignore[no-untyped-def]
    """Write each row of `out` and then that of `into` as one row of (`target`, `weight`)."""
    for v in range(first, last):
        at = out_indptr[v]
        for e in range(out[0][v], out[0][v + 1]):
            target[at], weight[at] = out[1][e], out[2][e]
            at += 1
        for e in range(into[0][v], into[0][v + 1]):
            target[at], weight[at] = into[1][e], into[2][e]
            at += 1


@njit(inline="always")
def _mix(x):  # type: ignore[no-untyped-def]
    """Scramble 64 bits (the finalizer of MurmurHash3)."""
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xFF51AFD7ED558CCD)
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xC4CEB9FE1A85EC53)
    return x ^ (x >> np.uint64(33))


@njit()
def sum_asymmetry(first, last, indptr, indices, bits, weigh):  # type: ignore[no-untyped-def]
    """Add up a hash of each arc and subtract that of the arc in the other direction.

    Of all rows together the sum is 0 if arcs of each weight go both ways, and by chance once in 2⁶⁴ otherwise. `bits`
    are those of the weights, which count if `weigh` is 1 and not if it is 0.
    """
    total = np.uint64(0)
    for u in range(first, last):
        tail = _mix(np.uint64(u) ^ SEED)
        for e in range(indptr[u], indptr[u + 1]):
            head, weight = _mix(np.uint64(indices[e]) ^ SEED), weigh * bits[e]
            total += _mix(tail + np.uint64(3) * head + weight) - _mix(head + np.uint64(3) * tail + weight)
    return total
