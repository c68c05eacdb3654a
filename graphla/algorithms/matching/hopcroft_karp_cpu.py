"""Phases of a search by levels from all free vertices, and of walks along it that share no vertex."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def match_greedily(order, indptr, indices, mates):  # type: ignore[no-untyped-def]
    """Match the vertices of one side, in order, with their free neighbours of the smallest degree."""
    for u in order:
        best, least = -1, 0
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            degree = indptr[v + 1] - indptr[v]
            if mates[v] < 0 and v != u and (best < 0 or degree < least):
                best, least = v, degree
        if best >= 0:
            mates[u], mates[best] = best, u


@njit()
def find_levels(order, indptr, indices, mates, levels, queue):  # type: ignore[no-untyped-def]
    """Fill in the levels of the first side, up to that from which a free vertex is met; return whether one is."""
    first, last, limit = 0, 0, -1
    for u in order:
        levels[u] = -1
        if mates[u] < 0:
            levels[u], queue[last] = 0, u
            last += 1
    while first < last:
        u = queue[first]
        first += 1
        if limit >= 0 and levels[u] > limit:
            break
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            w = mates[v]
            if w < 0 and v != u:
                limit = levels[u]
            elif w >= 0 and levels[w] < 0:
                levels[w], queue[last] = levels[u] + 1, w
                last += 1
    return limit >= 0


@njit()
def walk(root, indptr, indices, mates, levels, next_arc, path):  # type: ignore[no-untyped-def]
    """Walk down the levels from a free vertex to a free one on the other side, and change the edges of the path."""
    depth = 0
    path[0] = root
    while depth >= 0:
        u = path[depth]
        if next_arc[u] == indptr[u + 1]:
            levels[u] = -1
            depth -= 1
            continue
        v = indices[next_arc[u]]
        next_arc[u] += 1
        w = mates[v]
        if v == u:
            continue
        if w < 0:
            for i in range(depth, -1, -1):
                u = path[i]
                onward = mates[u]
                mates[u], mates[v] = v, u
                v = onward
            return True
        if levels[w] == levels[u] + 1:
            depth += 1
            path[depth] = w
    return False


@njit()
def solve(order, indptr, indices, mates, levels, queue, next_arc, path):  # type: ignore[no-untyped-def]
    """Phases until there is no path."""
    match_greedily(order, indptr, indices, mates)
    while find_levels(order, indptr, indices, mates, levels, queue):
        for u in order:
            next_arc[u] = indptr[u]
        for u in order:
            if mates[u] < 0:
                walk(u, indptr, indices, mates, levels, next_arc, path)


def match_sides(csr: Any, left: Any) -> Any:
    """The mate of each vertex of a bipartite graph, or -1, of as many pairs as there can be: int32."""
    n, degrees = csr.nrows, np.diff(csr.indptr)
    mates, order = np.full(n, -1, np.int32), np.flatnonzero(left & (degrees > 0)).astype(np.int32)
    order = order[np.argsort(degrees[order], kind="stable")]
    levels, queue, path = np.full(n, -1, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    solve(order, csr.indptr, csr.indices, mates, levels, queue, np.empty(n, csr.indptr.dtype), path)
    return mates
