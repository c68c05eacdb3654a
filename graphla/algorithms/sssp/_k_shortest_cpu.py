"""What Yen's algorithm asks of a graph on a CPU; see `_detours.py`, which says what is asked and which answer is given.

`marks` and `bans` hold for each vertex the number of the last question that marked it, so that none is ever cleared.
The marks of a question begin at three times its number: ROOT for the vertices of the beginning, ASTRAY for those whose
way onward meets one of them, and CLEAR for those whose way does not.
"""

from __future__ import annotations

import numpy as np

from graphla.algorithms.shared.nearby_cpu import extend, pop, push
from graphla.engine.cpu.jit import inner, njit

ROOT, ASTRAY, CLEAR = 0, 1, 2


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
    return np.int32(-1)


@njit()
def point_onward(indptr, indices, weights, far, none, target):  # type: ignore[no-untyped-def]
    """The next vertex on a shortest path to the target from each vertex; -1 if there is no path."""
    after, waiting, count = np.full(far.size, -1, np.int32), np.empty(64, np.int32), 0
    after[target] = target
    for u in range(far.size):
        if u == target or far[u] == none:
            continue
        after[u] = step_onward(u, indptr, indices, weights, far, after, False)
        if after[u] < 0:
            if count == waiting.size:
                waiting = extend(waiting, count, 1)
            waiting[count] = u
            count += 1
    while count:
        found, left = np.empty(count, np.int32), 0
        for i in range(count):
            found[i] = step_onward(waiting[i], indptr, indices, weights, far, after, True)
        for i in range(count):
            after[waiting[i]] = found[i]
            if found[i] < 0:
                waiting[left] = waiting[i]
                left += 1
        count = left
    return after


@njit()
def leave_each(indptr, indices, weights, far, none, path, first, banned, marks, bans, asked):  # type: ignore[no-untyped-def]
    """At each place of a path from the `first` on: the weight of its arc, how much is to go by another, and its head.

    No arc counts that was taken there before: to the next vertex, at the first place to those banned; none: head -1.
    """
    count = path.size - 1 - first
    along, rests, heads = np.empty(count, weights.dtype), np.full(count, none), np.full(count, -1, np.int32)
    mark_all(banned, bans, asked)
    mark_all(path[:first], marks, asked)
    for i in range(count):
        u = path[first + i]
        marks[u] = asked
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if v == path[first + i + 1]:
                along[i] = weights[e]
            elif not (marks[v] == asked or far[v] == none or (i == 0 and bans[v] == asked)):
                rest = weights[e] + far[v]
                if rest < rests[i]:
                    rests[i], heads[i] = rest, v
    return along, rests, heads


@njit()
def follow(after, head, target, beginning, marks, asked):  # type: ignore[no-untyped-def]
    """The shortest path from a vertex to the target; empty if it meets the beginning."""
    mark_all(beginning, marks, asked)
    path, count, v = np.empty(64, np.int32), 0, head
    while marks[v] != asked:
        if count == path.size:
            path = extend(path, count, 1)
        path[count] = v
        count += 1
        if v == target:
            return path[:count]
        v = after[v]
    return path[:0]


@inner()
def classify(v, after, marks, asked):  # type: ignore[no-untyped-def]
    """Whether the way onward from a vertex misses the beginning; where there are no ways, only what is marked does."""
    if after.size == 0:
        return marks[v] == asked + CLEAR
    u = v
    while marks[u] < asked:
        u = after[u]
    kind = max(marks[u], asked + ASTRAY)
    while marks[v] < asked:
        marks[v] = kind
        v = after[v]
    return kind == asked + CLEAR


@njit()
def detour(A, far, none, slack, after, question, most, marks, bans, met, asked):  # type: ignore[no-untyped-def]
    """The way from the end of a beginning to the first vertex that is clear, on a shortest path, and its whole length.

    A*: the vertex with the least length so far and to go is next, and none that is clear is left. The vertices of the
    way without its first, or none, and what the length says then: see `Answer`. Last, how many arcs were relaxed: if
    those of the next vertex make more than `most`, the search ends.
    """
    beginning, banned, clear, given = question
    indptr, indices, weights = A
    lengths, parents, seen, _ = met
    source = beginning[beginning.size - 1]
    mark_all(clear, marks, asked + CLEAR)
    mark_all(beginning, marks, asked + ROOT)
    mark_all(banned, bans, asked)
    keys, items, size = np.empty(256, weights.dtype), np.empty(256, np.int32), 1
    found, count, best, beyond, arcs = np.empty(256, np.int32), 1, none, none, 0
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
                if count == found.size:
                    found = extend(found, count, 1)
                found[count] = v
                count += 1
            lengths[v], seen[v] = length, asked
            if classify(v, after, marks, asked):
                best = min(best, least)
                limit = min(limit, best + best * slack)
                continue
            if size == items.size:
                keys, items = extend(keys, size, 1), extend(items, size, 1)
            push(keys, items, size, least, v)
            size += 1
    if count == 0 or best > given or best == none:
        return min(best, beyond), found[:0], arcs
    link(A, far, limit, found[:count], marks, bans, met, asked)
    return best, trace(parents, source, find_end(far, best, found[1:count], marks, lengths, asked)), arcs


@inner()
def find_end(far, best, found, marks, lengths, asked):  # type: ignore[no-untyped-def]
    """The least vertex that is clear on a shortest path."""
    end = far.size
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
        parents[v], ranks[v] = parents.size, 0
    waiting = found.size - 1
    for level in range(found.size):
        offer(A, far, limit, found, marks, bans, met, asked, level)
        before, ranks[found[0]] = waiting, 1
        for v in found[1:]:
            if ranks[v] == 0 and parents[v] < parents.size:
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
def trace(parents, source, target):  # type: ignore[no-untyped-def]
    """The vertices after the source on the way to the target; none if one of them has no parent."""
    count, v = 0, target
    while v != source:
        v = parents[v]
        if v == parents.size:
            return np.empty(0, np.int32)
        count += 1
    path, v = np.empty(count, np.int32), target
    for i in range(count - 1, -1, -1):
        path[i] = v
        v = parents[v]
    return path
