"""Vertices that are eliminated before the dissection: those of at most two neighbours add at most one arc.

A tree at the rim goes leaf by leaf, and a chain becomes one arc between its ends: of a road network more than half of
the vertices. What remains is a smaller graph of the same separators.

W. F. Tinney, J. W. Walker, "Direct solutions of sparse network equations by optimally ordered triangular
factorization", Proc. IEEE 55(11), 1967 (minimum degree, of which these are the cases that are always best).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.storage.convert import make_pointers

LOOK = 64
"""Neighbours of which the arc between two is looked for; a vertex between two hubs stays."""


@inner()
def drop(e, tail, head, twin, begin, size):  # type: ignore[no-untyped-def]
    """Take the slot e out of its row: the last slot of the row moves there."""
    v = tail[e]
    last = begin[v] + size[v] - 1
    size[v] -= 1
    if e != last:
        head[e], twin[e] = head[last], twin[last]
        twin[twin[e]] = e


@inner()
def join(e, f, tail, head, twin, begin, size):  # type: ignore[no-untyped-def]
    """Let the slots e and f of a vertex's two neighbours name each other; False if both have too many to look at."""
    a, b = tail[e], tail[f]
    if size[a] > size[b]:
        a, b, e, f = b, a, f, e
    if size[a] > LOOK:
        return False
    for g in range(begin[a], begin[a] + size[a]):
        if head[g] == b:
            drop(e, tail, head, twin, begin, size)
            drop(f, tail, head, twin, begin, size)
            return True
    head[e], head[f], twin[e], twin[f] = b, a, f, e
    return True


@compile_late(0.6, lambda indptr, indices, _: 10 * indptr.size + 0.3 * indices.size)
def peel(indptr, indices, twin):  # type: ignore[no-untyped-def]
    """Eliminate vertices of at most two neighbours as long as there are any; no two neighbours go in one round.

    So a chain halves in each round, and the elimination tree of it is flat. Returns the vertices in the order in which
    they go, and what remains: of each row where it begins, its length (−1 of a vertex that has gone), and the heads.
    """
    n = indptr.size - 1
    head, tail = indices.copy(), np.empty(indices.size, np.int32)
    begin, size = indptr[:-1].copy(), np.empty(n, np.int64)
    gone, count, waiting, after = np.empty(n, np.int32), 0, np.empty(n, np.int32), np.empty(n, np.int32)
    queued, touched, number, left, later = np.zeros(n, np.bool_), np.zeros(n, np.int32), 0, 0, 0
    for v in range(n):
        size[v] = indptr[v + 1] - indptr[v]
        for e in range(indptr[v], indptr[v + 1]):
            tail[e] = v
        if size[v] <= 2:
            waiting[left], queued[v] = v, True
            left += 1
    while left:
        number, later = number + 1, 0
        for k in range(left):
            v = waiting[k]
            if touched[v] == number:
                after[later] = v
                later += 1
                continue
            queued[v], first, degree = False, begin[v], size[v]
            if degree > 2 or (degree == 2 and not join(twin[first], twin[first + 1], tail, head, twin, begin, size)):
                continue
            if degree == 1:
                drop(twin[first], tail, head, twin, begin, size)
            size[v], gone[count] = -1, v
            count += 1
            for e in range(first, first + degree):
                a = head[e]
                touched[a] = number
                if size[a] <= 2 and not queued[a]:
                    after[later], queued[a] = a, True
                    later += 1
        waiting, after, left = after, waiting, later
    return gone[:count], begin, size, head


def peel_pattern(indptr: Any, indices: Any) -> tuple[Any, Any, tuple[Any, Any]]:
    """Peel a symmetric pattern without a diagonal, whose rows are sorted.

    Returns
    -------
    first, rest : ndarray
        int32: the vertices that go, in order, and those that remain, in ascending order.
    pattern : tuple of ndarray
        Pointers and heads of what remains, by the index in `rest`.
    """
    indptr, indices = indptr.astype(np.int64), indices.astype(np.int32)
    first, begin, size, heads = peel(indptr, indices, find_twins(indices))
    rest = np.flatnonzero(size >= 0).astype(np.int32)
    number = np.zeros(size.size, np.int32)
    number[rest] = np.arange(rest.size, dtype=np.int32)
    start = make_pointers(np, size[rest])
    kept = np.arange(start[-1]) - np.repeat(start[:-1] - begin[rest], size[rest])
    return first, rest, (start, number[heads[kept]])


def find_twins(indices: Any) -> Any:
    """Return the number of each arc's reverse in a symmetric pattern: sorted by head the arcs are the reverses."""
    twin = np.empty(indices.size, np.int64)
    twin[np.argsort(indices, kind="stable")] = np.arange(indices.size)
    return twin
