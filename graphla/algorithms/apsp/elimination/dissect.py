"""Nested dissection: a separator goes last, both sides before it are divided likewise, and small ones go by degree.

A part is a range of positions in the order. Vertices beside a part go later: they are the rim of what is ordered by
minimum degree.

A. George, "Nested dissection of a regular finite element mesh", SIAM J. Numer. Anal. 10(2), 1973;
F. Pellegrini, J. Roman, P. Amestoy, "Hybridizing nested dissection and halo approximate minimum degree for efficient
sparse matrix ordering", Concurrency 12, 2000.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.bisect import bisect
from graphla.algorithms.apsp.elimination.levels import copy
from graphla.algorithms.apsp.elimination.minimum_degree import order_by_degree
from graphla.algorithms.apsp.elimination.refine import BETWEEN
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import count_workers, run_aside, run_for_each

LEAF = 200
"""Vertices up to which a part is ordered by minimum degree."""
PIECE = 20_000
"""Vertices up to which one thread orders a part."""
PASSES = 64
"""Passes over a vertex that its division takes as long as."""


@inner()
def extract(low, high, start, heads, order, rank):  # type: ignore[no-untyped-def]
    """The graph of a part, by position from `low` on."""
    size, begin = 0, np.zeros(high - low + 1, np.int32)
    for v in order[low:high]:
        size += start[v + 1] - start[v]
    ends, size = np.empty(size, np.int32), 0
    for k in range(high - low):
        v = order[low + k]
        for e in range(start[v], start[v + 1]):
            at = rank[heads[e]]
            if low <= at < high:
                ends[size] = at - low
                size += 1
        begin[k + 1] = size
    return begin, ends[:size]


@inner()
def add_rim(low, high, start, heads, order, rank, local):  # type: ignore[no-untyped-def]
    """The graph of a part with its rim behind, without arcs in the rim. `local` is −1 everywhere, and stays so."""
    owned = count = high - low
    size = 0
    for v in order[low:high]:
        size += start[v + 1] - start[v]
    rim, begin = np.empty(size, np.int32), np.zeros(owned + size + 1, np.int32)
    for k in range(owned):
        v = order[low + k]
        begin[k + 1] = start[v + 1] - start[v]
        for e in range(start[v], start[v + 1]):
            u = heads[e]
            if low <= rank[u] < high:
                continue
            if local[u] < 0:
                local[u], rim[count - owned] = count, u
                count += 1
            begin[local[u] + 1] += 1
    for k in range(count):
        begin[k + 1] += begin[k]
    ends, to = np.empty(begin[count], np.int32), np.empty(len(begin), np.int32)
    copy(begin, to)
    for k in range(owned):
        v = order[low + k]
        for e in range(start[v], start[v + 1]):
            u = heads[e]
            at = rank[u] - low
            if local[u] >= 0:
                at = local[u]
                ends[to[at]] = k
                to[at] += 1
            ends[to[k]] = at
            to[k] += 1
    for k in range(count - owned):
        local[rim[k]] = -1
    return begin[: count + 1], ends


@inner()
def place(low, chosen, order, rank):  # type: ignore[no-untyped-def]
    """Bring the vertices of a part into an order, by position from `low` on."""
    old = np.empty(len(chosen), np.int32)
    copy(order[low : low + len(chosen)], old)
    for k in range(len(chosen)):
        v = old[chosen[k]]
        order[low + k], rank[v] = v, low + k


@inner()
def sort_sides(side):  # type: ignore[no-untyped-def]
    """The places of 0, of 1 and of `BETWEEN`, each in ascending order."""
    places, size = np.empty(len(side), np.int32), 0
    for key in range(BETWEEN + 1):
        for k in range(len(side)):
            if side[k] == key:
                places[size] = k
                size += 1
    return places


@compile_late(3.0, lambda low, high, once, start, heads, *_: 20 * len(heads) * (high - low > LEAF), views=True)
def divide_part(low, high, once, start, heads, order, rank, leaf):  # type: ignore[no-untyped-def]
    """Divide a part into side, side and separator until none is larger than a leaf, or once.

    Returns where the sides of the last division end. `leaf` gets, at the position where a part begins that is not
    divided, the position where it ends: it is small, or has no two sides.
    """
    stack, size, middle, end = np.empty((128, 2), np.int64), 1, low, low
    stack[0, 0], stack[0, 1] = low, high
    while size:
        size -= 1
        a, b = stack[size, 0], stack[size, 1]
        middle = end = a
        if b - a > LEAF:
            begin, ends = extract(a, b, start, heads, order, rank)
            side = np.empty(b - a, np.int8)
            sums = bisect(begin, ends, side)
            if sums[0] and sums[1]:
                place(a, sort_sides(side), order, rank)
                middle, end = a + sums[0], a + sums[0] + sums[1]
        if end == a:
            leaf[a] = b
        elif not once:
            # the larger side waits, so that the stack is as deep as the logarithm
            larger = size if middle - a > end - middle else size + 1
            stack[larger, 0], stack[larger, 1] = a, middle
            stack[2 * size + 1 - larger, 0], stack[2 * size + 1 - larger, 1] = middle, end
            size += 2
    return middle, end


@compile_late(
    2.0, lambda lows, highs, start, heads, *_: (highs - lows).sum() * (30 + 2 * len(heads) / len(start)), views=True
)
def order_leaves(lows, highs, start, heads, order, rank):  # type: ignore[no-untyped-def]
    """Order parts by minimum degree, each with its rim."""
    local = np.full(len(order), -1, np.int32)
    for k in range(len(lows)):
        begin, ends = add_rim(lows[k], highs[k], start, heads, order, rank, local)
        chosen = np.empty(highs[k] - lows[k], np.int32)
        order_by_degree(begin, ends, len(chosen), chosen)
        place(lows[k], chosen, order, rank)


def dissect(start: Any, heads: Any) -> Any:
    """Order a symmetric pattern without a diagonal, the same on any number of threads."""
    n = len(start) - 1
    order, rank, leaf = np.arange(n, dtype=np.int32), np.arange(n, dtype=np.int32), np.zeros(n, np.int32)
    divide_all((start, heads, order, rank, leaf))
    lows = np.flatnonzero(leaf)
    pieces = np.array_split(lows, 4 * count_workers())
    run_for_each(lambda each: order_leaves(each, leaf[each], start, heads, order, rank), pieces)
    return order


def divide_all(arrays: tuple[Any, ...]) -> None:
    """Divide all vertices: a large part once, then its sides side by side, a small one until the leaves."""

    def work(part: tuple[int, int]) -> tuple[int, int]:
        low, high = part
        return run_aside(PASSES * (high - low), divide_part, low, high, high - low > PIECE, *arrays)

    parts = [(0, len(arrays[2]))] if len(arrays[2]) else []
    while parts:
        cuts = run_for_each(work, parts)
        large = [(part, cut) for part, cut in zip(parts, cuts, strict=True) if part[1] - part[0] > PIECE]
        parts = [half for (low, _), (middle, end) in large for half in ((low, middle), (middle, end)) if end > low]
