"""Grids of two and three dimensions."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from graphla.graphs.generators.build import Draft, Weights, check_arguments, pack, require_whole
from graphla.graphs.generators.generator import Generator
from graphla.storage import Coo


def grid2d(width: int, height: int | None = None, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """A two-dimensional grid: up to 4 neighbours per vertex, a long diameter.

    The vertex in column x of row y has the number ``y * width + x``.

    Parameters
    ----------
    width : int
        Columns.
    height : int, optional
        Rows; by default as many as columns.
    weights : tuple of two numbers, optional
        The range of the weights: INT32 from lo to hi for two ints, both included, else FP32 in [lo, hi). The weight of
        an edge depends on its two ends, so both its arcs weigh the same. By default the graph is a pattern.
    seed : int
        Another seed draws other weights.
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

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.grid2d(3, 2)
    >>> G.n, G.nvals, G.max_degree
    (6, 14, 3)
    """
    return draft_grid2d(width, height, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_grid2d(
    width: int, height: int | None = None, *, weights: Weights = None, seed: int = 1, xp: Any = np
) -> Draft:
    """Check the arguments of `grid2d`, and return what it draws."""
    return draft_lattice((width, width if height is None else height), ("width", "height"), weights, seed, xp)


def grid3d(
    x: int, y: int | None = None, z: int | None = None, *, weights: Weights = None, seed: int = 1, xp: Any = np
) -> Coo:
    """A three-dimensional grid: up to 6 neighbours per vertex.

    The vertex (i, j, k) has the number ``(k * y + j) * x + i``.

    Parameters
    ----------
    x : int
        Vertices along the first axis.
    y : int, optional
        Vertices along the second axis; by default `x`.
    z : int, optional
        Vertices along the third axis; by default `y`.
    weights : tuple of two numbers, optional
        The range of the weights: INT32 from lo to hi for two ints, both included, else FP32 in [lo, hi). The weight of
        an edge depends on its two ends, so both its arcs weigh the same. By default the graph is a pattern.
    seed : int
        Another seed draws other weights.
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

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.grid3d(2)
    >>> G.n, G.nvals
    (8, 24)
    """
    return draft_grid3d(x, y, z, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_grid3d(
    x: int, y: int | None = None, z: int | None = None, *, weights: Weights = None, seed: int = 1, xp: Any = np
) -> Draft:
    """Check the arguments of `grid3d`, and return what it draws."""
    y = x if y is None else y
    return draft_lattice((x, y, y if z is None else z), ("x", "y", "z"), weights, seed, xp)


def draft_lattice(sides: tuple[int, ...], names: tuple[str, ...], weights: Weights, seed: int, xp: Any) -> Draft:
    """Check the sides of a lattice, whose first axis is numbered fastest, and return its edges.

    Edge ``axis * n + v`` joins vertex v and the next one along an axis; at the end of the axis it is a loop.
    """
    for name, size in zip(names, sides, strict=True):
        require_whole(name, size, 0)
    n, what = prod(sides), f"grid{len(sides)}d({', '.join(map(str, sides))})"
    check_arguments(what, n, seed, weights)
    steps = [prod(sides[:axis]) for axis in range(len(sides))]

    def draw(start: int, length: int) -> Any:
        number = xp.arange(start, start + length, dtype=xp.int64)
        axis, vertex = number // n, number % n
        step, side = (xp.asarray(each, xp.int64)[axis] for each in (steps, sides))
        return pack(vertex, xp.where(vertex // step % side < side - 1, vertex + step, vertex))

    return Draft(what, n, len(sides) * n, lambda: draw, weights, seed)


GENERATORS = (
    Generator("grid2d", grid2d, "two-dimensional grid, degree 4", "grid2d:300 or grid2d:300,200"),
    Generator("grid3d", grid3d, "three-dimensional grid, degree 6", "grid3d:100 or grid3d:10,20,30"),
)
