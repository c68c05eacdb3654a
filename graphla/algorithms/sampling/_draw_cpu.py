"""Arcs drawn from rows on every core, and numbers for the vertices that are met first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from graphla.algorithms.sampling.options import How
from graphla.algorithms.sampling.rows import Rows
from graphla.algorithms.shared.random_words_cpu import choose, find_exceeding, mix, multiply_high, scale
from graphla.common.memory import require
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import count_workers, run_for_each
from graphla.storage.convert import make_pointers

Array = Any
WORTH_A_THREAD = 2000
"""Vertices below which a second thread costs more than it saves."""
ONE = np.uint64(1)
STEP = 20
"""Microseconds that Python takes for a vertex that draws, and for an arc that is drawn."""


@dataclass(frozen=True, eq=False)
class Frontier:
    """The vertices that draw in a hop.

    Parameters
    ----------
    vertices : array
        int64: which.
    base : int
        The number of the first; the others follow.
    trees : array
        int64: the seed from which each was found; empty if seeds share what they find.
    roots : array
        uint64: what the draws of each tree begin with; one for all if seeds share what they find.
    limits : array
        The time that no arc of each may exceed; empty if times do not matter.
    """

    vertices: Array
    base: int
    trees: Array
    roots: Array
    limits: Array


@inner()
def find_end(indptr, times, v, limit):  # type: ignore[no-untyped-def]
    """The end of the part of a row that is not later than a time."""
    low, high = np.int64(indptr[v]), np.int64(indptr[v + 1])
    if times.size == 0:
        return high
    return find_exceeding(times, low, high, limit)


@compile_late(0.2, lambda first, last, *_: STEP * (last - first))
def _count(first, last, frontier, limits, indptr, times, fanout, replace, counts):  # type: ignore[no-untyped-def]
    """The most arcs that are drawn for each of some vertices."""
    for i in range(first, last):
        v = frontier[i]
        degree = find_end(indptr, times, v, limits[i] if times.size else times.size) - np.int64(indptr[v])
        counts[i] = degree if fanout < 0 or (degree < fanout and not (replace and degree > 0)) else fanout


@inner()
def draw_distinct(key, words, begin, end, table, out):  # type: ignore[no-untyped-def]
    """As many different places of a row as `out` has, each set of them alike (Floyd's method).

    The j-th draw is one of the first n − k + j + 1 places; if it is there already, the last of these is taken. `table`
    holds the places by their hash, and its size is a power of two.
    """
    table[:] = -1
    mask, first = np.uint64(table.size - 1), end - begin - out.size
    for j in range(out.size):
        found = scale(mix(key ^ words[j]), first + j + 1)
        slot = np.uint64(found) & mask
        while table[slot] >= 0 and table[slot] != found:
            slot = (slot + ONE) & mask
        if table[slot] == found:
            found = first + j
            slot = np.uint64(found) & mask
            while table[slot] >= 0:
                slot = (slot + ONE) & mask
        table[slot] = found
        out[j] = begin + found


@inner()
def draw_by_weight(key, words, begin, end, sums, taken, out):  # type: ignore[no-untyped-def]
    """Different places of a row, each drawn in proportion to the weights of those that are left; -1 when none is.

    `taken` holds the places so far in order: a number below the sum of what is left is moved past their weights.
    """
    left = sums[end - 1] if end > begin else np.uint64(0)
    for j in range(out.size):
        if left == 0:
            out[j:] = -1
            return
        x = multiply_high(mix(key ^ words[j]), left)
        at = 0
        while at < j:
            below = sums[taken[at] - 1] if taken[at] > begin else np.uint64(0)
            if x < below:
                break
            x += sums[taken[at]] - below
            at += 1
        place = find_exceeding(sums, begin, end, x)
        for i in range(j, at, -1):
            taken[i] = taken[i - 1]
        taken[at] = place
        out[j] = place
        left -= sums[place] - (sums[place - 1] if place > begin else np.uint64(0))


@inner()
def take_all(begin, sums, out):  # type: ignore[no-untyped-def]
    """All places of a row; of those that weigh nothing -1."""
    for j in range(out.size):
        place, weight = begin + j, np.uint64(1)
        if sums.size:
            weight = sums[place] - (sums[place - 1] if place > begin else np.uint64(0))
        out[j] = place if weight > 0 else -1


@compile_late(0.7, lambda first, last, *given: STEP * (last - first + int(given[14][last] - given[14][first])))
def _draw(  # type: ignore[no-untyped-def]
    first, last, base, frontier, trees, roots, limits, words, indptr, indices, places, sums, times,
    fanout, replace, latest, offsets, tails, heads, arcs, table,
):  # fmt: skip
    """Draw arcs for some vertices: the vertex that draws, the neighbour, and the place in the graph; -1 for none."""
    for i in range(first, last):
        v, out = frontier[i], heads[offsets[i] : offsets[i + 1]]
        begin, end = np.int64(indptr[v]), find_end(indptr, times, v, limits[i] if times.size else times.size)
        key = mix(roots[trees[i] if trees.size else 0] ^ np.uint64(v))
        if out.size == 0:
            continue
        if replace and fanout > 0:
            for j in range(out.size):
                out[j] = choose(mix(key ^ words[j]), begin, end, sums)
        elif end - begin == out.size:
            take_all(begin, sums, out)
        elif latest:
            take_all(end - out.size, sums[:0], out)
        elif sums.size:
            draw_by_weight(key, words, begin, end, sums, table, out)
        else:
            draw_distinct(key, words, begin, end, table, out)
        for j in range(out.size):
            place, at = out[j], offsets[i] + j
            tails[at] = base + i
            if place >= 0:
                heads[at] = indices[place]
                arcs[at] = places[place] if places.size else place


def draw_arcs(rows: Rows, frontier: Frontier, words: Array, fanout: int, how: How) -> tuple[Array, Array, Array]:
    """For each arc that is drawn who draws, the neighbour or -1, and its place in the graph: int64 each."""
    size, vertices, replace, latest = frontier.vertices.size, frontier.vertices, how.replace, how.latest
    parts = 1 if size < WORTH_A_THREAD else 4 * count_workers()
    pieces = list(pairwise([size * part // parts for part in range(parts + 1)]))
    counts, given = np.empty(size, np.int64), (rows.indptr, rows.times, fanout, replace)
    run_for_each(lambda piece: _count(*piece, vertices, frontier.limits, *given, counts), pieces)
    offsets = make_pointers(np, counts)
    require(24 * int(offsets[-1]), "the arcs of a hop", np, "give fewer seeds, or smaller fan-outs")
    tails, heads, arcs = (np.empty(offsets[-1], np.int64) for _ in range(3))
    room = 2 << max(0, fanout).bit_length()
    who = frontier.base, vertices, frontier.trees, frontier.roots, frontier.limits, words
    held = rows.indptr, rows.indices, rows.places, rows.sums, rows.times
    result = offsets, tails, heads, arcs
    run_for_each(
        lambda piece: _draw(*piece, *who, *held, fanout, replace, latest, *result, np.empty(room, np.int64)), pieces
    )
    return tails, heads, arcs


@compile_late(0.08, lambda heads, *_: 0.3 * len(heads), views=True)
def _number(heads, tails, arcs, slots, nodes, known):  # type: ignore[no-untyped-def]
    """Number the neighbours in the order in which they come, in their place; return what is left, and what is new."""
    count, fresh = 0, 0
    for j in range(len(heads)):
        v = heads[j]
        if v < 0:
            continue
        number = slots[v]
        if number < 0:
            number = known + fresh
            slots[v] = number
            nodes[fresh] = v
            fresh += 1
        heads[count], tails[count], arcs[count] = number, tails[j], arcs[j]
        count += 1
    return count, fresh


def number_neighbours(heads: Array, tails: Array, arcs: Array, slots: Array, known: int) -> tuple[Array, ...]:
    """The arcs with neighbours by number, and the vertices that are new; `slots` holds the number of each vertex."""
    nodes = np.empty(min(heads.size, slots.size), np.int64)
    count, fresh = _number(heads, tails, arcs, slots, nodes, known)
    return tails[:count], heads[:count], arcs[:count], nodes[:fresh]
