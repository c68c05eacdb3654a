"""Searches that visit nodes in the order in which NetworkX does: by the order of dictionaries, on one core.

The answers of NetworkX are dictionaries and lists in the order of its search, and of several shortest paths it returns
the one that its search finds first. So these searches scan neighbours in the order of the dictionaries.
"""

# pyright: reportCallIssue=false
from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def search(indptr, indices, sources, cutoff):  # type: ignore[no-untyped-def]
    """Breadth-first: the nodes in the order of their discovery, and for each node its parent and level (−1: none)."""
    n = indptr.size - 1
    order, parent, level = np.empty(n, np.int32), np.full(n, -1, np.int32), np.full(n, -1, np.int64)
    head, tail = 0, 0
    for source in sources:
        if level[source] < 0:
            level[source] = 0
            order[tail] = source
            tail += 1
    while head < tail and tail < n:
        v = order[head]
        head += 1
        if level[v] >= cutoff:
            break
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if level[u] < 0:
                level[u], parent[u] = level[v] + 1, v
                order[tail] = u
                tail += 1
    return order[:tail], parent, level


@njit()
def _scan(frontier, indptr, indices, here, there, parent):  # type: ignore[no-untyped-def]
    """Search one level on one side: the next frontier, and the node that the other side has seen, or −1."""
    found, count = np.empty(16, np.int32), 0
    for v in frontier:
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if not here[u]:
                here[u], parent[u] = True, v
                if count == found.size:
                    found = np.append(found, np.empty(count, np.int32))
                found[count] = u
                count += 1
            if there[u]:
                return found[:count], u
    return found[:count], np.int32(-1)


@njit()
def meet(indptr, indices, into_indptr, into_indices, source, target):  # type: ignore[no-untyped-def]
    """Search from both ends: the parents towards each, and where the searches meet (−1 if they do not)."""
    n = indptr.size - 1
    parent, child = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    seen, seen_back = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    seen[source], seen_back[target] = True, True
    forward, backward = np.full(1, source, np.int32), np.full(1, target, np.int32)
    place = np.int32(source if source == target else -1)
    while place < 0 and forward.size and backward.size:
        if forward.size <= backward.size:
            forward, place = _scan(forward, indptr, indices, seen, seen_back, parent)
        else:
            backward, place = _scan(backward, into_indptr, into_indices, seen_back, seen, child)
    return parent, child, place


@njit()
def dijkstra(indptr, indices, lengths, sources, target, cutoff):  # type: ignore[no-untyped-def]
    """Dijkstra's search with a heap; of two nodes at one distance the one that was put there first comes first.

    Returns
    -------
    order : array
        The nodes in the order in which their distance became final.
    seen : array
        The nodes in the order in which they were found.
    distance, parent : array
        Of each node; −1 where there is no parent.
    fine : bool
        Whether no final distance was found too long, as negative lengths can show.
    """
    n = indptr.size - 1
    order, seen, ended, known = np.empty(n, np.int32), np.empty(n, np.int32), 0, 0
    distance, parent = np.full(n, np.inf), np.full(n, -1, np.int32)
    final, found = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    heap, pushed = [(0.0, 0, np.int64(0))], 0
    heap.clear()
    for source in sources:
        distance[source] = 0.0
        if not found[source]:
            seen[known] = source
            known += 1
        found[source] = True
        heappush(heap, (0.0, pushed, np.int64(source)))
        pushed += 1
    while len(heap):
        d, _, v = heappop(heap)
        if final[v]:
            continue
        final[v], order[ended] = True, v
        ended += 1
        if v == target:
            break
        for k in range(indptr[v], indptr[v + 1]):
            u, longer = indices[k], d + lengths[k]
            if np.isnan(longer) or longer > cutoff:
                continue
            if final[u]:
                if longer < distance[u]:
                    return order[:ended], seen[:known], distance, parent, False
            elif not found[u] or longer < distance[u]:
                if not found[u]:
                    seen[known] = u
                    known += 1
                found[u], distance[u], parent[u] = True, longer, v
                heappush(heap, (longer, pushed, np.int64(u)))
                pushed += 1
    return order[:ended], seen[:known], distance, parent, True


@njit()
def list_tight(indptr, indices, lengths, order, distance, cutoff):  # type: ignore[no-untyped-def]
    """All v with d[v] + length = d[u], in their order: CSR over the nodes u."""
    n = indptr.size - 1
    reached = np.zeros(n, np.bool_)
    for v in order:
        reached[v] = True
    starts = np.zeros(n + 1, np.int64)
    for v in order:
        for k in range(indptr[v], indptr[v + 1]):
            u, longer = indices[k], distance[v] + lengths[k]
            starts[u + 1] += reached[u] and longer == distance[u] and longer <= cutoff
    starts = np.cumsum(starts)
    found, at = np.empty(starts[n], np.int32), starts[:-1].copy()
    for v in order:
        for k in range(indptr[v], indptr[v + 1]):
            u, longer = indices[k], distance[v] + lengths[k]
            if reached[u] and longer == distance[u] and longer <= cutoff:
                found[at[u]] = v
                at[u] += 1
    return starts, found


@njit()
def find_whole(indptr, indices, whole, nodes, parent):  # type: ignore[no-untyped-def]
    """Whether all entries on the way up to the root of each of some nodes are whole."""
    known = np.full(parent.size, -1, np.int8)
    path = np.empty(parent.size, np.int32)
    for v in nodes:
        deep, u = 0, np.int64(v)
        while known[u] < 0 and parent[u] >= 0:
            path[deep] = u
            deep, u = deep + 1, np.int64(parent[u])
        if known[u] < 0:
            known[u] = 1
        while deep:
            deep -= 1
            u, above = np.int64(path[deep]), np.int64(parent[path[deep]])
            known[u] = 0
            for k in range(indptr[above], indptr[above + 1]):
                if indices[k] == u:
                    known[u] = known[above] == 1 and whole[k]
    return known[nodes] == 1


@njit()
def meet_weighted(indptr, indices, lengths, into_indptr, into_indices, into_lengths, source, target):  # type: ignore[no-untyped-def]
    """Dijkstra's search from both ends in turn: the parents towards each, where they meet, the length; fine or not."""
    n = indptr.size - 1
    parents, distance = np.full((2, n), -1, np.int32), np.full((2, n), np.inf)
    final, found = np.zeros((2, n), np.bool_), np.zeros((2, n), np.bool_)
    heap, back, pushed = [(0.0, 0, np.int64(source))], [(0.0, 1, np.int64(target))], 2
    distance[0, source], distance[1, target], found[0, source], found[1, target] = 0.0, 0.0, True, True
    best, place, side = np.inf, np.int64(-1), 1
    while len(heap) and len(back):
        side = 1 - side
        d, _, v = heappop(heap if side == 0 else back)
        if final[side, v]:
            continue
        final[side, v] = True
        if final[1 - side, v]:
            return parents, place, best, True
        first, last = (indptr[v], indptr[v + 1]) if side == 0 else (into_indptr[v], into_indptr[v + 1])
        for k in range(first, last):
            u = np.int64(indices[k] if side == 0 else into_indices[k])
            longer = d + (lengths[k] if side == 0 else into_lengths[k])
            if np.isnan(longer):
                continue
            if final[side, u]:
                if longer < distance[side, u]:
                    return parents, place, best, False
            elif not found[side, u] or longer < distance[side, u]:
                found[side, u], distance[side, u], parents[side, u] = True, longer, v
                heappush(heap if side == 0 else back, (longer, pushed, u))
                pushed += 1
                if found[1 - side, u] and (place < 0 or longer + distance[1 - side, u] < best):
                    best, place = longer + distance[1 - side, u], u
    return parents, np.int64(-1), best, True


@njit()
def find_strong(indptr, indices):  # type: ignore[no-untyped-def]
    """Strong components in the order in which Tarjan's search closes them: the nodes, and where each begins."""
    n = indptr.size - 1
    number, low = np.zeros(n, np.int32), np.zeros(n, np.int32)
    path, stack, at = np.empty(n, np.int32), np.empty(n, np.int32), indptr[:-1].copy()
    nodes, starts, listed, closed = np.empty(n, np.int32), np.zeros(n + 1, np.int64), 0, 0
    time = np.int32(0)
    for root in range(n):
        if number[root]:
            continue
        path[0], stack[0], deep, top = root, root, 1, 1
        time += 1
        number[root] = low[root] = time
        while deep:
            v = path[deep - 1]
            if at[v] < indptr[v + 1]:
                u = indices[at[v]]
                at[v] += 1
                if number[u] == 0:
                    time += 1
                    number[u] = low[u] = time
                    path[deep] = stack[top] = u
                    deep, top = deep + 1, top + 1
                else:
                    low[v] = min(low[v], low[u])
                continue
            deep -= 1
            if deep:
                low[path[deep - 1]] = min(low[path[deep - 1]], low[v])
            if low[v] == number[v]:
                w = np.int32(-1)
                while w != v:
                    top -= 1
                    w = stack[top]
                    nodes[listed], low[w] = w, 2147483647
                    listed += 1
                closed += 1
                starts[closed] = listed
    return nodes, starts[: closed + 1]
