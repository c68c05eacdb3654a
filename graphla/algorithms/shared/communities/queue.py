"""Vertices move one after the other to the community that gains most; the neighbours of those that move wait again.

Whether the two ends of an arc share a community is a guess that fails half of the time, and costs a processor more than
the rest of the arc. So sums multiply by the truth, and lists write where they may end, and go on by the truth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.level import LEAST_GAIN, Level
from graphla.algorithms.shared.random_order import mix
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import run_aside
from graphla.graphs.generators.hashing import derive_state
from graphla.storage import CompressedMatrix

Array = Any


@inner()
def find_share(strengths, totals, v, c, scale):  # type: ignore[no-untyped-def]
    """The weight that chance would put between a vertex and a community."""
    last = strengths.shape[1] - 1
    share = 0.0
    for side in range(last + 1):
        share += scale * strengths[v, side] * totals[c, last - side]
    return share


@inner()
def add_weight(totals, c, strengths, v, sign):  # type: ignore[no-untyped-def]
    """A vertex joins (1) or leaves (-1) a community."""
    for side in range(strengths.shape[1]):
        totals[c, side] += sign * strengths[v, side]


@inner()
def add_near(indptr, indices, values, community, v, near, seen):  # type: ignore[no-untyped-def]
    """Add up the weights between a vertex and each community around it; return how many these are."""
    count = 0
    for k in range(indptr[v], indptr[v + 1]):
        c = community[indices[k]]
        seen[count] = c
        count += near[c] == 0.0
        near[c] += values[k]
    return count


@compile_late(0.08, lambda first, last, rows, *_: 0.5 * (last - first) + 0.15 * len(rows[1]), views=True)
def add_inside(first, last, rows, members, outside):  # type: ignore[no-untyped-def]
    """The weight between each vertex of a range and all others of its community."""
    indptr, indices, values = rows
    for v in range(first, last):
        total, own = 0.0, members[v]
        for k in range(indptr[v], indptr[v + 1]):
            total += values[k] * (members[indices[k]] == own)
        outside[v] = total


@inner()
def find_best(strengths, totals, near, seen, count, v, own, scale, sizes, held, most_held):  # type: ignore[no-untyped-def]
    """The community that gains most, its own unless another one gains more; the vertex is in none meanwhile."""
    best = own
    most = near[own] - find_share(strengths, totals, v, own, scale)
    most += LEAST_GAIN * (strengths[v, 0] + strengths[v, strengths.shape[1] - 1])
    for i in range(count):
        c = seen[i]
        gain = near[c] - find_share(strengths, totals, v, c, scale)
        if gain > most and c != own and held[c] + sizes[v] <= most_held:
            best, most = c, gain
    for i in range(count):
        near[seen[i]] = 0.0
    return best


@compile_late(0.4, lambda indptr, indices, *_: 5 * len(indptr) + 2 * len(indices), views=True)
def move_all(  # type: ignore[no-untyped-def]
    indptr, indices, values, strengths, totals, community, queue, left, scale, near, seen, waits, sizes, held, most
):
    """Move vertices in the order of a queue, of which `left` wait, until no one gains by a move."""
    n = len(community)
    head = 0
    while left:
        v = queue[head]
        head = head + 1 if head + 1 < n else 0
        left -= 1
        waits[v] = False
        own = community[v]
        count = add_near(indptr, indices, values, community, v, near, seen)
        add_weight(totals, own, strengths, v, -1.0)  # whole constants would be two types
        best = find_best(strengths, totals, near, seen, count, v, own, scale, sizes, held, most)
        add_weight(totals, best, strengths, v, 1.0)
        if best == own:
            continue
        community[v] = best
        held[own] -= sizes[v]
        held[best] += sizes[v]
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if not waits[u] and community[u] != best:
                waits[u] = True
                queue[(head + left) % n] = u
                left += 1


@compile_late(0.15, lambda indptr, indices, *_: len(indptr) + 0.4 * len(indices), views=True)
def merge_rows(  # type: ignore[no-untyped-def]
    indptr, indices, values, numbers, members, starts, near, pointers, columns, sums
):
    """The arcs between groups: row pointers, columns in no order, and weights; `near` is 0 before and after."""
    end, pointers[0] = 0, 0
    for c in range(len(starts) - 1):
        begin, near[c] = end, 1.0  # so that c is not listed
        for i in range(starts[c], starts[c + 1]):
            v = members[i]
            for k in range(indptr[v], indptr[v + 1]):
                d = numbers[indices[k]]
                columns[end] = d
                end += near[d] == 0.0
                near[d] += values[k]
        near[c] = 0.0
        for k in range(begin, end):
            sums[k] = near[columns[k]]
            near[columns[k]] = 0.0
        pointers[c + 1] = end


def move(level: Level, start: Array, scale: float, draw: int) -> Array:
    """The community of each vertex, from a start; the vertices wait in an order that the draw shuffles."""
    rows, community, order = level.rows, start.copy(), shuffle(level.n, draw)
    totals, waiting = add_strengths(level, start, level.n), level.n
    if level.fixed is not None:
        order, waiting = (
            np.concatenate([order[~level.fixed[order]], order[level.fixed[order]]]),
            int((~level.fixed).sum()),
        )
    sizes = np.ones(level.n) if level.sizes is None else level.sizes
    limits = sizes, np.bincount(start, sizes, level.n), float(level.most or np.inf)
    given = rows.indptr, rows.indices, rows.values, level.strengths, totals, community, order, waiting, scale
    room = np.zeros(level.n), np.empty(level.n, np.int32), np.ones(level.n, np.bool_)
    run_aside(rows.nvals, move_all, *given, *room, *limits)
    return community


def shuffle(n: int, draw: int) -> Array:
    """The vertices in the order of a hash of their numbers."""
    return np.argsort(mix(np, np.arange(n, dtype=np.uint32), derive_state(draw)), kind="stable").astype(np.int32)


def add_strengths(level: Level, numbers: Array, count: int) -> Array:
    """The strengths of groups: of shape (count, sides)."""
    return np.stack([np.bincount(numbers, side, count) for side in level.strengths.T], 1)


def merge(level: Level, numbers: Array, count: int) -> Level:
    """The level whose vertices are groups."""
    rows, members = level.rows, np.argsort(numbers, kind="stable").astype(np.int32)
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(numbers, minlength=count), out=starts[1:])
    given = rows.indptr, rows.indices, rows.values, numbers, members, starts
    pointers, columns, sums = (
        np.empty(count + 1, rows.indptr.dtype),
        np.empty(rows.nvals, np.int32),
        np.empty(rows.nvals),
    )
    run_aside(rows.nvals, merge_rows, *given, np.zeros(count), pointers, columns, sums)
    merged = pointers, columns[: pointers[-1]].copy(), sums[: pointers[-1]].copy()
    return Level(CompressedMatrix(count, count, *merged), add_strengths(level, numbers, count), level.total)
