"""What Yen's algorithm asks of a graph: bounds of deviations from a path, and shortest detours around its beginning.

`far` are the distances to the target, `none` where there is no path, and `after` the next vertices on such paths.
`marks` and `bans` hold for each vertex the number of the last question that marked it, so that none is ever cleared.
"""

from __future__ import annotations

import numpy as np

from graphla.algorithms.shared.nearby_cpu import extend, pop, push
from graphla.engine.cpu.jit import inner, njit


@inner()
def mark_all(vertices, marks, asked):  # type: ignore[no-untyped-def]
    """Mark vertices for a question."""
    for v in vertices:
        marks[v] = asked


@njit()
def add_up(indptr, indices, weights, path):  # type: ignore[no-untyped-def]
    """The length of a path as far as each of its vertices."""
    lengths = np.zeros(path.size, weights.dtype)
    for i in range(path.size - 1):
        e = indptr[path[i]]
        while indices[e] != path[i + 1]:
            e += 1
        lengths[i + 1] = lengths[i] + weights[e]
    return lengths


@njit()
def bound_each(indptr, indices, weights, far, none, path, lengths, first, banned, marks, bans, asked):  # type: ignore[no-untyped-def]
    """The least length of a path that leaves this one at each place from the `first` on, and where it goes; -1: none.

    It leaves by no arc that was taken there before: not to the next vertex, at the first place not to those banned.
    """
    bounds, heads = np.full(path.size - 1 - first, none), np.full(path.size - 1 - first, -1, np.int32)
    mark_all(banned, bans, asked)
    mark_all(path[:first], marks, asked)
    for i in range(first, path.size - 1):
        u = path[i]
        marks[u] = asked
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if marks[v] == asked or v == path[i + 1] or far[v] == none or (i == first and bans[v] == asked):
                continue
            length = lengths[i] + weights[e] + far[v]
            if length < bounds[i - first]:
                bounds[i - first], heads[i - first] = length, v
    return bounds, heads


@njit()
def follow(after, head, target, beginning, marks, asked):  # type: ignore[no-untyped-def]
    """The shortest path from a vertex to the target; empty if it meets the beginning."""
    mark_all(beginning, marks, asked)
    path, count, v = np.empty(64, np.int32), 0, head
    while marks[v] != asked:
        if count == path.size:
            path = extend(path, count, 1)
        path[count] = v
        count += 1
        if v == target:
            return path[:count]
        v = after[v]
    return path[:0]


@njit()
def detour(indptr, indices, weights, far, none, target, beginning, banned, marks, bans, met, asked):  # type: ignore[no-untyped-def]
    """A shortest path from the end of a beginning that meets no other vertex of it, and leaves to none that is banned.

    A*: the vertex with the least length so far and to go is next. The path without its first vertex; empty if none is.
    """
    lengths, parents, seen = met
    source = beginning[beginning.size - 1]
    mark_all(beginning, marks, asked)
    mark_all(banned, bans, asked)
    keys, items, size = np.empty(256, weights.dtype), np.empty(256, np.int32), 1
    keys[0], items[0], lengths[source], seen[source] = far[source], source, 0, asked
    while size:
        u, key = items[0], keys[0]
        pop(keys, items, size)
        size -= 1
        if u == target:
            return trace(parents, source, target)
        if key > lengths[u] + far[u]:
            continue
        for e in range(indptr[u], indptr[u + 1]):
            v, length = indices[e], lengths[u] + weights[e]
            if marks[v] == asked or far[v] == none or (u == source and bans[v] == asked):
                continue
            if length == none or (seen[v] == asked and lengths[v] <= length):
                continue
            lengths[v], parents[v], seen[v] = length, u, asked
            if size == items.size:
                keys, items = extend(keys, size, 1), extend(items, size, 1)
            push(keys, items, size, length + far[v], v)
            size += 1
    return np.empty(0, np.int32)


@inner()
def trace(parents, source, target):  # type: ignore[no-untyped-def]
    """The vertices after the source on the way to the target."""
    count, v = 0, target
    while v != source:
        v = parents[v]
        count += 1
    path, v = np.empty(count, np.int32), target
    for i in range(count - 1, -1, -1):
        path[i] = v
        v = parents[v]
    return path
