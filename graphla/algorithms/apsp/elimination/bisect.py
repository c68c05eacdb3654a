"""A small separator with two sides of about the same size, by levels of ever coarser graphs.

The coarsest graph is divided from several of its vertices. The best separator goes back through the levels, and is
refined on each; from a middle level on it is the best of several, which came through coarser graphs of their own.

B. Hendrickson, R. Leland, "A multilevel algorithm for partitioning graphs", SC 1995; G. Karypis, V. Kumar, "A fast and
high quality multilevel scheme for partitioning irregular graphs", SIAM J. Sci. Comput. 20(1), 1998.
"""

from __future__ import annotations

import numpy as np

from graphla.algorithms.apsp.elimination.levels import LEVELS, coarsen, copy, get_level, make_levels
from graphla.algorithms.apsp.elimination.refine import BETWEEN, change, make_scratch, rate, refine, shift
from graphla.engine.cpu.jit import inner

TRIES = 4
"""Separators of a coarsest graph that are compared."""
RUNS = 2
"""Ways through coarser graphs that are compared on the middle level."""
MIDDLE = 5000
"""The most vertices of the middle level."""
FEW = 2000
"""Vertices up to which a graph is worth one way alone."""


@inner()
def grow(root, start, heads, weights, side, sums, S):  # type: ignore[no-untyped-def]
    """Let side 0 grow from a root until it has half of all, so that what it sees is light: the separator."""
    n, sums[0], sums[1], sums[BETWEEN] = len(weights), 0, 0, 0
    for v in range(n):
        side[v] = 1
        sums[1] += weights[v]
    for k in range(n):
        v = (root + k) % n
        if sums[BETWEEN] or sums[0] >= sums[1]:
            break
        if side[v] == 1:  # the root, and one of each component that is needed beside
            change(v, side, BETWEEN, weights, sums)
            shift(0, n, start, heads, weights, side, sums, S)


@inner()
def divide_coarsest(L, level, S, sums):  # type: ignore[no-untyped-def]
    """Divide a small graph from several roots, and keep the best separator."""
    start, weights, side = get_level(L, level)
    trial, found, best = np.empty(3, np.int64), np.empty(len(side), np.int8), np.inf
    for attempt in range(TRIES):
        grow(attempt * len(side) // TRIES, start, L.heads, weights, found, trial, S)
        refine(start, L.heads, weights, found, trial, S)
        if rate(trial) < best:
            best = rate(trial)
            copy(found, side)
            copy(trial, sums)


@inner()
def climb(L, level, until, sums, S):  # type: ignore[no-untyped-def]
    """Bring the separator of a level to a finer one, and refine it on each between."""
    for k in range(level - 1, until - 1, -1):
        start, weights, side = get_level(L, k)
        _, _, coarse = get_level(L, k + 1)
        first = L.table[k, 0]
        for v in range(len(side)):
            side[v] = coarse[L.numbers[first + v]]
        refine(start, L.heads, weights, side, sums, S)


@inner()
def bisect(start, heads, side):  # type: ignore[no-untyped-def]
    """Divide a graph: writes side 0, 1 or `BETWEEN` of each vertex; returns how many vertices each has."""
    L, S = make_levels(start, heads), make_scratch(len(side), len(heads))
    last, middle = coarsen(L, 0, 1), 0
    while middle < last and L.table[middle, 2] > MIDDLE:
        middle += 1
    _, _, here = get_level(L, middle)
    kept, best, sums, trial = np.empty(len(here), np.int8), np.inf, np.empty(3, np.int64), np.empty(3, np.int64)
    for run in range(RUNS if len(side) > FEW else 1):
        if run:
            last = coarsen(L, middle, 1 + LEVELS * run)
        divide_coarsest(L, last, S, trial)
        climb(L, last, middle, trial, S)
        if rate(trial) < best:
            best = rate(trial)
            copy(here, kept)
            copy(trial, sums)
    copy(kept, here)
    climb(L, middle, 0, sums, S)
    copy(L.sides[: len(side)], side)
    return sums
