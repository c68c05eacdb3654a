"""Strong components on one core by one depth-first search; see `tarjan`."""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late

DONE = np.int32(2**31 - 1)  # the order of a vertex whose component is known, later than that of any other


@inner()
def _close(v, number, stack, top, order, labels):  # type: ignore[no-untyped-def]
    """The vertices of the stack from v on are a component; return the new top of the stack."""
    while True:
        top -= 1
        u = stack[top]
        labels[u] = number
        order[u] = DONE
        if u == v:
            return top


@compile_late(0.4, lambda indptr, indices, labels: 0.7 * indices.size + 5 * labels.size)
def number_strong(indptr, indices, labels):  # type: ignore[no-untyped-def]
    """Fill `labels` with the number of each vertex's strong component, and return how many there are.

    They are numbered in the order in which they are completed, so that arcs between components lead to smaller numbers.
    A row is read from its end, as SciPy's search does up to 1.17, so that the numbers are the same.
    `order[v]` is the time at which v was found, and then the least such time that v is known to reach; 0 before.
    """
    n = labels.size
    order, path, stack = np.zeros(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    at, found = np.empty(n, indptr.dtype), np.empty(n, np.int32)
    time, count = np.int32(0), np.int64(0)  # both of the type that a sum has, so that `_close` is compiled once
    for root in range(n):
        if order[root] != 0:
            continue
        deep, top = 0, 0
        v = np.int32(root)
        time += np.int32(1)
        order[v] = found[v] = time
        at[v] = indptr[v + 1]
        path[0] = stack[0] = v
        deep, top = 1, 1
        while deep:
            v = path[deep - 1]
            low = order[v]
            k, begin = at[v], indptr[v]
            while k > begin:
                u = indices[k - 1]
                if order[u] == 0:
                    break
                low = min(low, order[u])
                k -= 1
            order[v], at[v] = low, k
            if k > begin:
                u = indices[k - 1]
                time += np.int32(1)
                order[u] = found[u] = time
                at[u] = indptr[u + 1]
                path[deep] = stack[top] = u
                deep, top = deep + 1, top + 1
                continue
            deep -= 1
            if low == found[v]:
                top = _close(v, count, stack, top, order, labels)
                count += 1
    return count
