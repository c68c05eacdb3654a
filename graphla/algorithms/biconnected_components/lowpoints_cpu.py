"""Biconnected components on one core by one depth-first search; see `lowpoints`."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.late import compile_late

Array = Any


@inner()
def _close(v, number, stack, top, found):  # type: ignore[no-untyped-def]
    """The vertices of the stack from v on are a component; return the new top of the stack."""
    while True:
        top -= 1
        u = stack[top]
        found[u, 1] = number
        if u == v:
            return top


@compile_late(0.5, lambda indptr, indices, *_: 2 * len(indptr) + 0.4 * len(indices), views=True)
def _close_components(indptr, indices, found, above, low, at, path, stack):  # type: ignore[no-untyped-def]
    """Fill `found` and `above` as `close_components` gives them; return how many components there are.

    `low[v]` is the least time beside v's subtree so far.
    """
    time, count = np.int32(0), np.int32(0)
    for root in range(found.shape[0]):
        if found[root, 0] != 0:
            continue
        time += np.int32(1)
        found[root, 0] = low[root] = time
        found[root, 1] = -1
        at[root], path[0] = indptr[root], root
        deep, top = 1, 0
        while deep:
            v = path[deep - 1]
            least, k, end = low[v], at[v], indptr[v + 1]
            u = v
            while k < end:
                u = indices[k]
                k += 1
                if found[u, 0] == 0:
                    break
                least = min(least, found[u, 0])
                u = v
            low[v], at[v] = least, k
            if u != v:
                time += np.int32(1)
                found[u, 0] = low[u] = time
                at[u], path[deep], stack[top] = indptr[u], u, u
                deep, top = deep + 1, top + 1
                continue
            deep -= 1
            if deep:
                p = path[deep - 1]
                low[p] = min(low[p], least)
                if least >= found[p, 0]:
                    top = _close(v, count, stack, top, found)
                    above[count] = p
                    count += np.int32(1)
    return count


def close_components(indptr: Array, indices: Array, found: Array) -> Array:
    """Fill `found` with the time at which each vertex is found and its component; return the vertex above each.

    The component of a vertex is that of the edge to its parent, -1 for a root; they are numbered as they are closed.
    """
    n = found.shape[0]
    above, low, path, stack = (np.empty(n, np.int32) for _ in range(4))
    rooms = above, low, np.empty(n, indptr.dtype), path, stack
    return above[: _close_components(indptr, indices, found, *rooms)]


@compile_late(0.15, lambda indptr, indices, *_: len(indptr) + 0.4 * len(indices), views=True)
def _number_arcs(indptr, indices, found, number, numbers):  # type: ignore[no-untyped-def]
    """Fill in the number of each arc, and of each component, that is -1 at first."""
    known = np.int32(0)
    for u in range(found.shape[0]):
        time = found[u, 0]
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            c = found[v, 1] if found[v, 0] > time else found[u, 1]
            if number[c] < 0:
                number[c] = known
                known += np.int32(1)
            numbers[k] = number[c]


def number_arcs(indptr: Array, indices: Array, found: Array, count: int) -> Array:
    """The number of each arc: that of the component of its end that was found later, in the order of first arcs."""
    numbers = np.empty(indices.size, np.int32)
    _number_arcs(indptr, indices, found, np.full(count, -1, np.int32), numbers)
    return numbers


@njit()
def list_edges(indptr, indices, found):  # type: ignore[no-untyped-def]
    """The edges from the end that the same search sees them from, in this order: tails, heads and components."""
    n, count, clock = found.shape[0], 0, 0
    at, path = indptr[:-1].copy(), np.empty(n, np.int32)
    edges = np.empty((3, indices.size), np.int32)
    for root in range(n):
        deep, path[0] = 0, root
        if found[root, 0] == clock + 1:
            deep, clock = 1, clock + 1
        while deep:
            v = path[deep - 1]
            if at[v] == indptr[v + 1]:
                deep -= 1
                continue
            u = indices[at[v]]
            at[v] += 1
            if u == path[max(deep - 2, 0)]:
                continue
            finds = found[u, 0] == clock + 1
            if finds or found[u, 0] <= found[v, 0]:
                edges[0, count], edges[1, count] = v, u
                edges[2, count] = found[u, 1] if finds else found[v, 1]
                count += 1
            if finds:
                path[deep] = u
                deep, clock = deep + 1, clock + 1
    return edges[:, :count]
