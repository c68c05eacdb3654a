"""One source on one core, every arc one long: a search that counts paths, and the way back over its levels.

Two levels are joined from the side that has fewer arcs: the search pushes from the frontier, or pulls to the vertices
that it has not seen; the way back pulls from the next level, or pushes to the one before. `x` is zero but for one
level, so that a pull sums over all arcs of a vertex without a look at their levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.late import compile_late

LOOKS = 8
"""Vertices that a pull can look at in the time that a push takes for an arc."""
MOST_PATHS = 1e290
"""More paths than this might leave float64 before the next level is checked, and with them the inverse."""


@njit(inline="always")
def _sum_columns(row, indptr, indices, x):  # type: ignore[no-untyped-def]
    """The sum of x over the columns of a row."""
    a, b = 0.0, 0.0
    k, end = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
    one, two = np.uint64(1), np.uint64(2)
    while k + one < end:
        a += x[np.uint32(indices[k])]
        b += x[np.uint32(indices[k + one])]
        k += two
    if k < end:
        a += x[np.uint32(indices[k])]
    return a + b


@njit(inline="always")
def _count_arcs(vertices, first, last, indptr):  # type: ignore[no-untyped-def]
    """The arcs of the rows of some vertices."""
    arcs = np.int64(0)
    for i in range(first, last):
        arcs += indptr[vertices[i] + 1] - indptr[vertices[i]]
    return arcs


def measure(source: int, out: Any, *_: Any) -> float:
    """The microseconds, about, that Python takes for a source."""
    return 1.5 * len(out[0]) + 0.15 * len(out[1])


@inner()
def _push_paths(depth, first, last, order, indptr, indices, level, paths):  # type: ignore[no-untyped-def]
    """Each vertex of the frontier adds its paths to those of its heads on the next level; where that one ends."""
    tail = last
    for i in range(first, last):
        v = order[i]
        count = paths[v]
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if level[w] < 0:
                level[w] = depth + 1
                paths[w] = count
                order[tail] = w
                tail += 1
            elif level[w] == depth + 1:
                paths[w] += count
    return tail


@inner()
def _pull_paths(depth, first, last, order, indptr, indices, level, paths, x):  # type: ignore[no-untyped-def]
    """Each vertex not seen sums the paths of its tails in the frontier; where the next level ends."""
    for i in range(first, last):
        x[order[i]] = paths[order[i]]
    tail = last
    for w in range(len(level)):
        if level[w] < 0:
            count = _sum_columns(w, indptr, indices, x)
            if count > 0:
                level[w] = depth + 1
                paths[w] = count
                order[tail] = w
                tail += 1
    for i in range(first, last):
        x[order[i]] = 0
    return tail


@inner()
def _count_paths(source, out, into, level, paths, x, order, starts):  # type: ignore[no-untyped-def]
    """Find level, paths and order of the vertices reached; the number of levels, and whether paths could be counted."""
    order[0], level[source], paths[source] = source, 0, 1.0
    starts[0], starts[1] = 0, 1
    depth, first, last, counted = np.int64(0), np.int64(0), np.int64(1), True  # 0 and 1 would be types of their own
    unseen = np.int64(len(into[1])) - _count_arcs(order, 0, 1, into[0])
    while first < last:
        if _count_arcs(order, first, last, out[0]) <= unseen + len(level) // LOOKS:
            tail = _push_paths(depth, first, last, order, out[0], out[1], level, paths)
        else:
            tail = _pull_paths(depth, first, last, order, into[0], into[1], level, paths, x)
        unseen -= _count_arcs(order, last, tail, into[0])
        for i in range(last, tail):
            counted &= paths[order[i]] < MOST_PATHS
        first, last, depth = last, tail, depth + 1
        starts[depth + 1] = last
    return depth, counted


@njit(inline="always")
def _push_back(depth, first, last, order, indptr, indices, level, x, y):  # type: ignore[no-untyped-def]
    """Each vertex of the next level adds its x to the y of its tails on this one."""
    for i in range(first, last):
        w = order[i]
        for k in range(indptr[w], indptr[w + 1]):
            if level[indices[k]] == depth:
                y[indices[k]] += x[w]


@inner()
def _accumulate_edges(depths, out, paths, x, y, order, starts, edges):  # type: ignore[no-untyped-def]
    """Add what each arc contributes; `x` is the share of a vertex of the next level, and 0 elsewhere."""
    for depth in range(depths - 1, -1, -1):
        first, last, end = starts[depth], starts[depth + 1], starts[depth + 2 if depth + 2 < depths else depths]
        for i in range(first, last):
            v = order[i]
            for k in range(out[0][v], out[0][v + 1]):
                part = paths[v] * x[out[1][k]]
                edges[k] += part
                y[v] += part
        for i in range(last, end):
            x[order[i]] = 0
        for i in range(first, last):
            v = order[i]
            x[v] = (1 + y[v]) / paths[v]
            y[v] = 0


@inner()
def _accumulate(depths, out, into, level, paths, x, y, order, starts, extra, total):  # type: ignore[no-untyped-def]
    """Add the dependency of each vertex, and `extra`, to its total; the source's own is left out."""
    for depth in range(depths - 1, 0, -1):
        first, last, end = starts[depth], starts[depth + 1], starts[depth + 2 if depth + 2 < depths else depths]
        pulls = _count_arcs(order, first, last, out[0]) <= _count_arcs(order, last, end, into[0])
        if not pulls:
            _push_back(depth, last, end, order, into[0], into[1], level, x, y)
        else:
            for i in range(first, last):
                y[order[i]] = _sum_columns(order[i], out[0], out[1], x)
        for i in range(last, end):
            x[order[i]] = 0
        for i in range(first, last):
            v = order[i]
            dependency = paths[v] * y[v]
            total[v] += dependency + extra
            x[v] = (1 + dependency) / paths[v]
            y[v] = 0
    total[order[0]] += extra * (starts[depths] - 1)


@compile_late(1.2, measure, views=True)
def add_source(source, out, into, level, paths, x, y, order, starts, extra, total, edges):  # type: ignore[no-untyped-def]
    """Add the dependencies of one source to `total`, or of its arcs to `edges`; the number of vertices reached.

    If it has too many paths, nothing is added and the number is negative. `level` is -1 and `x` and `y` are 0
    everywhere before; `clear` makes `level` so again.
    """
    depths, counted = _count_paths(source, out, into, level, paths, x, order, starts)
    if not counted:
        return -starts[depths]
    if edges is None:  # decided by its type: only one of the two is compiled
        _accumulate(depths, out, into, level, paths, x, y, order, starts, extra, total)
    else:
        _accumulate_edges(depths, out, paths, x, y, order, starts, edges)
    clear(starts[depths], order, level, x)
    return starts[depths]


@compile_late(0.05, lambda reached, *_: 0.1 * reached, views=True)
def clear(reached, order, level, x):  # type: ignore[no-untyped-def]
    """Forget a search."""
    for i in range(reached):
        level[order[i]], x[order[i]] = -1, 0.0
