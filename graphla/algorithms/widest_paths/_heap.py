"""Dijkstra's algorithm with widths in a heap: the widest vertex that is not done is done."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.widest_paths.values import find_whole, find_wide
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late


@inner()
def _push(keys, items, size, key, item):  # type: ignore[no-untyped-def]
    """Put an item into a heap with the greatest key on top."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if keys[above] >= key:
            break
        keys[place], items[place] = keys[above], items[above]
        place = above
    keys[place], items[place] = key, item


@inner()
def _pop(keys, items, size):  # type: ignore[no-untyped-def]
    """Take the top of a heap of so many items away; the last one sinks to its place."""
    key, item, place = keys[size - 1], items[size - 1], 0
    while True:
        below = 2 * place + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and keys[below + 1] > keys[below]:
            below += 1
        if keys[below] <= key:
            break
        keys[place], items[place] = keys[below], items[below]
        place = below
    keys[place], items[place] = key, item


@compile_late(0.4, lambda indptr, indices, *_: 8 * len(indptr) + 1.2 * len(indices), views=True)
def _search(indptr, indices, weights, source, width, reached, done, keys, items):  # type: ignore[no-untyped-def]
    """Fill in the widths of what the source reaches. A vertex may be in the heap more than once."""
    reached[source] = True
    _push(keys, items, 0, width[source], source)
    size = 1
    while size:
        u = items[0]
        _pop(keys, items, size)
        size -= 1
        if done[u]:
            continue
        done[u] = True
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            offered = min(width[u], weights[k])
            if not done[v] and (not reached[v] or offered > width[v]):
                width[v], reached[v] = offered, True
                _push(keys, items, size, offered, v)
                size += 1


def search(csr: Any, source: int) -> tuple[Any, Any]:
    """The widths, and where there is one; of small dtypes in a wider one."""
    dtype = find_wide(csr.values.dtype)
    width, reached, done = np.zeros(csr.nrows, dtype), np.zeros(csr.nrows, bool), np.zeros(csr.nrows, bool)
    width[source] = find_whole(csr.values.dtype)
    keys, items = np.empty(csr.nvals + 1, dtype), np.empty(csr.nvals + 1, np.int32)
    weights = csr.values.astype(dtype, copy=False)
    _search(csr.indptr, csr.indices, weights, source, width, reached, done, keys, items)
    return width, reached
