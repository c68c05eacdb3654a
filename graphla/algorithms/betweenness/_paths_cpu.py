"""One source on one core, given the distances: paths counted in the order of distance, dependencies against it.

An arc is on a shortest path if it adds exactly the difference of the distances of its ends. The number of paths is a
float64 from 1 to 2⁵¹² and a power of 2⁵¹², so that none overflows: a grid of a thousand by a thousand has 10⁶⁰¹ paths
between its corners.
"""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.jit import inner, njit

BASE = 2.0**512
INVERSE = 2.0**-512


@njit(inline="always")
def _weigh(ahead):  # type: ignore[no-untyped-def]
    """BASE to the power of -ahead, where ahead is 0 or more."""
    return 1.0 if ahead == 0 else INVERSE if ahead == 1 else 0.0


@njit(inline="always")
def _is_tight(near, far, k, weights):  # type: ignore[no-untyped-def]
    """Whether an arc leads from one distance to the other; a common type of 1 and of UINT64 lengths would be FP64."""
    if weights is None:
        return near + np.int32(1) == far
    return near + weights[k] == far


@inner()
def _count_paths(order, d, indptr, indices, weights, paths, power):  # type: ignore[no-untyped-def]
    """The number of shortest paths to each vertex but the first."""
    for i in range(1, order.size):
        w = order[i]
        count, high = 0.0, 0
        for k in range(indptr[w], indptr[w + 1]):
            v = indices[k]
            if d[v] < d[w] and _is_tight(d[v], d[w], k, weights):
                if power[v] > high:
                    count, high = count * _weigh(power[v] - high), power[v]
                count += paths[v] * _weigh(high - power[v])
        if count >= BASE:
            count, high = count * INVERSE, high + 1
        paths[w], power[w] = count, high


@inner()
def _accumulate(order, d, indptr, indices, weights, paths, power, x, extra, total, edges):  # type: ignore[no-untyped-def]
    """Add the dependency of each vertex, and `extra`, to its total; and of each arc, if `edges` is an array."""
    for i in range(order.size - 1, -1, -1):
        v = order[i]
        dependency = 0.0
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if x[w] > 0 and _is_tight(d[v], d[w], k, weights):
                part = paths[v] * (x[w] * _weigh(power[w] - power[v]))
                dependency += part
                if edges is not None:
                    edges[k] += part
        x[v] = (1 + dependency) / paths[v]
        if i:
            total[v] += dependency + extra
    total[order[0]] += extra * (order.size - 1)


@njit()
def add_source(order, d, out, into, paths, power, x, extra, total, edges):  # type: ignore[no-untyped-def]
    """Add the dependencies of the first vertex of `order` to `total`, and of its arcs to `edges`.

    `out` and `into` are the row pointers, columns and weights of the rows of leaving and of entering arcs.
    """
    paths[order[0]], power[order[0]] = 1.0, 0
    _count_paths(order, d, into[0], into[1], into[2], paths, power)
    _accumulate(order, d, out[0], out[1], out[2], paths, power, x, extra, total, edges)
    for i in range(order.size):
        x[order[i]] = 0.0
