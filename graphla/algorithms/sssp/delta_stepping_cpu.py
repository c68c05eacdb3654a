"""Delta-stepping on one core: a radix queue of buckets, and a final pull over the remaining vertices.

The bucket of a vertex is ``floor(d / delta)``. The buckets that the queue returns never decrease, so a bucket can be
stored in a list chosen by the highest bit in which it differs from the current bucket (the radix heap of Ahuja,
Mehlhorn, Orlin and Tarjan). 65 lists suffice for any range of weights, no empty bucket is visited, and a vertex moves
at most once per bit. The lists are linked through the vertices, so nothing is allocated, and a distance that improves
within its list causes no move.

Arcs that end beyond a limit are deferred. If the vertices not settled below the limit have fewer arcs than the settled
ones, each of them pulls over its entering arcs, and the deferred arcs are never relaxed. Otherwise the limit doubles,
and the settled vertices relax the next slice of arcs.
"""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false, reportReturnType=false
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import run_for_each

LISTS = 65
AFTER, BEFORE, LIST = 0, 1, 2  # columns of the links
OUTSIDE = -1  # the vertex is in no list
LAST_BUCKET = 2.0**62


@intrinsic
def _count_leading_zeros(typing_context: Any, x: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], context.get_constant(types.boolean, False))

    return types.int64(types.int64), build


_count_leading_zeros.in_python = lambda x: 64 - int(x).bit_length()


def _measure(A: Any, passes: float) -> float:
    """The microseconds, about, that Python takes for all arcs, as many times as that."""
    return passes * (len(A[0]) + len(A[1]))


@njit(inline="always")
def _find_bucket(distance: Any, per_delta: float) -> int:
    """Return ``floor(distance / delta)``, limited to the range of int64; it is monotone in the distance."""
    bucket = np.float64(distance) * per_delta
    return np.int64(bucket if bucket < LAST_BUCKET else LAST_BUCKET)


@njit(inline="always")
def _find_list(bucket: int, now: int) -> int:
    """Return 0 for the current bucket, else 1 + the highest bit in which the two buckets differ."""
    return 64 - _count_leading_zeros(bucket ^ now)


def _make_queue(n: int) -> Any:
    """Allocate linked rings: one row per vertex (next, previous, list), then one row per list."""
    links = np.full((n + LISTS, 3), OUTSIDE, np.int32)
    links[n:, AFTER] = links[n:, BEFORE] = np.arange(n, n + LISTS)
    return links


@njit(inline="always")
def _file(v: int, k: int, n: int, links: Any) -> None:
    """Move vertex v into list k."""
    if links[v, LIST] != OUTSIDE:
        links[links[v, BEFORE], AFTER] = links[v, AFTER]
        links[links[v, AFTER], BEFORE] = links[v, BEFORE]
    first = links[n + k, AFTER]
    links[v, AFTER], links[v, BEFORE], links[v, LIST] = first, n + k, k
    links[first, BEFORE], links[n + k, AFTER] = v, v


def _file_alone(v: int, links: Any) -> None:
    """Put vertex v into the empty list 0."""
    n = links.shape[0] - LISTS
    links[v] = n, n, 0
    links[n, :LIST] = v


@njit(inline="always")
def _take_all(k: int, n: int, links: Any) -> int:
    """Empty list k and return its first vertex; the links lead to the others and end with a number of n or more."""
    first = links[n + k, AFTER]
    links[n + k, AFTER] = links[n + k, BEFORE] = n + k
    return first


@inner()
def _open_next_bucket(distance: Any, per_delta: float, links: Any) -> int:
    """Redistribute the lowest non-empty list around its smallest bucket; return that bucket, or -1 if all are empty."""
    n, k = len(distance), 1
    while k < LISTS and links[n + k, AFTER] == n + k:
        k += 1
    if k == LISTS:
        return -1
    v, smallest = links[n + k, AFTER], np.int64(2**62)
    while v < n:
        bucket = _find_bucket(distance[v], per_delta)
        smallest, v = bucket if bucket < smallest else smallest, links[v, AFTER]
    v = _take_all(k, n, links)
    while v < n:
        following, links[v, LIST] = links[v, AFTER], OUTSIDE
        _file(v, _find_list(_find_bucket(distance[v], per_delta), smallest), n, links)
        v = following
    return smallest


@njit(inline="always")
def _add(d: Any, w: Any, infinity: Any) -> Any:
    """Return d + w, or infinity if the sum overflows."""
    return d + w if w < infinity - d else infinity


@inner()
def _relax(
    u: int, low: Any, high: Any, now: int, scale: Any, indptr: Any, indices: Any, weights: Any,
    distance: Any, parent: Any, links: Any,
) -> None:  # fmt: skip
    """Relax the arcs of u that end at a distance in [low, high); `scale` is (1 / delta, infinity)."""
    per_delta, infinity = scale
    d = distance[u]
    for e in range(indptr[u], indptr[u + 1]):
        far = _add(d, weights[e], infinity)
        if low <= far < high:
            v = indices[e]
            if far < distance[v]:
                distance[v] = far
                if len(parent):
                    parent[v] = u
                k = _find_list(_find_bucket(far, per_delta), now)
                if links[v, LIST] != k:
                    _file(v, k, len(distance), links)


@compile_late(0.5, lambda low, high, zero, scale, A, *_: _measure(A, 0.4), views=True)
def _drain(low: Any, high: Any, zero: Any, scale: Any, A: Any, distance: Any, parent: Any, links: Any) -> int:
    """Empty the queue in the order of the buckets from that of `low`; return the arcs of the removed vertices."""
    indptr, indices, weights = A
    n, arcs = len(distance), 0
    now = _find_bucket(low, scale[0])
    while now >= 0:
        while links[n, AFTER] != n:
            u = _take_all(0, n, links)
            while u < n:
                links[u, LIST], following = OUTSIDE, links[u, AFTER]
                arcs += indptr[u + 1] - indptr[u]
                _relax(u, zero, high, now, scale, indptr, indices, weights, distance, parent, links)
                u = following
        now = _open_next_bucket(distance, scale[0], links)
    return arcs


@compile_late(0.3, lambda who, low, high, scale, A, *_: _measure(A, 0.2), views=True)
def _sweep(who: Any, low: Any, high: Any, scale: Any, A: Any, distance: Any, parent: Any, links: Any) -> int:
    """Relax the arcs that end in [low, high) of all vertices with a distance in the range `who`."""
    indptr, indices, weights = A
    now, arcs = _find_bucket(low, scale[0]), 0
    for u in range(len(distance)):
        if who[0] <= distance[u] < who[1]:
            arcs += indptr[u + 1] - indptr[u]
            _relax(np.int32(u), low, high, now, scale, indptr, indices, weights, distance, parent, links)
    return arcs


@compile_late(0.2, lambda limit, end, infinity, A, *_: _measure(A, 0.2), views=True)
def _pull(limit: Any, end: Any, infinity: Any, AT: Any, distance: Any, parent: Any) -> int:
    """Compute d[v] = min over settled u of d[u] + w(u, v), for each v beyond the limit, if it is below the end."""
    indptr, indices, weights = AT
    arcs = 0
    for v in range(len(distance)):
        if distance[v] >= limit:
            best, via = distance[v], np.int32(-1)
            arcs += indptr[v + 1] - indptr[v]
            for e in range(indptr[v], indptr[v + 1]):
                d = distance[indices[e]]
                if d < limit:
                    far = _add(d, weights[e], infinity)
                    if far < best and far < end:
                        best, via = far, indices[e]
            distance[v] = best
            if len(parent):
                parent[v] = via
    return arcs


@compile_late(0.1, lambda indptr, *_: 0.3 * len(indptr), views=True)
def _measure_settled(indptr: Any, limit: Any, zero: Any, distance: Any) -> tuple[int, Any]:
    """Return the number of arcs of the vertices nearer than `limit`, and the largest of their distances."""
    arcs, deepest = 0, zero
    for v in range(len(distance)):
        if distance[v] < limit:
            arcs += indptr[v + 1] - indptr[v]
            deepest = distance[v] if distance[v] > deepest else deepest
    return arcs, deepest


def solve(
    A: Any, AT: Any, source: int, delta: float, limit: Any, heaviest: Any, end: Any, distance: Any, parent: Any
) -> int:
    """Solve for one source into `distance` (initially infinite) and `parent` (-1, or empty); return the arcs read.

    Distances from `end` on are not looked for.
    """
    infinity, zero = distance[source], distance.dtype.type(0)
    scale, limit = (1.0 / delta, infinity), min(limit, end)
    links = _make_queue(distance.size)
    distance[source] = 0
    if parent.size:
        parent[source] = source
    _file_alone(source, links)
    arcs = _drain(zero, limit, zero, scale, A, distance, parent, links)
    while limit < end:
        settled, deepest = _measure_settled(A[0], limit, zero, distance)
        if heaviest < infinity - deepest and deepest + heaviest < limit:
            break
        low, past = limit, end
        if A[1].size - settled < settled:
            arcs += _pull(low, end, infinity, AT, distance, parent)
            arcs += _sweep((low, end), low, end, scale, A, distance, parent, links)
        else:
            past = min(distance.dtype.type(low + low) if low < infinity - low else infinity, end)
            arcs += _sweep((zero, low), low, past, scale, A, distance, parent, links)
        limit = past
        arcs += _drain(low, limit, zero, scale, A, distance, parent, links)
    return arcs


def solve_many(
    A: Any, AT: Any, sources: Any, delta: float, limit: Any, heaviest: Any, end: Any, distance: Any, parent: Any
) -> int:
    """Call `solve` for each source, with one row per source; each core takes one source at a time."""
    if len(sources) == 1:
        return solve(A, AT, sources[0], delta, limit, heaviest, end, distance[0], parent[0])
    return sum(
        run_for_each(
            lambda k: solve(A, AT, sources[k], delta, limit, heaviest, end, distance[k], parent[k]), range(len(sources))
        )
    )
