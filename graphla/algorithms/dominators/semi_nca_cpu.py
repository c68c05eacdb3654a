"""Semidominators by paths that are compressed, and dominators as nearest ancestors; see `semi_nca`."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late


@compile_late(0.3, lambda indptr, indices, *_: len(indptr) + 0.3 * len(indices), views=True)
def search(indptr, indices, source, number, order, parent, left, at, path):  # type: ignore[no-untyped-def]
    """Number what a depth-first search reaches; return how many. `left` gets the vertices as it leaves them."""
    number[source], order[0], parent[0], path[0] = 0, source, 0, source
    at[source], deep, count, done = indptr[source], 1, 1, 0
    while deep:
        u = path[deep - 1]
        if at[u] == indptr[u + 1]:
            left[done] = u
            deep, done = deep - 1, done + 1
            continue
        v = indices[at[u]]
        at[u] += 1
        if number[v] < 0:
            number[v], order[count], parent[count] = count, v, number[u]
            at[v], path[deep] = indptr[v], v
            deep, count = deep + 1, count + 1
    return count


@inner()
def _find_least(v, above, label, semi, stack):  # type: ignore[no-untyped-def]
    """The vertex with the least semidominator on the path from v up to the root of its tree, which is left out."""
    if above[v] < 0:
        return v
    size, x = 0, v
    while above[above[x]] >= 0:
        stack[size] = x
        size += 1
        x = above[x]
    while size:
        size -= 1
        x = stack[size]
        a = above[x]
        if semi[label[a]] < semi[label[x]]:
            label[x] = label[a]
        above[x] = above[a]
    return label[v]


@compile_late(0.3, lambda indptr, indices, *_: 2 * len(indptr) + len(indices), views=True)
def _dominate(indptr, indices, number, order, parent, count, found, semi, label, above, stack):  # type: ignore[no-untyped-def]
    """Fill in the immediate dominators from the rows of arcs that enter, and write over the parents."""
    for i in range(count - 1, 0, -1):
        v = order[i]
        least = parent[i]
        for k in range(indptr[v], indptr[v + 1]):
            u = number[indices[k]]
            if u >= 0:
                least = min(least, semi[_find_least(u, above, label, semi, stack)])
        semi[i], above[i] = least, parent[i]
    for i in range(1, count):
        j = parent[i]
        while j > semi[i]:
            j = parent[j]
        parent[i] = j
        found[order[i]] = order[j]
    found[order[0]] = order[0]


def find_dominators(n: int, out: Any, into: Any, source: int) -> tuple[Any, Any]:
    """The immediate dominator of each vertex, -1 of what is not reached; and these as a search leaves them."""
    number, above, found = (np.full(n, -1, np.int32) for _ in range(3))
    order, parent, path, left = (np.empty(n, np.int32) for _ in range(4))
    at = np.empty(n, out.indptr.dtype)
    count = search(out.indptr, out.indices, source, number, order, parent, left, at, path)
    semi, label = np.arange(count, dtype=np.int32), np.arange(count, dtype=np.int32)
    _dominate(into.indptr, into.indices, number, order, parent, count, found, semi, label, above, path)
    return found, left[:count]
