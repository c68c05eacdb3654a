"""Road-like graphs: nearly planar, a mean degree of about 2.6, a long diameter."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import ceil, sqrt
from typing import Any

import numpy as np

from graphla.graphs.generators.build import Draft, Weights, check_arguments, pack, require_whole
from graphla.graphs.generators.generator import Generator
from graphla.graphs.generators.hashing import derive_state, draw_bits, to_unit_interval
from graphla.storage import Coo

CROSSINGS = 0.55
KEPT = 0.55
PIECE = 1 << 20
"""Crossings or bends that are drawn at a time to count them."""


def road(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """A road-like graph: nearly planar and connected, a mean degree of about 2.6, a long diameter.

    Just over half of the vertices are crossings on a grid, numbered row by row. Each crossing keeps the street to its
    left or the one above it, so all crossings are connected; some of the other streets are kept, too. The other
    vertices are bends along the streets.

    Parameters
    ----------
    n : int
        Vertices.
    weights : tuple of two numbers, optional
        The range of the weights: INT32 from lo to hi for two ints, both included, else FP32 in [lo, hi). The weight of
        an edge depends on its two ends, so both its arcs weigh the same. By default the graph is a pattern.
    seed : int
        Another seed makes another graph.
    xp : module
        NumPy or CuPy, which makes the arrays. Both make the same graph.

    Returns
    -------
    Coo
        Both arcs of each edge, sorted by row, then column; int32 indices.

    Raises
    ------
    InvalidGraph
        If an argument is out of range.
    OutOfMemory
        If the graph does not fit in memory; nothing was allocated.

    Notes
    -----
    O(n log n) time. Ranks that draw parts count all streets and bends, piece by piece, and keep theirs.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.road(20)
    >>> G.n, G.nvals, G.max_degree
    (20, 48, 4)
    """
    return draft_road(n, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_road(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Draft:
    """Check the arguments of `road`, and return what it draws: the streets of some crossings, with their bends."""
    n = require_whole("n", n, 0)
    what = f"road({n})"
    check_arguments(what, n, seed, weights)
    return Draft(what, n, 2 * n, lambda: partial(draw_streets, n, seed, xp), weights, seed, has_parts=True)


def draw_streets(n: int, seed: int, xp: Any, part: int, parts: int) -> Any:
    """Packed edges of the streets that begin at one of several parts of the crossings.

    Streets are numbered: first those to the left, then those up, each by its crossing.
    """
    crossings = min(n, ceil(n * CROSSINGS))
    first_own, last_own = (crossings * each // parts for each in (part, part + 1))
    counts = count_streets([0, first_own, last_own, crossings], seed, crossings, xp)
    total, edges = int(counts.sum()), []
    numbers = counts[0, 0], counts[0].sum() + counts[1, 0]
    for streets, before in zip(choose_streets(first_own, last_own, crossings, seed, xp), numbers, strict=True):
        own = int(before), int(before) + int(streets.size)
        many, first = count_bends(own, total, n - crossings, seed, xp)
        edges.append(bend_streets(streets, many, crossings + first, xp))
    return xp.concatenate(edges)


def count_streets(bounds: list[int], seed: int, crossings: int, xp: Any) -> Any:
    """Count the streets to the left and up of the crossings between bounds: an array of two rows on the host."""
    counts = np.zeros((2, len(bounds) - 1), np.int64)
    for number, (first, last) in enumerate(pairwise(bounds)):
        for start in range(first, last, PIECE):
            found = choose_streets(start, min(start + PIECE, last), crossings, seed, xp)
            counts[:, number] += [streets.size for streets in found]
    return counts


def choose_streets(first: int, last: int, crossings: int, seed: int, xp: Any) -> tuple[Any, Any]:
    """Packed streets to the left and up of some crossings: one of each but the first, and some of the others."""
    width = max(1, ceil(sqrt(crossings)))
    vertex = xp.arange(first, last, dtype=xp.int64)
    left, above = vertex % width > 0, vertex >= width
    chance, more = (
        to_unit_interval(draw_bits(first, last - first, derive_state(seed, number), xp), xp) for number in (6, 7)
    )
    coin, extra = chance < 0.5, more < KEPT
    go_left = left & (~above | coin | extra)
    go_up = above & (~left | ~coin | extra)
    return pack(vertex[go_left] - 1, vertex[go_left]), pack(vertex[go_up] - width, vertex[go_up])


def count_bends(own: tuple[int, int], total: int, bends: int, seed: int, xp: Any) -> tuple[Any, int]:
    """Count the bends on each street of a range, and those on the streets before, of `total` streets."""
    many, before, state = xp.zeros(own[1] - own[0], xp.int64), 0, derive_state(seed, 8)
    for start in range(0, bends, PIECE):
        chance = to_unit_interval(draw_bits(start, min(PIECE, bends - start), state, xp), xp)
        on = (chance * total).astype(xp.int64)
        before += int(xp.count_nonzero(on < own[0]))
        on = on[(on >= own[0]) & (on < own[1])]
        many += xp.bincount(on - own[0], minlength=many.size)
    return many, before


def bend_streets(streets: Any, many: Any, first: int, xp: Any) -> Any:
    """Packed edges of streets with `many` bends each, numbered from `first` on: start - a - b - end."""
    ends = first + xp.cumsum(many)
    bend = first + xp.arange(int(many.sum()), dtype=xp.int64)
    street = xp.repeat(xp.arange(streets.size), many if xp is np else many.tolist())
    begins = bend == (ends - many)[street]
    before = xp.where(begins, streets[street] >> 32, bend - 1)
    bent = many > 0
    return xp.concatenate([streets[~bent], pack(before, bend), pack(ends[bent] - 1, streets[bent] & 0xFFFFFFFF)])


GENERATORS = (Generator("road", road, "road-like", "road:1000000"),)
