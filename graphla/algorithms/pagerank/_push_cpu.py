"""Forward push on a CPU: queues of vertices whose residual is too large, and arrays that are cleared where touched.

A workspace has room for all vertices and is zero between queries; a query touches, lists and clears what it reaches, so
that neither its time nor its memory grow with the graph. Dangling ranks that return to the seeds are left out, and all
ranks divided by what is then missing: both solve one linear system.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.nearby_cpu import extend
from graphla.engine.cpu.jit import inner, njit

FINER = 4.0
"""The threshold is divided by this when no residual is above it, and the bound is not met yet."""
GIVEN_UP = -1
"""The end of the list of a query that has walked along too many arcs."""
LISTED, WAITS = np.uint8(1), np.uint8(2)


def make_workspace(n: int) -> tuple[Any, ...]:
    """Ranks, residuals, states, the vertices that are touched, and two queues."""
    lists = (np.empty(n, np.int32) for _ in range(3))
    return (np.zeros(n), np.zeros(n), np.zeros(n, np.uint8), *lists)


@inner()
def _count_arcs(indptr, v):  # type: ignore[no-untyped-def]
    """The leaving arcs of a vertex, 1 if there are none."""
    return max(np.int64(1), np.int64(indptr[v + 1] - indptr[v]))


@inner()
def _add(v, mass, least, work, queue, counts):  # type: ignore[no-untyped-def]
    """Add to a residual; list the vertex if it is new, and let it wait if its residual is above the least one."""
    _, residuals, states, touched, _, _ = work
    residuals[v] += mass
    if not states[v] & LISTED:
        states[v] |= LISTED
        touched[counts[0]] = v
        counts[0] += 1
    if not states[v] & WAITS and residuals[v] > least:
        states[v] |= WAITS
        queue[counts[1]] = v
        counts[1] += 1


@inner()
def _push(waiting, queue, other, A, values, sinks, damping, threshold, work, counts):  # type: ignore[no-untyped-def]
    """p⟨f⟩ += r; r⟨f⟩ = 0; r += d Aᵀ (f.r / out) + d lost q: a round over the frontier f.

    Return how many wait in the other queue then, and what was lost.
    """
    indptr, indices, inverse = A
    ranks, residuals, states, _, _, _ = work
    lost, counts[1] = 0.0, 0
    for i in range(waiting):
        u = queue[i]
        mass = residuals[u]
        ranks[u] += mass
        residuals[u] = 0.0
        states[u] &= LISTED
        if inverse[u] == 0:
            lost += mass
        counts[2] += indptr[u + 1] - indptr[u]
        share = damping * mass * inverse[u]
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            part = share if values is None else share * values[e]
            _add(v, part, threshold * _count_arcs(indptr, v), work, other, counts)
    vertices, shares = sinks
    for i in range(vertices.size if lost > 0 else 0):
        v = vertices[i]
        _add(v, damping * lost * shares[i], threshold * _count_arcs(indptr, v), work, other, counts)
    return counts[1], lost


@inner()
def _list_waiting(indptr, threshold, work, count):  # type: ignore[no-untyped-def]
    """Let all wait whose residual is above a threshold; return how many, and the sum of all residuals."""
    _, residuals, states, touched, queue, _ = work
    waiting, total = 0, 0.0
    for i in range(count):
        v = touched[i]
        total += residuals[v]
        if residuals[v] > threshold * _count_arcs(indptr, v):
            states[v] |= WAITS
            queue[waiting] = v
            waiting += 1
    return waiting, total


@inner()
def _are_certain(top, count, lead, work):  # type: ignore[no-untyped-def]
    """Whether no other vertex can come to the first ones: p + b w is a bound of all ranks, where b (w − d P w) ≥ r."""
    ranks, residuals, _, touched, _, _ = work
    weights, slack, heaviest = lead
    if count < top:
        return False
    found, most = np.empty(count), 0.0
    for i in range(count):
        found[i] = ranks[touched[i]]
        most = max(most, residuals[touched[i]] / slack[touched[i]])
    least = np.partition(found, count - top)[count - top]
    if least <= most * heaviest[0]:
        return False
    chosen = 0
    for i in range(count):
        if found[i] >= least:
            chosen += 1
        elif found[i] + most * weights[touched[i]] > least:
            return False
    return chosen == top


@inner()
def _answer(A, values, seeds, sinks, damping, returns, bounds, top, lead, work):  # type: ignore[no-untyped-def]
    """Push from one seed set until the bound is met, or the first ones are certain.

    Return how many vertices are touched, and by what their ranks are multiplied: by 0 after more than `patience` arcs.
    """
    indptr, (tolerance, epsilon, patience), (vertices, shares, first, last) = A[0], bounds, seeds
    counts, threshold, scale, stuck = np.zeros(3, np.int64), 0.0, 1.0, 0.0
    for i in range(first, last):
        v = vertices[i]
        _add(v, (1 - damping) * shares[i], np.inf, work, work[4], counts)
        threshold = max(threshold, work[1][v] / _count_arcs(indptr, v))
    while True:
        threshold = max(threshold / FINER, epsilon / scale)
        waiting, total = _list_waiting(indptr, threshold, work, counts[0])
        if scale * total <= tolerance or (waiting == 0 and threshold <= epsilon / scale):
            return counts[0], scale
        if top and _are_certain(top, counts[0], lead, work):
            return counts[0], scale
        queue, other = work[4], work[5]
        while waiting:
            waiting, lost = _push(waiting, queue, other, A, values, sinks, damping, threshold, work, counts)
            if counts[2] > patience:
                return counts[0], 0.0
            stuck += lost
            queue, other = other, queue
        if returns:
            scale = (1 - damping) / (1 - damping - damping * stuck)


@njit()
def push_each(indptr, indices, values, inverse, seeds, sinks, damping, returns, bounds, top, lead, work):  # type: ignore[no-untyped-def]
    """The ends of the lists of all seed sets, their vertices in order, and the ranks; `work` is clear again.

    Dangling ranks go to the `sinks`; if these are none, they are lost, or return to the seeds.
    """
    ranks, residuals, states, touched, _, _ = work
    ends, used, A = np.empty(seeds[2].shape[0], np.int64), 0, (indptr, indices, inverse)
    vertices, found = np.empty(64, np.int32), np.empty(64)
    for k in range(ends.size):
        start = seeds[0], seeds[1], seeds[2][k, 0], seeds[2][k, 1]
        count, scale = _answer(A, values, start, sinks, damping, returns, bounds, top, lead, work)
        touched[:count].sort()
        if used + count > found.size:
            vertices, found = extend(vertices, used, count), extend(found, used, count)
        for i in range(count):
            v = touched[i]
            if scale * ranks[v] > 0:
                vertices[used], found[used] = v, scale * ranks[v]
                used += 1
            ranks[v], residuals[v], states[v] = 0.0, 0.0, 0
        ends[k] = used if scale > 0 else GIVEN_UP
    return ends, vertices[:used], found[:used]
