"""Random geometric graphs: points in the unit square, joined where they are near."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import log, pi, sqrt
from typing import Any, NamedTuple

import numpy as np

from graphla.common.arguments import to_real
from graphla.common.errors import InvalidGraph
from graphla.graphs.generators.build import Draft, Weights, check_arguments, pack, require_whole
from graphla.graphs.generators.generator import Generator
from graphla.graphs.generators.hashing import derive_state, draw_bits, to_unit_interval
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
    return draft_random_geometric(n, radius, weights=weights, seed=seed).finish(np)


def draft_random_geometric(
    n: int, radius: float | None = None, *, weights: Weights = None, seed: int = 1, xp: Any = np
) -> Draft:
    """Check the arguments of `random_geometric`, and return what it draws: the pairs of some vertices, on the host."""
    n = require_whole("n", n, 0)
    if radius is None:
        radius = REACH * sqrt(log(max(n, 2)) / max(n, 1))
    if not 0 < to_real(radius, "radius") <= 2:
        raise InvalidGraph(f"radius={radius}: it goes from just above 0 to 2, in a square of side 1")
    edges, what = int(n * min(n, pi * radius**2 * n)) // 2, f"random_geometric({n}, {radius:.3g})"
    check_arguments(what, n, seed, weights)
    prepare = partial(partial, draw_near_pairs, n, radius, seed, xp)
    return Draft(what, n, edges, prepare, weights, seed, simple=False, has_parts=True)


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
    return draft_rgg(scale, radius, weights=weights, seed=seed).finish(np)


def draft_rgg(
    scale: int, radius: float | None = None, *, weights: Weights = None, seed: int = 1, xp: Any = np
) -> Draft:
    """Check the arguments of `rgg`, and return what it draws."""
    n = 1 << require_whole("scale", scale, 0, 30)
    return draft_random_geometric(n, radius, weights=weights, seed=seed, xp=xp)


def draw_near_pairs(n: int, radius: float, seed: int, xp: Any, part: int, parts: int) -> Any:
    """Packed pairs u < v at most `radius` apart, of one of several even parts of the vertices u."""
    first, last = n * part // parts, n * (part + 1) // parts
    cells = max(1, min(int(1 / radius), int(sqrt(n)) + 1))
    window = open_window(n, cells, seed, first, last)
    u = np.arange(first, last) - window.first
    pairs = [*find_near_pairs(window, u, cells, radius), np.zeros(0, np.int64)]
    return xp.asarray(np.concatenate(pairs) + pack(window.first, window.first))


class Window(NamedTuple):
    """The points of some rows of cells, sorted by cells, and where each cell begins among them."""

    x: Any
    y: Any
    begin: Any
    row: int
    first: int
    """The first row of cells, and the number of its first point."""


def open_window(n: int, cells: int, seed: int, first: int, last: int) -> Window:
    """Return the rows of cells with the points `first` … `last` - 1, and the row after them.

    All points are drawn twice, piece by piece: to count those of each row, and to keep those of the window.
    """
    per_row = np.zeros(cells, np.int64)
    for _, y in draw_points(n, seed):
        per_row += np.bincount(find_cells(y, cells), minlength=cells)
    before = np.concatenate([[0], np.cumsum(per_row)])
    low = int(np.searchsorted(before, first, side="right")) - 1
    high = min(cells, int(np.searchsorted(before, last, side="left")) + 1)
    kept = [points[:, is_within(points[1], low, high, cells)] for points in draw_points(n, seed)]
    x, y = np.concatenate([np.zeros((2, 0)), *kept], axis=1)
    cell = (find_cells(y, cells) - low) * cells + find_cells(x, cells)
    order = np.argsort(cell, kind="stable")
    begin = np.zeros((high - low) * cells + 1, np.int64)
    np.cumsum(np.bincount(cell, minlength=begin.size - 1), out=begin[1:])
    return Window(x[order], y[order], begin, low, int(before[low]))


def draw_points(n: int, seed: int) -> Iterator[Any]:
    """The coordinates x and y of all points, piece by piece: arrays of shape (2, k)."""
    for start in range(0, n, STRIP):
        count = min(STRIP, n - start)
        yield np.stack([to_unit_interval(draw_bits(start, count, derive_state(seed, at), np), np) for at in (9, 10)])


def is_within(y: Any, low: int, high: int, cells: int) -> Any:
    """Whether points are in the rows `low` … `high` - 1 of cells."""
    row = find_cells(y, cells)
    return (row >= low) & (row < high)


def find_cells(coordinate: Any, cells: int) -> Any:
    """Which of the equal parts of [0, 1) a coordinate lies in."""
    return np.minimum((coordinate * cells).astype(np.int64), cells - 1)


def find_near_pairs(window: Window, vertices: Any, cells: int, radius: float) -> Iterator[Any]:
    """Packed pairs u < v at most `radius` apart, numbered from the begin of the window, strip of vertices by strip.

    A partner with a larger number stands in the rest of the own cell and the cell to the right, which follow each
    other, or in the three cells of the row above, which follow each other too.
    """
    x, y, begin = window.x, window.y, window.begin
    for start in range(0, vertices.size, STRIP):
        u = vertices[start : start + STRIP]
        column, row = find_cells(x[u], cells), find_cells(y[u], cells)
        own, above = ((each - window.row) * cells for each in (row, np.minimum(row + 1, cells - 1)))
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


GENERATORS = (Generator("rgg", rgg, "random geometric", "rgg:20 (scale: 2**20 vertices)"),)
