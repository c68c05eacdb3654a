"""Searches of what is near, in time and memory of what they meet: vertices stand in a list, not in arrays of all.

A table with open addresses says where in the list a vertex is; it has `keys`, -1 where it is free, and `places`. A
search that meets more vertices than the list has room for is given up. One call searches from many sources: their lists
follow each other, and the table is cleared of what each has put in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late

FREE = -1
GIVEN_UP = -1
"""The end of the list of a search that had no room."""
SOURCES_A_THREAD = 16
"""Sources below which a second thread costs more than it saves."""


@inner()
def look_up(v, keys):  # type: ignore[no-untyped-def]
    """Where in the table the vertex is, or can be put."""
    mask = keys.size - 1
    at = np.int64((np.uint64(v) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while keys[at] != FREE and keys[at] != v:
        at = (at + 1) & mask
    return at


@inner()
def make_keys(room):  # type: ignore[no-untyped-def]
    """The keys of an empty table that is at most half full with so many vertices."""
    size = 4
    while size < 2 * room:
        size *= 2
    return np.full(size, FREE, np.int32)


@inner()
def put(v, count, vertices, cells, keys, places):  # type: ignore[no-untyped-def]
    """The place of the vertex in the list, at whose end it is put if it is new; -1 if there is no room."""
    at = look_up(v, keys)
    if keys[at] != FREE:
        return places[at]
    if count == vertices.size:
        return np.int32(-1)
    keys[at], places[at] = v, count
    vertices[count], cells[count] = v, at
    return np.int32(count)


@inner()
def mark(targets):  # type: ignore[no-untyped-def]
    """The keys of a table of the targets."""
    keys = make_keys(targets.size)
    for v in targets:
        keys[look_up(v, keys)] = v
    return keys


@inner()
def push(lengths, items, size, length, item):  # type: ignore[no-untyped-def]
    """Put an item into a heap with the least length on top."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if lengths[above] <= length:
            break
        lengths[place], items[place] = lengths[above], items[above]
        place = above
    lengths[place], items[place] = length, item


@inner()
def pop(lengths, items, size):  # type: ignore[no-untyped-def]
    """Take the top of a heap of so many items away; the last one sinks to its place."""
    length, item, place = lengths[size - 1], items[size - 1], 0
    while True:
        below = 2 * place + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and lengths[below + 1] < lengths[below]:
            below += 1
        if lengths[below] >= length:
            break
        lengths[place], items[place] = lengths[below], items[below]
        place = below
    lengths[place], items[place] = length, item


@inner()
def relax(u, d, bound, infinity, A, met, table, heap, count, size):  # type: ignore[no-untyped-def]
    """Relax the arcs of u that end within the bound; return how many are listed (~ for no room), and waiting."""
    indptr, indices, weights = A
    vertices, values, parents, cells = met
    lengths, items = heap
    for e in range(indptr[u], indptr[u + 1]):
        far = d + weights[e] if weights[e] < infinity - d else infinity
        if far > bound or far == infinity:
            continue
        i = put(indices[e], count, vertices, cells, *table)
        if i < 0 or size == items.size:
            return ~count, size
        if i == count:
            count += 1
        elif values[i] <= far:
            continue
        values[i], parents[i] = far, u
        push(lengths, items, size, far, i)
        size += 1
    return count, size


@inner()
def walk(source, last, infinity, wanted, A, met, table, heap):  # type: ignore[no-untyped-def]
    """Dijkstra's algorithm from one source; return how many are listed (~ for no room), and the bound."""
    vertices, values, parents, cells = met
    lengths, items = heap
    keys, left = wanted
    values[0], parents[0], lengths[0], items[0] = 0, source, 0, 0
    count, size, bound = put(source, 0, vertices, cells, *table) + 1, 1, last
    while size and lengths[0] <= bound and count > 0:
        i, d = items[0], lengths[0]
        pop(lengths, items, size)
        size -= 1
        if d > values[i]:
            continue
        u = vertices[i]
        if left and keys[look_up(u, keys)] == u:
            left -= 1
            bound = d if left == 0 else bound
        count, size = relax(u, d, bound, infinity, A, met, table, heap, count, size)
    return count, bound


@inner()
def flood(source, last, wanted, A, met, table):  # type: ignore[no-untyped-def]
    """Breadth-first search from one source, whose queue is the list; return as `walk`."""
    indptr, indices = A
    vertices, values, parents, cells = met
    keys, left = wanted
    values[0], parents[0] = 0, source
    count, bound, head = put(source, 0, vertices, cells, *table) + 1, last, 0
    if left and keys[look_up(source, keys)] == source:
        left -= 1
        bound = bound if left else values[0]
    while head < count and values[head] < bound:
        u, level = vertices[head], values[head] + np.int32(1)
        head += 1
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            i = put(v, count, vertices, cells, *table)
            if i < 0:
                return ~count, bound
            if i < count:
                continue
            values[i], parents[i] = level, u
            count += 1
            if left and keys[look_up(v, keys)] == v:
                left -= 1
                bound = bound if left else level
    return count, bound


@inner()
def keep(met, count, bound, kept, used):  # type: ignore[no-untyped-def]
    """Append what is within the bound to the lists that are kept."""
    vertices, values, parents, _ = met
    if used + count > kept[0].size:
        kept = extend(kept[0], used, count), extend(kept[1], used, count), extend(kept[2], used, count)
    for i in range(count):
        if values[i] <= bound:
            kept[0][used], kept[1][used], kept[2][used] = vertices[i], values[i], parents[i]
            used += 1
    return kept, used


@inner()
def extend(array, used, more):  # type: ignore[no-untyped-def]
    """The array with room for more, and for twice as many at least."""
    larger = np.empty(2 * (used + more), array.dtype)
    for k in range(used):  # Numba takes a second to compile an assignment to a slice
        larger[k] = array[k]
    return larger


def extend_plain(array: Any, used: int, more: int) -> Any:
    """The same of an array or a view of one, at once."""
    larger = np.empty(2 * (used + more), array.format if isinstance(array, memoryview) else array.dtype)
    larger[:used] = array[:used]
    return larger


extend.in_python = extend_plain  # type: ignore[attr-defined]


def measure(indptr, indices, weights, sources, last, infinity, targets, room, waiting):  # type: ignore[no-untyped-def]
    """The microseconds, about, that Python takes for searches that fill their lists."""
    return len(sources) * room * (10 + 5 * len(indices) / len(indptr))


@compile_late(1.5, measure)
def search_each(indptr, indices, weights, sources, last, infinity, targets, room, waiting):  # type: ignore[no-untyped-def]
    """The ends of the lists of all sources, `GIVEN_UP` where there was no room; vertices, values and parents.

    Dijkstra's algorithm, with a heap that has places for so many `waiting`; a breadth-first search without weights.
    """
    met = np.empty(room, np.int32), np.empty(room, last.dtype), np.empty(room, np.int32), np.empty(room, np.int64)
    keys, wanted = make_keys(room), (mark(targets), targets.size)
    table, heap = (keys, np.empty(keys.size, np.int32)), (np.empty(waiting, last.dtype), np.empty(waiting, np.int32))
    kept, used = (np.empty(room, np.int32), np.empty(room, last.dtype), np.empty(room, np.int32)), 0
    ends = np.empty(sources.size, np.int64)
    for k in range(sources.size):
        if weights is None:
            count, bound = flood(sources[k], last[0], wanted, (indptr, indices), met, table)
        else:
            count, bound = walk(sources[k], last[0], infinity[0], wanted, (indptr, indices, weights), met, table, heap)
        for i in range(max(count, ~count)):
            keys[met[3][i]] = FREE
        if count > 0:
            kept, used = keep(met, count, bound, kept, used)
        ends[k] = used if count > 0 else GIVEN_UP
    return ends, kept[0][:used], kept[1][:used], kept[2][:used]
