"""Road-like graphs: nearly planar, a mean degree of about 2.6, a long diameter."""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

import numpy as np

from graphla.generators.build import Weights, check_request, make_undirected, pack, require_whole
from graphla.generators.generator import Generator
from graphla.generators.hashing import derive_state, draw_bits, to_unit_interval
from graphla.storage import Coo

CROSSINGS = 0.55
KEPT = 0.55


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
    O(n log n) time.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.road(20)
    >>> G.n, G.nvals, G.max_degree
    (20, 48, 4)
    """
    n = require_whole("n", n, 0)
    check_request(f"road({n})", n, 4 * n, seed, weights, xp)
    crossings = min(n, ceil(n * CROSSINGS))
    streets = make_streets(crossings, seed, xp)
    return make_undirected(n, bend_streets(streets, crossings, n, seed, xp), weights, seed, xp)


def make_streets(crossings: int, seed: int, xp: Any) -> Any:
    """Packed streets between crossings: one back from each but the first, and some of the others."""
    width = max(1, ceil(sqrt(crossings)))
    vertex = xp.arange(crossings, dtype=xp.int64)
    left, above = vertex % width > 0, vertex >= width
    chance = to_unit_interval(draw_bits(0, crossings, derive_state(seed, 6), xp), xp)
    coin, extra = chance < 0.5, to_unit_interval(draw_bits(0, crossings, derive_state(seed, 7), xp), xp) < KEPT
    go_left = left & (~above | coin | extra)
    go_up = above & (~left | ~coin | extra)
    return xp.concatenate([pack(vertex[go_left] - 1, vertex[go_left]), pack(vertex[go_up] - width, vertex[go_up])])


def bend_streets(streets: Any, crossings: int, n: int, seed: int, xp: Any) -> Any:
    """The streets with the vertices from `crossings` on as bends; street s through a, b becomes s0 - a - b - s1."""
    bends = n - crossings
    if bends == 0 or streets.size == 0:
        return xp.concatenate([streets, _make_chain(crossings, n, xp)])
    chance = to_unit_interval(draw_bits(0, bends, derive_state(seed, 8), xp), xp)
    on = xp.sort((chance * streets.size).astype(xp.int64))
    bend = crossings + xp.arange(bends, dtype=xp.int64)
    first = xp.ones(bends, bool)
    first[1:] = on[1:] != on[:-1]
    last = xp.roll(first, -1)
    start, end = streets >> 32, streets & 0xFFFFFFFF
    before = xp.where(first, start[on], bend - 1)
    straight = xp.ones(streets.size, bool)
    straight[on] = False
    return xp.concatenate([streets[straight], pack(before, bend), pack(bend[last], end[on[last]])])


def _make_chain(start: int, n: int, xp: Any) -> Any:
    vertex = xp.arange(start, n, dtype=xp.int64)
    return pack(xp.maximum(vertex - 1, 0), vertex)


GENERATORS = (Generator("road", road, "road-like", "road:1000000"),)
