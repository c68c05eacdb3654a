"""What Yen's algorithm asks of a graph on a CPU; see `_detours.py`, which says what is asked and which answer is given.

`marks` and `bans` hold for each vertex the number of the last question that marked it, so that none is ever cleared.
The marks of a question begin at three times its number: ROOT for the vertices of the beginning, ASTRAY for those whose
way onward meets one of them, and CLEAR for those whose way does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.nearby_cpu import extend, pop, push
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late

Array = Any
ROOT, ASTRAY, CLEAR = 0, 1, 2
ARC = 1.0
"""The microseconds, about, that Python takes to relax an arc."""


@inner()
def mark_all(vertices, marks, asked):  # type: ignore[no-untyped-def]
    """Mark vertices for a question."""
    for v in vertices:
        marks[v] = asked


@inner()
def step_onward(u, indptr, indices, weights, far, after, level):  # type: ignore[no-untyped-def]
    """The least next vertex that is nearer, or on a level one that is known to lead on; -1 if there is none."""
    for e in range(indptr[u], indptr[u + 1]):
        v = indices[e]
        if far[v] + weights[e] == far[u] and (far[v] < far[u] or (level and after[v] >= 0)):
            return v
    return -1


@compile_late(0.35, lambda indptr, indices, *_: 0.6 * len(indptr) + 0.1 * len(indices), views=True)
def point_nearer(indptr, indices, weights, far, none, target, after, waiting):  # type: ignore[no-untyped-def]
    """Point each vertex on to a nearer one on a shortest path to the target; list those that wait for one as near."""
    count = 0
    for u in range(len(far)):
        after[u] = -1
        if u != target and far[u] != none:
            after[u] = step_onward(u, indptr, indices, weights, far, after, False)
            if after[u] < 0:
                waiting[count] = u
                count += 1
    after[target] = target
    return count


@compile_late(0.3, lambda indptr, indices, *given: given[-1] * (1 + 0.2 * len(indices) / len(indptr)), views=True)
def point_along(indptr, indices, weights, far, after, waiting, found, count):  # type: ignore[no-untyped-def]
    """Point vertices on to those as near that lead on; how many of them still wait."""
    for i in range(count):
        found[i] = step_onward(waiting[i], indptr, indices, weights, far, after, True)
    left = 0
    for i in range(count):
        after[waiting[i]] = found[i]
        if found[i] < 0:
            waiting[left] = waiting[i]
            left += 1
    return left


def point_onward(A: tuple[Array, Array, Array], far: Array, none: Any, target: int) -> Array:
    """The next vertex on a shortest path to the target from each vertex; -1 if there is no path."""
    after, waiting, found = (np.empty(far.size, np.int32) for _ in range(3))
    count = point_nearer(*A, far, none, target, after, waiting)
    while count:
        count = point_along(*A, far, after, waiting, found, count)
    return after


def measure_leaving(indptr, indices, weights, far, path, first, *_):  # type: ignore[no-untyped-def]
    """The microseconds, about, that Python takes to look at the arcs along a path."""
    along = path[first:]
    return along.size + 0.2 * int((indptr[along + 1] - indptr[along]).sum())


@compile_late(0.35, measure_leaving, views=True)
def leave_each(indptr, indices, weights, far, path, first, banned, marks, bans, asked, out):  # type: ignore[no-untyped-def]
    """At each place of a path from the `first` on: the weight of its arc, how much is to go by another, and its head.

    No arc counts that was taken there before: to the next vertex, at the first place to those banned. Where there is
    none, `out` keeps its infinity, than which a rest is less, and its head.
    """
    along, rests, heads = out
    mark_all(banned, bans, asked)
    mark_all(path[:first], marks, asked)
    for i in range(len(heads)):
        u = path[first + i]
        marks[u] = asked
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if v == path[first + i + 1]:
                along[i] = weights[e]
            elif not (marks[v] == asked or (i == 0 and bans[v] == asked)) and far[v] < rests[i]:
                rest = weights[e] + far[v]
                if rest < rests[i]:
                    rests[i], heads[i] = rest, v


@compile_late(0.15, lambda after, head, target, beginning, *_: 0.15 * (len(after) + len(beginning)), views=True)
def follow(after, head, target, beginning, marks, asked, path):  # type: ignore[no-untyped-def]
    """Write the shortest path from a vertex to the target; how many vertices it has, none if it meets the beginning."""
    mark_all(beginning, marks, asked)
    count, v = 0, head
    while marks[v] != asked:
        path[count] = v
        count += 1
        if v == target:
            return count
        v = after[v]
    return 0


@inner()
def classify(v, after, marks, asked):  # type: ignore[no-untyped-def]
    """Whether the way onward from a vertex misses the beginning; where there are no ways, only what is marked does."""
    if len(after) == 0:
        return marks[v] == asked + CLEAR
    u = v
    while marks[u] < asked:
        u = after[u]
    kind = max(marks[u], asked + ASTRAY)
    while marks[v] < asked:
        marks[v] = kind
        v = after[v]
    return kind == asked + CLEAR


def measure_detour(A, far, none, slack, after, question, most, *_):  # type: ignore[no-untyped-def]
    """The microseconds, about, that Python takes to relax as many arcs as there are, or may be relaxed."""
    return ARC * min(A[1].size, most)


@compile_late(1.5, measure_detour, views=True, took=lambda found: 20 + ARC * found[2])
def detour(A, far, none, slack, after, question, most, room, marks, bans, met, asked):  # type: ignore[no-untyped-def]
    """The length of a shortest path, and how many vertices are on its way from the beginning to one that is clear.

    A*: the vertex with the least length so far and to go is next, and none that is clear is left. `room` has places for
    all vertices, where the way stands then without its first, and a heap. If there is no way, see `Answer` for what the
    length says. Last, how many arcs were relaxed: if those of the next vertex make more than `most`, the search ends.
    """
    beginning, banned, clear, given = question
    indptr, indices, weights = A
    lengths, parents, seen, _ = met
    found, keys, items = room
    source = beginning[len(beginning) - 1]
    mark_all(clear, marks, asked + CLEAR)
    mark_all(beginning, marks, asked + ROOT)
    mark_all(banned, bans, asked)
    size, count, best, beyond, arcs = 1, 1, none, none, 0
    limit = none if given == none else given + given * slack
    keys[0], items[0], lengths[source], seen[source], found[0] = far[source], source, 0, asked, source
    while size and keys[0] <= limit:
        u, key = items[0], keys[0]
        pop(keys, items, size)
        size -= 1
        if key > lengths[u] + far[u]:
            continue
        arcs += indptr[u + 1] - indptr[u]
        if arcs > most:
            best, count = far[source], 0
            break
        for e in range(indptr[u], indptr[u + 1]):
            v, length = indices[e], lengths[u] + weights[e]
            if far[v] == none or length == none:
                continue
            least = length + far[v]
            if least > limit and least >= beyond:
                continue
            if marks[v] == asked + ROOT or (u == source and bans[v] == asked):
                continue
            if least > limit:
                beyond = least
                continue
            if seen[v] == asked and lengths[v] <= length:
                continue
            if seen[v] != asked:
                found[count] = v
                count += 1
            lengths[v], seen[v] = length, asked
            if classify(v, after, marks, asked):
                best = min(best, least)
                limit = min(limit, best + best * slack)
                continue
            if size == len(items):
                keys, items = extend(keys, size, 1), extend(items, size, 1)
            push(keys, items, size, least, v)
            size += 1
    if count == 0 or best > given or best == none:
        return min(best, beyond), 0, arcs
    link(A, far, limit, found[:count], marks, bans, met, asked)
    return best, trace(parents, source, find_end(far, best, found[1:count], marks, lengths, asked), found), arcs


@inner()
def find_end(far, best, found, marks, lengths, asked):  # type: ignore[no-untyped-def]
    """The least vertex that is clear on a shortest path."""
    end = len(far)
    for v in found:
        if marks[v] == asked + CLEAR and lengths[v] + far[v] == best:
            end = min(end, v)
    return end


@inner()
def link(A, far, limit, found, marks, bans, met, asked):  # type: ignore[no-untyped-def]
    """The parent of each vertex that was found: the least one that is nearer, or else one on its level with a parent.

    The vertices of a level that only its other ones lead to get theirs in rounds, so that no parents run in a circle.
    """
    parents, ranks = met[1], met[3]
    for v in found:
        parents[v], ranks[v] = len(parents), 0
    waiting = len(found) - 1
    for level in range(len(found)):
        offer(A, far, limit, found, marks, bans, met, asked, level)
        before, ranks[found[0]] = waiting, 1
        for v in found[1:]:
            if ranks[v] == 0 and parents[v] < len(parents):
                ranks[v] = level + 1
                waiting -= 1
        if waiting == 0 or (level and waiting == before):
            break


@inner()
def offer(A, far, limit, found, marks, bans, met, asked, level):  # type: ignore[no-untyped-def]
    """Each vertex offers itself as parent to what it leads to: first to what is farther, then along its level."""
    indptr, indices, weights = A
    lengths, parents, seen, ranks = met
    for u in found:
        if marks[u] == asked + CLEAR or lengths[u] + far[u] > limit or ranks[u] != level:
            continue
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if marks[v] == asked + ROOT or seen[v] != asked or (u == found[0] and bans[v] == asked):
                continue
            steps = lengths[u] == lengths[v] and ranks[v] == 0 if level else lengths[u] < lengths[v]
            if steps and lengths[u] + weights[e] == lengths[v]:
                parents[v] = min(parents[v], u)


@inner()
def trace(parents, source, target, way):  # type: ignore[no-untyped-def]
    """Write the vertices after the source on the way to the target; how many, none if one of them has no parent."""
    count, v = 0, target
    while v != source:
        v = parents[v]
        if v == len(parents):
            return 0
        count += 1
    v = target
    for i in range(count - 1, -1, -1):
        way[i] = v
        v = parents[v]
    return count
