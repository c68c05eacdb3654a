"""Road-like graphs: nearly planar, a mean degree of about 2.6, a long diameter."""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

import numpy as np

from graphla.generators.build import Weights, packed, ready, undirected, whole
from graphla.generators.generator import Generator
from graphla.generators.hashing import random_bits, stream, unit
from graphla.storage import Coo

CROSSINGS = 0.55
KEPT = 0.55


def road(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """Streets of a perturbed grid: a spanning tree, some of the other streets, and bends along them.

    Just over half of the vertices are crossings on a grid, numbered row by row. Each crossing keeps the street to
    its left or above it, whichever a coin says, so that all of them are joined; of the other streets some stay.
    The rest of the vertices are bends, each on a street of its own choice. The graph is connected.

    Parameters
    ----------
    n : int
        Vertices.
    weights : (lo, hi), optional
        As in `pair_weights`; a pattern by default.
    seed : int
    xp : module
        NumPy or CuPy: where it is made. Both make the same graph.
    """
    whole("n", n, 0)
    ready(f"road({n})", n, 4 * n, seed, weights, xp)
    crossings = min(n, ceil(n * CROSSINGS))
    streets = grid_streets(crossings, seed, xp)
    return undirected(n, bent(streets, crossings, n, seed, xp), weights, seed, xp)


def grid_streets(crossings: int, seed: int, xp: Any) -> Any:
    """Packed streets between crossings: one back from each but the first, and some of the others."""
    width = max(1, ceil(sqrt(crossings)))
    vertex = xp.arange(crossings, dtype=xp.int64)
    left, above = vertex % width > 0, vertex >= width
    chance = unit(random_bits(0, crossings, stream(seed, 6), xp), xp)
    coin, extra = chance < 0.5, unit(random_bits(0, crossings, stream(seed, 7), xp), xp) < KEPT
    go_left = left & (~above | coin | extra)
    go_up = above & (~left | ~coin | extra)
    return xp.concatenate([packed(vertex[go_left] - 1, vertex[go_left]), packed(vertex[go_up] - width, vertex[go_up])])


def bent(streets: Any, crossings: int, n: int, seed: int, xp: Any) -> Any:
    """The streets with the vertices from `crossings` on as bends; street s through a, b becomes s0 - a - b - s1."""
    bends = n - crossings
    if bends == 0 or streets.size == 0:
        return xp.concatenate([streets, _chain(crossings, n, xp)])
    chance = unit(random_bits(0, bends, stream(seed, 8), xp), xp)
    on = xp.sort((chance * streets.size).astype(xp.int64))
    bend = crossings + xp.arange(bends, dtype=xp.int64)
    first = xp.ones(bends, bool)
    first[1:] = on[1:] != on[:-1]
    last = xp.roll(first, -1)
    start, end = streets >> 32, streets & 0xFFFFFFFF
    before = xp.where(first, start[on], bend - 1)
    straight = xp.ones(streets.size, bool)
    straight[on] = False
    return xp.concatenate([streets[straight], packed(before, bend), packed(bend[last], end[on[last]])])


def _chain(start: int, n: int, xp: Any) -> Any:
    vertex = xp.arange(start, n, dtype=xp.int64)
    return packed(xp.maximum(vertex - 1, 0), vertex)


GENERATORS = (Generator("road", road, "road-like", "road:1000000"),)
