"""Kruskal's loop on one core, first over the lightest edges, then over those whose ends are still apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit

Array = Any


@njit(inline="always")
def _find_root(parent, v):  # type: ignore[no-untyped-def]
    """The root above v; on the way every other vertex is pointed to its grandparent."""
    while parent[v] != v:
        parent[v] = parent[parent[v]]
        v = parent[v]
    return v


@njit()
def collect_edges(indptr, indices, keys, flip, low, high, parent, found, tails, places):  # type: ignore[no-untyped-def]
    """List the edges with keys from `low` to `high`, both included, whose ends are in different trees; their number."""
    count = 0
    for u in range(indptr.size - 1):
        for k in range(indptr[u], indptr[u + 1]):
            key = keys[k] ^ flip
            if (
                low <= key
                and key <= high
                and indices[k] > u
                and _find_root(parent, u) != _find_root(parent, indices[k])
            ):
                found[count] = key
                tails[count] = u
                places[count] = k
                count += 1
    return count


@njit()
def join_edges(order, tails, places, indptr, indices, parent, taken, left):  # type: ignore[no-untyped-def]
    """Take each edge, in order, that joins two trees, and mark both arcs; up to `left` of them. Their number."""
    count = 0
    for i in order:
        if count == left:
            break
        u, k = tails[i], places[i]
        v = indices[k]
        a, b = _find_root(parent, u), _find_root(parent, v)
        if a != b:
            parent[max(a, b)] = min(a, b)
            taken[k] = True
            begin, end = indptr[v], indptr[v + 1]
            while end - begin > 1:
                middle = (begin + end) >> 1
                if indices[middle] <= u:
                    begin = middle
                else:
                    end = middle
            taken[begin] = True
            count += 1
    return count


@njit()
def join_pairs(order, tails, heads, parent):  # type: ignore[no-untyped-def]
    """The edges, taken in order, that join two trees: their numbers."""
    found = np.empty(max(parent.size, 1), np.int64)
    count = 0
    for i in order:
        a, b = _find_root(parent, tails[i]), _find_root(parent, heads[i])
        if a != b:
            parent[max(a, b)] = min(a, b)
            found[count] = i
            count += 1
    return found[:count]
