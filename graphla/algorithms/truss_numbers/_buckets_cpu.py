"""Edges in an array by the triangles that they have left; one that loses a triangle moves one bucket down."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.entries.structure import find
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import run_aside


@compile_late(0.1, lambda order, rank, indptr, indices, *_: 0.3 * len(order) + 0.1 * len(indices), views=True)
def orient(order, rank, indptr, indices, ids, begin, heads, edges):  # type: ignore[no-untyped-def]
    """Keep the arcs to vertices of smaller rank: those of higher degree."""
    place = 0
    for r in range(len(order)):
        begin[r] = place
        v = order[r]
        for k in range(indptr[v], indptr[v + 1]):
            w = rank[indices[k]]
            if w < r:
                heads[place], edges[place] = w, ids[k]
                place += 1
    begin[len(order)] = place


@compile_late(0.15, lambda begin, heads, *_: 0.05 * len(heads) ** 1.5, views=True)
def count_triangles(begin, heads, edges, seen, seen_edge, support):  # type: ignore[no-untyped-def]
    """Add up the triangles of each edge; each is found once, from its vertex of the lowest degree."""
    for u in range(len(begin) - 1):
        first, last = np.uint64(begin[u]), np.uint64(begin[u + 1])
        for k in range(first, last):
            v = np.uint32(heads[k])
            seen[v], seen_edge[v] = u, edges[k]
        for k in range(first, last):
            v, found = np.uint32(heads[k]), 0
            for j in range(np.uint64(begin[v]), np.uint64(begin[v + np.uint32(1)])):
                w = np.uint32(heads[j])
                if seen[w] == u:
                    found += 1
                    support[np.uint32(edges[j])] += 1
                    support[np.uint32(seen_edge[w])] += 1
            support[np.uint32(edges[k])] += found


@inner()
def shrink(v, indptr, ends, indices, ids, gone):  # type: ignore[no-untyped-def]
    """Close the gaps that edges have left in a row."""
    place = indptr[v]
    for k in range(indptr[v], ends[v]):
        if not gone[ids[k]]:
            indices[place], ids[place] = indices[k], ids[k]
            place += 1
    ends[v] = place


@inner()
def lose(e, level, support, order, place, begin):  # type: ignore[no-untyped-def]
    """Move an edge one bucket down, unless it is to leave at this level anyway."""
    e = np.uint32(e)
    s = support[e]
    if s <= level:
        return
    first, behind = np.uint32(begin[np.uint32(s)]), np.uint32(place[e])
    other = np.uint32(order[first])
    order[first], order[behind] = e, other  # which may be one: no branch could foresee it
    place[other], place[e] = behind, first
    begin[np.uint32(s)] = first + np.uint32(1)
    support[e] = s - 1


@compile_late(0.12, lambda support, *_: 0.3 * len(support), views=True)
def sort_edges(support, order, place, begin):  # type: ignore[no-untyped-def]
    """Fill the buckets, and where each begins, which is 0 before."""
    for e in range(len(support)):
        begin[support[e] + 1] += 1
    for s in range(len(begin) - 1):
        begin[s + 1] += begin[s]
    for e in range(len(support)):
        place[e] = begin[support[e]]
        order[place[e]] = e
        begin[support[e]] += 1
    for s in range(len(begin) - 1, 0, -1):
        begin[s] = begin[s - 1]
    begin[0] = 0


@compile_late(0.4, lambda indptr, ends, indices, *_: 0.06 * len(indices) ** 1.5, views=True)
def peel(  # type: ignore[no-untyped-def]
    indptr, ends, indices, ids, tails, heads, support, last_level, order, place, begin, shed, gone
):
    """Remove the sorted edges, up to the support `last_level`; `support` becomes the truss number less two."""
    for i in range(len(support)):
        e = order[i]
        level = support[e]
        if level > last_level:
            break
        u, v = tails[e], heads[e]
        if ends[u] - indptr[u] > ends[v] - indptr[v]:
            u, v = v, u
        if level > 0:
            for k in range(indptr[u], ends[u]):
                if gone[ids[k]]:
                    continue
                end = np.uint64(ends[v])
                j = find(indices, np.uint64(indptr[v]), end, indices[k])
                if j < end and indices[j] == indices[k] and not gone[ids[j]]:
                    lose(ids[k], level, support, order, place, begin)
                    lose(ids[j], level, support, order, place, begin)
        gone[e] = True
        for w in (u, v):
            shed[w] += 1
            if 4 * shed[w] > ends[w] - indptr[w]:
                shrink(w, indptr, ends, indices, ids, gone)
                shed[w] = 0


def find_support(csr: Any, ids: Any) -> Any:
    """The number of triangles of each edge: int32."""
    degrees = np.diff(csr.indptr)
    order = np.argsort(-degrees, kind="stable").astype(np.int32)
    rank = np.empty(csr.nrows, np.int32)
    rank[order] = np.arange(csr.nrows, dtype=np.int32)
    begin = np.empty(csr.nrows + 1, csr.indptr.dtype)
    heads, edges = np.empty(csr.nvals // 2, np.int32), np.empty(csr.nvals // 2, np.int32)
    orient(order, rank, csr.indptr, csr.indices, ids, begin, heads, edges)
    support, seen = np.zeros(csr.nvals // 2, np.int32), np.full(csr.nrows, -1, np.int32)
    run_aside(csr.nvals, count_triangles, begin, heads, edges, seen, np.empty(csr.nrows, np.int32), support)
    return support


def find_trusses(csr: Any, edges: Any, last_level: int) -> Any:
    """The truss number of each edge, less two; numbers beyond `last_level` are only known to be larger."""
    support = find_support(csr, edges.ids)
    rows = csr.indptr, csr.indptr[1:].copy(), csr.indices.copy(), edges.ids.copy()
    order, place = np.empty((2, support.size), np.int32)
    begin, shed = np.zeros(int(support.max(initial=0)) + 2, np.int32), np.zeros(csr.nrows, np.int32)
    run_aside(csr.nvals, sort_edges, support, order, place, begin)
    room = order, place, begin, shed, np.zeros(support.size, np.bool_)
    run_aside(csr.nvals, peel, *rows, edges.tails, edges.heads, support, last_level, *room)
    return support
