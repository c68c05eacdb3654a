"""Random geometric graphs: points in the unit square, joined where they are near."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, pi, sqrt
from typing import Any

import numpy as np

from graphla.arguments import to_real
from graphla.errors import InvalidGraph
from graphla.generators.build import SHIFT, Weights, check_request, make_directed, pack, require_whole
from graphla.generators.generator import Generator
from graphla.generators.hashing import derive_state, draw_bits, to_unit_interval
from graphla.storage import Coo

REACH = 0.55
STRIP = 1 << 18


def random_geometric(n: int, radius: float | None = None, *, weights: Weights = None, seed: int = 1) -> Coo:
    """A random geometric graph: points of the unit square, joined where they are near each other.

    The points are drawn evenly, and two of them are joined if they are at most `radius` apart. They are numbered cell
    by cell along rows of cells as wide as the radius, so near numbers are near points.

    Parameters
    ----------
    n : int
        Vertices.
    radius : float, optional
        The greatest distance of two neighbours. By default ``0.55 * sqrt(log(n) / n)``, as in the graphs ``rgg_n_2_*``
        of the 10th DIMACS challenge: the graph is just connected, with a mean degree of ``0.95 * log(n)``.
    weights : tuple of two numbers, optional
        The range of the weights: INT32 from lo to hi for two ints, both included, else FP32 in [lo, hi). The weight of
        an edge depends on its two ends, so both its arcs weigh the same. By default the graph is a pattern.
    seed : int
        Another seed makes another graph.

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
    O(n + m) time for m edges, after sorting. It is made on the host.

    References
    ----------
    .. [1] M. Penrose, *Random Geometric Graphs*, Oxford University Press, 2003.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.random_geometric(50)
    >>> G.n, G.nvals, G.symmetric
    (50, 162, True)
    """
    n = require_whole("n", n, 0)
    if radius is None:
        radius = REACH * sqrt(log(max(n, 2)) / max(n, 1))
    if not 0 < to_real(radius, "radius") <= 2:
        raise InvalidGraph(f"radius={radius}: it goes from just above 0 to 2, in a square of side 1")
    arcs = int(n * min(n, pi * radius**2 * n))
    check_request(f"random_geometric({n}, {radius:.3g})", n, arcs, seed, weights, np)
    cells = max(1, min(int(1 / radius), int(sqrt(n)) + 1))
    x, y, begin = sort_into_cells(n, cells, seed)
    return join_pairs(n, list(find_near_pairs(x, y, begin, cells, radius)), weights, seed)


def rgg(scale: int, radius: float | None = None, *, weights: Weights = None, seed: int = 1) -> Coo:
    """A random geometric graph of ``2**scale`` vertices.

    Parameters
    ----------
    scale : int
        The graph has ``2**scale`` vertices; 0 to 30.
    radius : float, optional
        The greatest distance of two neighbours, in a square of side 1; by default as in `random_geometric`.
    weights : tuple of two numbers, optional
        The range of the weights: INT32 from lo to hi for two ints, both included, else FP32 in [lo, hi). The weight of
        an edge depends on its two ends, so both its arcs weigh the same. By default the graph is a pattern.
    seed : int
        Another seed makes another graph.

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
    O(n + m) time for m edges, after sorting. It is made on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.rgg(5).n
    32
    """
    return random_geometric(1 << require_whole("scale", scale, 0, 30), radius, weights=weights, seed=seed)


def sort_into_cells(n: int, cells: int, seed: int) -> tuple[Any, Any, Any]:
    """The points in the order of their cells, and where each cell begins."""
    x, y = (to_unit_interval(draw_bits(0, n, derive_state(seed, number), np), np) for number in (9, 10))
    cell = find_cells(y, cells) * cells + find_cells(x, cells)
    order = np.argsort(cell, kind="stable")
    begin = np.zeros(cells * cells + 1, np.int64)
    np.cumsum(np.bincount(cell, minlength=cells * cells), out=begin[1:])
    return x[order], y[order], begin


def find_cells(coordinate: Any, cells: int) -> Any:
    """Which of the equal parts of [0, 1) a coordinate lies in."""
    return np.minimum((coordinate * cells).astype(np.int64), cells - 1)


def find_near_pairs(x: Any, y: Any, begin: Any, cells: int, radius: float) -> Iterator[Any]:
    """Packed pairs u < v at most `radius` apart, strip of vertices by strip.

    A partner with a larger number stands in the rest of the own cell and the cell to the right, which follow each
    other, or in the three cells of the row above, which follow each other too.
    """
    for start in range(0, x.size, STRIP):
        u = np.arange(start, min(start + STRIP, x.size))
        column, row = find_cells(x[u], cells), find_cells(y[u], cells)
        own, above = row * cells, np.minimum(row + 1, cells - 1) * cells
        yield select_near_pairs(x, y, u, u + 1, begin[own + np.minimum(column + 1, cells - 1) + 1], radius)
        higher = begin[above + np.minimum(column + 1, cells - 1) + 1]
        lower = begin[above + np.maximum(column - 1, 0)]
        yield select_near_pairs(x, y, u, np.where(row + 1 < cells, lower, higher), higher, radius)


def select_near_pairs(x: Any, y: Any, u: Any, low: Any, high: Any, radius: float) -> Any:
    """Packed pairs (u[k], v) at most `radius` apart with ``low[k] <= v < high[k]``."""
    counts = high - low
    first = np.cumsum(counts) - counts
    v = np.arange(counts.sum()) + np.repeat(low - first, counts)
    u = np.repeat(u, counts)
    kept = (x[u] - x[v]) ** 2 + (y[u] - y[v]) ** 2 <= radius * radius
    return pack(u[kept], v[kept])


def join_pairs(n: int, strips: list[Any], weights: Weights, seed: int) -> Coo:
    """Both arcs of each pair, sorted; the strips are used up."""
    total = sum(strip.size for strip in strips)
    keys = np.empty(2 * total, np.int64)
    filled = 0
    while strips:
        strip = strips.pop()
        keys[filled : filled + strip.size] = strip
        np.bitwise_or(strip << SHIFT, strip >> SHIFT, out=keys[total + filled : total + filled + strip.size])
        filled += strip.size
    return make_directed(n, keys, weights, seed, np, simple=False)


GENERATORS = (Generator("rgg", rgg, "random geometric", "rgg:20 (scale: 2**20 vertices)"),)
