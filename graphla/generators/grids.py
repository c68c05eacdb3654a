"""Grids of two and three dimensions."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from graphla.generators.build import Weights, packed, ready, undirected, whole
from graphla.generators.generator import Generator
from graphla.storage import Coo


def grid2d(width: int, height: int | None = None, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """A grid in which each vertex but those of the border has 4 neighbours; (x, y) is vertex ``y * width + x``.

    Parameters
    ----------
    width, height : int
        By default as high as wide.
    weights : (lo, hi), optional
        As in `pair_weights`; a pattern by default.
    seed : int
        For the weights alone.
    xp : module
        NumPy or CuPy.
    """
    return lattice((width if height is None else height, width), ("width", "height"), weights, seed, xp)


def grid3d(
    x: int, y: int | None = None, z: int | None = None, *, weights: Weights = None, seed: int = 1, xp: Any = np
) -> Coo:
    """A grid of degree 6 but at its border; (i, j, k) is vertex ``(k * y + j) * x + i``.

    Parameters
    ----------
    x, y, z : int
        By default a cube.
    weights, seed, xp
        As in `grid2d`.
    """
    y = x if y is None else y
    return lattice((y if z is None else z, y, x), ("x", "y", "z"), weights, seed, xp)


def lattice(shape: tuple[int, ...], names: tuple[str, ...], weights: Weights, seed: int, xp: Any) -> Coo:
    """Neighbours along each axis; the last axis is numbered fastest."""
    for name, size in zip(names, reversed(shape), strict=True):
        whole(name, size, 0)
    n = prod(shape)
    sides = ", ".join(map(str, reversed(shape)))
    ready(f"grid{len(shape)}d({sides})", n, 2 * len(shape) * n, seed, weights, xp)
    number = xp.arange(n, dtype=xp.int64).reshape(shape)
    edges = []
    for axis in range(len(shape)):
        ahead = xp.moveaxis(number, axis, 0)
        edges.append(packed(ahead[:-1], ahead[1:]).ravel())
    return undirected(n, xp.concatenate(edges), weights, seed, xp, simple=False)


GENERATORS = (
    Generator("grid2d", grid2d, "two-dimensional grid, degree 4", "grid2d:300 or grid2d:300,200"),
    Generator("grid3d", grid3d, "three-dimensional grid, degree 6", "grid3d:100 or grid3d:10,20,30"),
)
