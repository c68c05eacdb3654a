"""Core numbers after deletions, which lower some step by step, and after insertions, which raise connected parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import inner, njit

Array = Any
UNSEEN, MAY_RISE, CANNOT = 0, 1, 2
LOOK = 8
"""Arcs in a row that could be looked through while a vertex is fetched."""


@inner()
def count_as_high(indptr, indices, core, v, level):  # type: ignore[no-untyped-def]
    """How many neighbours of a vertex have a number of at least `level`."""
    many = 0
    for e in range(indptr[v], indptr[v + 1]):
        w = indices[e]
        many += w != v and core[w] >= level
    return many


@njit()
def lower(indptr, indices, core, waiting, room, most):  # type: ignore[no-untyped-def]
    """Lower the numbers of vertices that have too few neighbours for them; how many arcs may still be looked through.

    `waiting` are the vertices to look at first; `room` is a stack and a flag for each vertex.
    """
    stack, waits, size = room[0], room[1], 0
    for v in waiting:
        if waits[v] == 0:
            stack[size], waits[v], size = v, 1, size + 1
    while size > 0 and most >= 0:
        size -= 1
        v = stack[size]
        waits[v] = 0
        level = core[v]
        most -= LOOK + indptr[v + 1] - indptr[v]
        while level > 0 and count_as_high(indptr, indices, core, v, level) < level:
            level -= 1
            most -= LOOK + indptr[v + 1] - indptr[v]
        if level == core[v]:
            continue
        high, core[v] = core[v], level
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            if level < core[w] <= high and waits[w] == 0:
                stack[size], waits[w], size = w, 1, size + 1
    return most


@inner()
def consider(indptr, indices, core, v, places, state, support, size, unable):  # type: ignore[no-untyped-def]
    """Put a vertex in front if its support is more than its number, else at the end; how many are there and there."""
    support[v] = count_as_high(indptr, indices, core, v, core[v])
    if support[v] > core[v]:
        places[size], state[v] = v, MAY_RISE
        return size + 1, unable
    places[places.size - 1 - unable], state[v] = v, CANNOT
    return size, unable + 1


@njit()
def collect(indptr, indices, core, seeds, places, state, support, most):  # type: ignore[no-untyped-def]
    """List vertices that may rise: seeds, and what equal numbers reach through vertices of more support than number.

    The support of a vertex is how many neighbours have its number or more. How many there are, how many have been seen
    that cannot rise, and how many arcs may still be looked through.
    """
    size, unable, done = 0, 0, 0
    for v in seeds:
        if state[v] == UNSEEN:
            most -= LOOK + indptr[v + 1] - indptr[v]
            size, unable = consider(indptr, indices, core, v, places, state, support, size, unable)
    while done < size and most >= 0:
        v, done = places[done], done + 1
        most -= LOOK + indptr[v + 1] - indptr[v]
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            if core[w] == core[v] and state[w] == UNSEEN:
                most -= LOOK + indptr[w + 1] - indptr[w]
                size, unable = consider(indptr, indices, core, w, places, state, support, size, unable)
    return size, unable, most


@njit()
def drop_out(indptr, indices, core, listed, state, support, stack, most):  # type: ignore[no-untyped-def]
    """Drop those that cannot rise, for too many neighbours of their number cannot; how many arcs may still be seen."""
    size = 0
    for v in listed:
        most -= LOOK + indptr[v + 1] - indptr[v]
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            support[v] -= w != v and core[w] == core[v] and state[w] != MAY_RISE
    for v in listed:
        if support[v] <= core[v]:
            stack[size], state[v], size = v, CANNOT, size + 1
    while size > 0:
        size -= 1
        v = stack[size]
        most -= LOOK + indptr[v + 1] - indptr[v]
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            if core[w] == core[v] and state[w] == MAY_RISE:
                support[w] -= 1
                if support[w] <= core[w]:
                    stack[size], state[w], size = w, CANNOT, size + 1
    return most


def raise_cores(indptr: Array, indices: Array, core: Array, seeds: Array, most: int) -> int:
    """Raise numbers by one in each round, from the ends of new arcs on; how many arcs may still be looked through."""
    n = core.size
    places, stack, support, state = (
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.zeros(n, np.int8),
    )
    while seeds.size and most >= 0:
        size, unable, most = collect(indptr, indices, core, seeds, places, state, support, most)
        listed = places[:size]
        if most >= 0:
            most = drop_out(indptr, indices, core, listed, state, support, stack, most)
        seeds = listed[state[listed] == MAY_RISE]
        core[seeds] += 1
        state[listed], state[places[n - unable :]] = UNSEEN, UNSEEN
    return most


def lower_cores(indptr: Array, indices: Array, core: Array, ends: Array, most: int) -> int:
    """Lower numbers from the ends of arcs on that have gone; how many arcs may still be looked through."""
    room = np.empty(core.size, np.int32), np.zeros(core.size, np.int8)
    return lower(indptr, indices, core, ends, room, most)
