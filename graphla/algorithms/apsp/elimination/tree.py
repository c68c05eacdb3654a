"""The elimination tree of a symmetric pattern, and its supernodes: vertices that are eliminated together.

J. W. H. Liu, "The role of elimination trees in sparse factorization", SIAM J. Matrix Anal. Appl. 11(1), 1990;
T. A. Davis, S. Rajamanickam, W. M. Sid-Lakhdar, "A survey of direct methods for sparse linear systems", Acta Numerica
25, 2016.
"""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.sort import sort_part

NARROW, MEDIUM, WIDE = 8, 16, 48
"""Widths up to which a merged supernode may hold any, or the following, shares of entries that are not filled."""
SHARE_OF_MEDIUM, SHARE_OF_WIDE, SHARE = 0.5, 0.15, 0.05


@compile_late(0.1, lambda indptr, indices, *_: indices.size)
def find_parents(indptr, indices, order, rank):  # type: ignore[no-untyped-def]
    """Return the parent of each position in the elimination tree, −1 of a root."""
    parent, ancestor = np.full(order.size, -1, np.int32), np.full(order.size, -1, np.int32)
    for k in range(order.size):
        v = order[k]
        for e in range(indptr[v], indptr[v + 1]):
            i = rank[indices[e]]
            while i != -1 and i < k:
                after = ancestor[i]
                ancestor[i] = k
                if after == -1:
                    parent[i] = k
                i = after
    return parent


@compile_late(0.2, lambda parent: parent.size)
def order_children_first(parent):  # type: ignore[no-untyped-def]
    """Return the nodes of a forest in postorder: a subtree is a range that ends with its root."""
    n = parent.size
    child, sibling = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    for v in range(n - 1, -1, -1):
        if parent[v] >= 0:
            sibling[v] = child[parent[v]]
            child[parent[v]] = v
    post, stack, count = np.empty(n, np.int32), np.empty(n, np.int32), 0
    for root in range(n):
        if parent[root] >= 0:
            continue
        stack[0], top = root, 1
        while top:
            v = stack[top - 1]
            c = child[v]
            if c >= 0:
                child[v], stack[top] = sibling[c], c
                top += 1
            else:
                post[count] = v
                count, top = count + 1, top - 1
    return post


@compile_late(0.2, lambda indptr, indices, *_: 2 * indices.size)
def count_columns(indptr, indices, order, rank, parent):  # type: ignore[no-untyped-def]
    """Count the entries of each column of the filled lower triangle, with the diagonal."""
    count, mark = np.ones(order.size, np.int64), np.full(order.size, -1, np.int32)
    for k in range(order.size):
        v = order[k]
        mark[k] = k
        for e in range(indptr[v], indptr[v + 1]):
            i = rank[indices[e]]
            while i < k and mark[i] != k:
                count[i] += 1
                mark[i] = k
                i = parent[i]
    return count


@inner()
def count_filled(width, height):  # type: ignore[no-untyped-def]
    """Count the entries of the lower triangle of a front's pivot columns."""
    return width * height - width * (width - 1) // 2


@inner()
def is_worth_merging(width, share):  # type: ignore[no-untyped-def]
    """Whether a supernode of this width may hold this share of entries that are not filled."""
    if width <= NARROW:
        return True
    return share < (SHARE_OF_MEDIUM if width <= MEDIUM else SHARE_OF_WIDE if width <= WIDE else SHARE)


@compile_late(0.25, lambda parent, _: 8 * parent.size)
def find_supernodes(parent, count):  # type: ignore[no-untyped-def]
    """Return the supernode of each position (its last position), after merging children into parents where it pays.

    Positions are in postorder. Columns of one structure belong together; then a child joins its parent if few entries
    of the merged front are empty.
    """
    n = parent.size
    owner = np.empty(n, np.int32)
    width, height, true, above = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64), parent.copy()
    for k in range(n - 1, -1, -1):
        together = k + 1 < n and parent[k] == k + 1 and count[k] == count[k + 1] + 1
        owner[k] = owner[k + 1] if together else k
        width[owner[k]] += 1
        height[owner[k]] = count[k]
    for k in range(n):
        true[owner[k]] += count[k]
    for c in range(n):  # children come before their parents
        if owner[c] != c or parent[c] < 0:
            continue
        p = owner[parent[c]]
        above[c] = p
        w, h = width[c] + width[p], width[c] + height[p]
        filled = count_filled(w, h)
        if is_worth_merging(w, 1.0 - (true[c] + true[p]) / filled):
            owner[c], width[p], height[p], true[p] = p, w, h, true[c] + true[p]
    for k in range(n - 1, -1, -1):
        owner[k] = owner[owner[k]]
    return owner


@compile_late(0.5, lambda indptr, indices, *rest: indices.size + rest[-1])
def find_boundaries(indptr, indices, order, rank, first, parent, limit):  # type: ignore[no-untyped-def]
    """Return pointers and positions of each supernode's boundary: later positions that share an arc or filled entry.

    `limit` bounds the number of positions of all boundaries.
    """
    count = parent.size
    start, rows = np.zeros(count + 1, np.int64), np.empty(limit, np.int32)
    mark = np.full(order.size, -1, np.int32)
    child, sibling = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
    for s in range(count):
        end = fill = start[s]
        for k in range(first[s], first[s + 1]):
            v = order[k]
            for e in range(indptr[v], indptr[v + 1]):
                i = rank[indices[e]]
                if i >= first[s + 1] and mark[i] != s:
                    mark[i], rows[fill] = s, i
                    fill += 1
        c = child[s]
        while c >= 0:
            for e in range(start[c], start[c + 1]):
                i = rows[e]
                if i >= first[s + 1] and mark[i] != s:
                    mark[i], rows[fill] = s, i
                    fill += 1
            c = sibling[c]
        sort_part(rows, end, fill)
        start[s + 1] = fill
        if parent[s] >= 0:
            sibling[s], child[parent[s]] = child[parent[s]], s
    return start, rows[: start[count]]


@inner()
def locate(i, s, first, start, rows):  # type: ignore[no-untyped-def]
    """Return the index of a position in the front of supernode s: its own vertices, then its boundary."""
    if i < first[s + 1]:
        return i - first[s]
    low, high = start[s], start[s + 1]
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < i:
            low = middle + 1
        else:
            high = middle
    return first[s + 1] - first[s] + low - start[s]


@compile_late(0.1, lambda first, start, rows, _: 4 * rows.size)
def locate_boundaries(first, start, rows, parent):  # type: ignore[no-untyped-def]
    """Return the index of each boundary position in the front of the parent."""
    place = np.empty(rows.size, np.int32)
    for s in range(parent.size):
        for e in range(start[s], start[s + 1]):
            place[e] = locate(rows[e], parent[s], first, start, rows)
    return place


@compile_late(0.5, lambda indptr, indices, *_: 3 * indices.size)
def locate_arcs(indptr, indices, order, rank, of, first, start, rows):  # type: ignore[no-untyped-def]
    """Group the arcs by the front that takes them: pointers, the arcs, and row and column in the front."""
    count, arcs = first.size - 1, indices.size
    begin = np.zeros(count + 1, np.int64)
    tail = np.empty(arcs, np.int32)
    for v in range(order.size):
        for e in range(indptr[v], indptr[v + 1]):
            tail[e] = rank[v]
            begin[of[min(rank[v], rank[indices[e]])] + 1] += 1
    for s in range(count):
        begin[s + 1] += begin[s]
    fill, which = begin.copy(), np.empty(arcs, np.int64)
    row, column = np.empty(arcs, np.int32), np.empty(arcs, np.int32)
    for e in range(arcs):
        head = rank[indices[e]]
        s = of[min(tail[e], head)]
        k = fill[s]
        which[k], fill[s] = e, k + 1
        row[k], column[k] = locate(tail[e], s, first, start, rows), locate(head, s, first, start, rows)
    return begin, which, row, column


@compile_late(0.1, lambda parent, *_: 2 * parent.size)
def measure_stacks(parent, fronts, updates):  # type: ignore[no-untyped-def]
    """Return the cells of each subtree's stack: each child is above the updates of the children before it."""
    peak, below = fronts.copy(), np.zeros(parent.size, np.int64)
    for s in range(parent.size):
        peak[s] = max(peak[s], below[s] + fronts[s])
        p = parent[s]
        if p >= 0:
            peak[p] = max(peak[p], below[p] + peak[s])
            below[p] += updates[s]
    return peak


@compile_late(0.2, lambda parent, *_: 3 * parent.size)
def find_ranges(parent, work, limit):  # type: ignore[no-untyped-def]
    """Return ranges of supernodes, int64[ranges, 2]: the largest subtrees of at most `limit` work.

    Beside each other subtrees are put together as far as their work is at most `limit`. What is in no range are the
    supernodes above.
    """
    total, low = work.copy(), np.arange(parent.size)
    for s in range(parent.size):
        if parent[s] >= 0:
            total[parent[s]] += total[s]
            low[parent[s]] = min(low[parent[s]], low[s])
    ranges, held, count = np.empty((parent.size, 2), np.int64), np.int64(0), 0
    for s in range(parent.size):
        if total[s] > limit or (parent[s] >= 0 and total[parent[s]] <= limit):
            continue
        if count and ranges[count - 1, 1] == low[s] and held + total[s] <= limit:
            held += total[s]
        else:
            ranges[count, 0], held = low[s], total[s]
            count += 1
        ranges[count - 1, 1] = s + 1
    return ranges[:count]


@compile_late(0.1, lambda parent: parent.size)
def measure_depths(parent):  # type: ignore[no-untyped-def]
    """Return the depth of each supernode in its tree."""
    depth = np.zeros(parent.size, np.int64)
    for s in range(parent.size - 1, -1, -1):
        if parent[s] >= 0:
            depth[s] = depth[parent[s]] + 1
    return depth
