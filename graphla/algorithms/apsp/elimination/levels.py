"""Ever coarser graphs of the same shape: pairs of neighbours become one vertex, which weighs as much as both.

G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM J. Sci.
Comput. 20(1), 1998; M. Holtgrewe, P. Sanders, C. Schulz, "Engineering a scalable high quality graph partitioner", IPDPS
2010 (heavy arcs between light vertices first); D. LaSalle et al., "Improving graph partitioning for modern graphs and
architectures", IA3 2015 (what finds no partner goes with another one of the same neighbour).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.engine.cpu.jit import inner

LEVELS = 50
"""The most levels."""
COARSE = 100
"""Vertices up to which a graph is coarse enough."""
ROOM = 3
"""Times the arrays of the graph that all levels take together; those of a road network take twice as much."""
HEAVIEST = 1.5
"""The most that a pair weighs, to the mean of `COARSE` vertices."""
LEAST = 0.05
"""Part of the vertices that a level has to lose."""

ALL = np.uint64(2**64 - 1)
"""All bits of a word: whole numbers of Python's have more."""


class Levels(NamedTuple):
    """The graphs of all levels in common arrays, the given one first.

    `table` has for each level where its vertices begin, where its pointers begin, and how many vertices it has.
    Pointers are places in `heads` and `ties`, which say how many arcs an arc stands for. `numbers` has the vertex of
    the next level, `sides` the side of a separator that each vertex is on.
    """

    table: Any
    starts: Any
    heads: Any
    ties: Any
    weights: Any
    numbers: Any
    sides: Any


@inner()
def make_levels(start, heads):  # type: ignore[no-untyped-def]
    """Begin with the given graph, whose vertices and arcs weigh one each."""
    n, m = len(start) - 1, len(heads)
    room, rows, arcs = ROOM * n, ROOM * n + LEVELS, ROOM * m
    L = Levels(
        np.zeros((LEVELS, 3), np.int64),
        np.empty(rows, np.int32),
        np.empty(arcs, np.int32),
        np.empty(arcs, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int8),
    )
    L.table[0, 2], L.starts[n] = n, m
    for v in range(n):
        L.starts[v], L.weights[v] = start[v], 1
    copy(heads, L.heads)
    for e in range(m):
        L.ties[e] = 1
    return L


@inner()
def copy(values, out):  # type: ignore[no-untyped-def]
    """Copy an array to the beginning of another one. (Numba takes a second to compile an assignment to a slice.)"""
    for k in range(len(values)):
        out[k] = values[k]


@inner()
def get_level(L, level):  # type: ignore[no-untyped-def]
    """The pointers, weights and sides of a level, which are parts of the common arrays."""
    v, row, n = L.table[level, 0], L.table[level, 1], L.table[level, 2]
    return L.starts[row : row + n + 1], L.weights[v : v + n], L.sides[v : v + n]


@inner()
def find_partner(v, start, heads, ties, weights, mate, most):  # type: ignore[no-untyped-def]
    """The free neighbour with the heaviest tie for weight and degree, or −1; and that of all neighbours, or n."""
    best, closest, rating, highest = -1, len(weights), 0.0, 0.0
    for e in range(start[v], start[v + 1]):
        u = heads[e]
        here = ties[e] / (np.float64(weights[u]) * (start[u + 1] - start[u]))
        if here > highest:
            closest, highest = u, here
        if here > rating and mate[u] < 0 and weights[u] + weights[v] <= most:
            best, rating = u, here
    return best, closest


@inner()
def shuffle(count, seed):  # type: ignore[no-untyped-def]
    """The numbers below `count` in an order that is drawn (by xorshift; G. Marsaglia, J. Stat. Softw. 8(14), 2003)."""
    turn, state = np.empty(count, np.int32), np.uint64(seed + 88172645463325252)
    for k in range(count):
        turn[k] = k
    for k in range(count - 1):
        state ^= (state << np.uint64(13)) & ALL
        state ^= state >> np.uint64(7)
        state ^= (state << np.uint64(17)) & ALL
        other = k + np.int64((state >> np.uint64(33)) % np.uint64(count - k))
        turn[k], turn[other] = turn[other], turn[k]
    return turn


@inner()
def match(start, heads, ties, weights, most, seed):  # type: ignore[no-untyped-def]
    """The partner of each vertex, −1 of one that is left alone; no pair weighs more than `most`."""
    mate, waiting = np.full(len(weights), -1, np.int32), np.full(len(weights) + 1, -1, np.int32)
    for v in shuffle(len(weights), seed):
        if mate[v] >= 0:
            continue
        partner, closest = find_partner(v, start, heads, ties, weights, mate, most)
        if partner < 0:  # another one of the same neighbour, or without any
            other = waiting[closest]
            if other >= 0 and mate[other] < 0 and weights[other] + weights[v] <= most:
                partner = other
            else:
                waiting[closest] = v
        if partner >= 0:
            mate[v], mate[partner] = partner, v
    return mate


@inner()
def number_pairs(mate, number):  # type: ignore[no-untyped-def]
    """Number pairs and what is alone by their first vertex; returns how many there are."""
    count = 0
    for v in range(len(mate)):
        if mate[v] < 0 or mate[v] > v:
            number[v] = count
            count += 1
        else:
            number[v] = number[mate[v]]
    return count


@inner()
def contract(L, level, mate, number):  # type: ignore[no-untyped-def]
    """Write the graph of the pairs behind that of a level."""
    start, weights, _ = get_level(L, level)
    fresh_start, fresh_weights, _ = get_level(L, level + 1)
    heads, ties, c = L.heads, L.ties, 0
    end, place = np.int64(start[len(start) - 1]), np.full(len(fresh_weights), -1, np.int32)
    fresh_start[0] = end
    for first in range(len(mate)):
        if 0 <= mate[first] < first:
            continue
        begin, fresh_weights[c] = end, 0
        for v in (np.int64(first), np.int64(mate[first])):
            if v < 0:
                continue
            fresh_weights[c] += weights[v]
            for e in range(start[v], start[v + 1]):
                d = number[heads[e]]
                if d == c:
                    continue
                if place[d] >= begin:
                    ties[place[d]] += ties[e]
                else:
                    place[d], heads[end], ties[end] = end, d, ties[e]
                    end += 1
        c += 1
        fresh_start[c] = end


@inner()
def coarsen(L, level, seed):  # type: ignore[no-untyped-def]
    """Append coarser levels behind one, until one is small, loses too little or finds no room; returns the last."""
    heaviest = HEAVIEST * L.table[0, 2] / COARSE + 1
    while L.table[level, 2] > COARSE and level + 1 < LEVELS:
        v, row, n = L.table[level, 0], L.table[level, 1], L.table[level, 2]
        start, weights, _ = get_level(L, level)
        if v + 2 * n > len(L.weights) or 2 * np.int64(start[n]) - start[0] > len(L.heads):
            break
        mate = match(start, L.heads, L.ties, weights, heaviest, seed + level)
        number = L.numbers[v : v + n]
        count = number_pairs(mate, number)
        if count > (1 - LEAST) * n:
            break
        level += 1
        L.table[level, 0], L.table[level, 1], L.table[level, 2] = v + n, row + n + 1, count
        contract(L, level - 1, mate, number)
    return level
