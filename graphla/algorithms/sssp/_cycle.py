"""Find a reachable cycle of negative weight: Bellman–Ford–Moore with a queue, and regular searches of the parents.

If there is such a cycle, the parents eventually contain one. They are searched after every n improvements of a distance
(n vertices), so the search costs O(1) per improvement.
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
def find_cycle_in_parents(indptr, indices, values, source):  # type: ignore[no-untyped-def]
    """Return the parents and a vertex on a cycle of them, or −1 if there is no negative cycle."""
    n = indptr.size - 1
    distance, parent = np.full(n, np.inf), np.full(n, -1, np.int64)
    state, stamp = np.full(n, -1, np.int64), np.int64(0)
    queue, waits = np.empty(n + 1, np.int64), np.zeros(n, np.bool_)
    head, tail, improved = 0, 1, 0
    distance[source], queue[0], waits[source] = 0.0, source, True
    while head != tail:
        u = queue[head]
        head = (head + 1) % (n + 1)
        waits[u] = False
        for q in range(indptr[u], indptr[u + 1]):
            v = indices[q]
            if distance[u] + values[q] < distance[v]:
                distance[v] = distance[u] + values[q]
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


def find_negative_cycle(indptr: Any, indices: Any, values: Any, source: int) -> tuple[int, ...] | None:
    """Return the vertices of a negative cycle that `source` reaches, in the order of its arcs, or None."""
    parent, start = find_cycle_in_parents(indptr, indices, np.asarray(values, np.float64), source)
    if start < 0:
        return None
    cycle, v = [int(start)], int(parent[start])
    while v != start:
        cycle.append(v)
        v = int(parent[v])
    return tuple(reversed(cycle))
