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
def _pick(members, begin, end, indptr, wanted, low, high, best, largest, far):  # type: ignore[no-untyped-def]
    """Of some members that which may be farthest from others, or the most central one; -1 if none waits."""
    chosen = -1
    for i in range(begin, end):
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
            least, last = e - away[w], back[w] + e
            least = back[w] if back[w] > least else least
            low[w] = least if least > low[w] else low[w]
            high[w] = last if last < high[w] else high[w]
            most = low[w] if low[w] > most else most
    return most


@njit()
def bound_components(  # type: ignore[no-untyped-def]
    graph, reverse, members, begin, label, wanted, low, high, largest
):
    """Narrow the bounds of one component after the other until they meet, or may not exceed the largest.

    A graph is its arrays, then distances that are -1 before and after, and room for a queue. `reverse` is None for a
    symmetric graph: by this type, the search that it does not need is not compiled.
    """
    indptr, indices, away, queue = graph
    best = np.int32(0)
    anywhere, inside = np.bool_(False), np.bool_(True)  # constants would be two types
    for c in range(len(begin) - 1):
        rounds = 0
        while True:
            v = _pick(members, begin[c], begin[c + 1], indptr, wanted, low, high, best, largest, rounds % 2 == 1)
            if v < 0:
                break
            count = search(indptr, indices, v, label, anywhere, away, queue)
            e = away[queue[count - 1]]
            if reverse is None:
                most = _tighten(count, queue, away, away, label, label[v], e, low, high)
            else:
                into, tails, back, back_queue = reverse
                met = search(into, tails, v, label, inside, back, back_queue)
                most = _tighten(met, back_queue, away, back, label, label[v], e, low, high)
                for i in range(met):
                    back[back_queue[i]] = -1
            for i in range(count):
                away[queue[i]] = -1
            low[v], high[v] = e, e
            most = e if e > most else most
            best, rounds = most if most > best else best, rounds + 1


def make_room(n: int) -> tuple[Any, Any]:
    """Distances of which none is known, and room for a queue."""
    return np.full(n, -1, np.int32), np.empty(n, np.int32)


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
    graphs = [(csr.indptr, csr.indices, *make_room(G.n)) for csr in ((G.csr,) if symmetric else (G.csr, G.csc))]
    joined = np.concatenate([members[:0], *pieces])
    bound_components(graphs[0], None if symmetric else graphs[1], joined, begin, label, wanted, low, high, largest)
    bounds.low[:], bounds.high[:] = low, high
