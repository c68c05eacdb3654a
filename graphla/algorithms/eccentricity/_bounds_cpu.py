"""The same bounds on one core by searches that touch only what they reach, one component after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.components import components
from graphla.algorithms.eccentricity._bounds import Bounds
from graphla.engine.cpu.jit import inner, njit


@inner()
def search(indptr, indices, source, label, within, distance, queue):  # type: ignore[no-untyped-def]
    """The number of vertices that are reached; they stand in the queue. `within` keeps it inside the component."""
    home = label[source]
    distance[source], queue[0] = 0, source
    place, size = 0, 1
    while place < size:
        u = queue[place]
        place += 1
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if distance[v] < 0 and (not within or label[v] == home):
                distance[v], queue[size] = distance[u] + 1, v
                size += 1
    return size


@inner()
def _pick(members, indptr, wanted, low, high, best, largest, far):  # type: ignore[no-untyped-def]
    """The member that may be farthest from others, or the most central one; -1 if none waits."""
    chosen = -1
    for i in range(members.size):
        v = members[i]
        if not wanted[v] or high[v] <= (best if largest else low[v]):
            continue
        if chosen < 0:
            chosen = v
            continue
        a, b = (high[v], high[chosen]) if far else (low[chosen], low[v])
        if a > b or (a == b and indptr[v + 1] - indptr[v] > indptr[chosen + 1] - indptr[chosen]):
            chosen = v
    return chosen


@inner()
def _tighten(count, reached, away, back, label, home, e, low, high):  # type: ignore[no-untyped-def]
    """Use the distances from a vertex and to it, of its own component; return the largest lower bound."""
    most = np.int32(0)
    for i in range(count):
        w = reached[i]
        if label[w] == home:
            low[w] = max(low[w], max(back[w], e - away[w]))
            high[w] = min(high[w], back[w] + e)
            most = max(most, low[w])
    return most


@njit()
def bound_components(  # type: ignore[no-untyped-def]
    graph, reverse, members, begin, label, wanted, low, high, largest
):
    """Narrow the bounds of one component after the other until they meet, or may not exceed the largest.

    `reverse` is None for a symmetric graph: by this type, the search that it does not need is not compiled.
    """
    indptr, indices = graph
    n, best = label.size, np.int32(0)
    anywhere, inside = np.bool_(False), np.bool_(True)  # constants would be two types
    away, back = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    queue, back_queue = np.empty(n, np.int32), np.empty(n, np.int32)
    for c in range(begin.size - 1):
        part, rounds = members[begin[c] : begin[c + 1]], 0
        while True:
            v = _pick(part, indptr, wanted, low, high, best, largest, rounds % 2 == 1)
            if v < 0:
                break
            count = search(indptr, indices, v, label, anywhere, away, queue)
            e = away[queue[count - 1]]
            if reverse is None:
                most = _tighten(count, queue, away, away, label, label[v], e, low, high)
            else:
                met = search(reverse[0], reverse[1], v, label, inside, back, back_queue)
                most = _tighten(met, back_queue, away, back, label, label[v], e, low, high)
                for i in range(met):
                    back[back_queue[i]] = -1
            for i in range(count):
                away[queue[i]] = -1
            low[v], high[v] = e, e
            best, rounds = max(best, max(most, e)), rounds + 1


def bound_hops(G: Any, s: Any, bounds: Bounds, wanted: Any, largest: bool) -> None:
    """Narrow the bounds; of a directed graph those of components of one vertex stay open."""
    symmetric = s.is_symmetric(G)
    label = components(G, kind="weak" if symmetric else "strong").to_numpy()
    members = np.argsort(label, kind="stable").astype(np.int32)
    counts = np.bincount(label, minlength=G.n)
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts > (0 if symmetric else 1))]
    ends = np.cumsum(counts)
    pieces = [members[ends[c] - counts[c] : ends[c]] for c in order]
    begin = np.concatenate([[0], np.cumsum(counts[order])])
    low, high = bounds.low.astype(np.int32), np.full(G.n, G.n, np.int32)
    high[members] = counts[label[members]] - 1 if symmetric else G.n - 1
    high[G.degrees == 0] = 0
    arcs = (G.csr.indptr, G.csr.indices), None if symmetric else (G.csc.indptr, G.csc.indices)
    joined = np.concatenate([members[:0], *pieces])
    bound_components(*arcs, joined, begin, label, wanted, low, high, largest)
    bounds.low[:], bounds.high[:] = low, high
