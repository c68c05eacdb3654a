"""Searches from the sink, and blocking flows along their levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.max_flow._network import Network
from graphla.algorithms.max_flow._preflow_cpu import finish
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late

Array = Any
PATIENCE = 1
"""Arcs of augmented paths, as a multiple of all arcs and vertices, after which push and relabel goes on."""


@inner()
def find_levels(indptr, indices, reverse, residual, level, queue, source, sink):  # type: ignore[no-untyped-def]
    """The arcs from each vertex to the sink that could take more, as far as the level of the source; -1 beyond."""
    for v in range(len(level)):
        level[v] = -1
    level[sink] = 0
    queue[0] = sink
    head, tail = 0, 1
    while head < tail:
        v = queue[head]
        head += 1
        if level[source] >= 0 and level[v] + 1 >= level[source]:
            break
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if level[u] < 0 and residual[reverse[k]] > 0:
                level[u] = level[v] + 1
                queue[tail] = u
                tail += 1
    return tail


@inner()
def push_along(path, depth, reverse, residual):  # type: ignore[no-untyped-def]
    """Push as much as a path takes; return how much, and the first arc that then takes no more."""
    least = residual[path[0]]
    for i in range(1, depth):
        least = min(least, residual[path[i]])
    first = depth
    for i in range(depth - 1, -1, -1):
        k = path[i]
        residual[k] -= least
        residual[reverse[k]] += least
        if residual[k] == 0:
            first = i
    return least, first


@inner()
def block(indptr, indices, reverse, residual, level, following, path, source, sink):  # type: ignore[no-untyped-def]
    """A blocking flow: along levels, from the source, until no path is left. Return its value, and its steps."""
    total, depth, u, steps = np.int64(0), np.int64(0), source, 0
    while True:
        if u == sink:
            steps += depth
            amount, depth = push_along(path, depth, reverse, residual)
            total += amount
            u = indices[reverse[path[depth]]]
        while following[u] < indptr[u + 1]:
            k = following[u]
            if residual[k] > 0 and level[indices[k]] == level[u] - 1:
                break
            following[u] += 1
        if following[u] < indptr[u + 1]:
            path[depth] = following[u]
            u = indices[path[depth]]
            depth += 1
            continue
        if depth == 0:
            return total, steps
        depth -= 1
        u = indices[reverse[path[depth]]]
        following[u] += 1


@compile_late(0.5, lambda indptr, indices, *_: 2 * (len(indptr) + len(indices)), views=True)
def solve(indptr, indices, reverse, residual, level, queue, path, following, source, sink):  # type: ignore[no-untyped-def]
    """Blocking flows until a search does not reach the source, or the paths have cost too much. Return the value."""
    total, steps = np.int64(0), 0
    while True:
        count = find_levels(indptr, indices, reverse, residual, level, queue, source, sink)
        if level[source] < 0 or steps > PATIENCE * (len(level) + len(indices)):
            return total
        for i in range(count):
            following[queue[i]] = indptr[queue[i]]
        amount, more = block(indptr, indices, reverse, residual, level, following, path, source, sink)
        total += amount
        steps += more


def find_flow(network: Network, source: int, sink: int) -> tuple[Array, int, Array]:
    """The residual capacities, the value of the flow, and the vertices from which the sink can still be reached."""
    rows, residual = network.capacity, network.capacity.values.copy()
    level, queue = np.empty((2, network.n), np.int32)
    path, following = np.empty((2, network.n), rows.indptr.dtype)
    given = rows.indptr, rows.indices, network.reverse, residual, level, queue, path, following
    value = int(solve(*given, source, sink))
    if level[source] < 0:
        return residual, value, level >= 0
    residual, more, reaches = finish(network, residual, source, sink)
    return residual, value + more, reaches
