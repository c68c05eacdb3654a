"""Find a reachable cycle of negative weight: Bellman–Ford–Moore with a queue, and regular searches of the parents.

If there is such a cycle, the parents eventually contain one. They are searched after every n improvements of a distance
(n vertices), so the search costs O(1) per improvement.

Distances of whole numbers are exact: each is a number of units of 2³² and a rest, whose sums do not overflow. Those of
fractions are float64, and their rest is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def _find_on_cycle(parent, state, stamp):  # type: ignore[no-untyped-def]
    """Return a vertex on a cycle of the parents, or −1."""
    for root in range(parent.size):
        v = root
        while v >= 0 and state[v] < stamp:
            state[v] = stamp + root
            v = parent[v]
        if v >= 0 and state[v] == stamp + root:
            return v
    return -1


@njit()
def find_cycle_in_parents(indptr, indices, units, rests, source):  # type: ignore[no-untyped-def]
    """Return the parents and a vertex on a cycle of them, or −1 if there is no negative cycle."""
    n = indptr.size - 1
    distance, rest, known = np.zeros(n, units.dtype), np.zeros(n, np.int64), np.zeros(n, np.bool_)
    parent = np.full(n, -1, np.int64)
    state, stamp = np.full(n, -1, np.int64), np.int64(0)
    queue, waits = np.empty(n + 1, np.int64), np.zeros(n, np.bool_)
    head, tail, improved = 0, 1, 0
    known[source], queue[0], waits[source] = True, source, True
    while head != tail:
        u = queue[head]
        head = (head + 1) % (n + 1)
        waits[u] = False
        for q in range(indptr[u], indptr[u + 1]):
            v = indices[q]
            low = rest[u] + rests[q]
            high, low = distance[u] + units[q] + (low >> 32), low & 0xFFFFFFFF
            if not known[v] or high < distance[v] or (high == distance[v] and low < rest[v]):
                distance[v], rest[v], known[v] = high, low, True
                parent[v] = u
                improved += 1
                if not waits[v]:
                    waits[v] = True
                    queue[tail] = v
                    tail = (tail + 1) % (n + 1)
        if improved > n:
            improved = 0
            found = _find_on_cycle(parent, state, stamp)
            stamp += n + 1
            if found >= 0:
                return parent, found
    return parent, _find_on_cycle(parent, state, stamp)


def split(values: Any) -> tuple[Any, Any]:
    """Split whole numbers into units of 2³² and remainders; leave fractions whole, with remainder 0."""
    if values.dtype.kind == "f":
        return values.astype(np.float64), np.zeros(values.size, np.int64)
    whole = values if values.dtype.itemsize == 8 else values.astype(np.int64)
    bits = whole.dtype.type(32)
    return (whole >> bits).astype(np.int64), (whole & whole.dtype.type(0xFFFFFFFF)).astype(np.int64)


def find_negative_cycle(indptr: Any, indices: Any, values: Any, source: int) -> tuple[int, ...] | None:
    """Return the vertices of a negative cycle that `source` reaches, in the order of its arcs, or None."""
    parent, start = find_cycle_in_parents(indptr, indices, *split(np.asarray(values)), source)
    if start < 0:
        return None
    cycle, v = [int(start)], int(parent[start])
    while v != start:
        cycle.append(v)
        v = int(parent[v])
    return tuple(reversed(cycle))
