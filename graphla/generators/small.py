"""Paths, cycles, stars and complete graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.generators.build import Weights, check_request, make_undirected, pack, require_whole
from graphla.generators.generator import Generator
from graphla.storage import Coo


def path(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """A path: each vertex is joined to the next one.

    Parameters
    ----------
    n : int
        Vertices.
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

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.path(4)
    >>> G.n, G.nvals
    (4, 6)
    """
    vertex = _list_vertices("path", n, weights, seed, xp)
    return make_undirected(n, pack(vertex[:-1], vertex[1:]), weights, seed, xp)


def cycle(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """A cycle: a path whose ends are joined, too.

    Parameters
    ----------
    n : int
        Vertices.
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

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.cycle(4)
    >>> G.n, G.nvals
    (4, 8)
    """
    vertex = _list_vertices("cycle", n, weights, seed, xp)
    return make_undirected(n, pack(vertex, xp.roll(vertex, -1)), weights, seed, xp)


def star(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """A star: vertex 0 is joined to every other vertex.

    Parameters
    ----------
    n : int
        Vertices.
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

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.star(4)
    >>> G.n, G.nvals
    (4, 6)
    """
    vertex = _list_vertices("star", n, weights, seed, xp)
    return make_undirected(n, pack(xp.zeros_like(vertex), vertex), weights, seed, xp)


def complete(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """A complete graph: every vertex is joined to every other vertex.

    Parameters
    ----------
    n : int
        Vertices.
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

    Notes
    -----
    O(n²) time.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.complete(4)
    >>> G.n, G.nvals
    (4, 12)
    """
    vertex = _list_vertices("complete", n, weights, seed, xp)
    keys = pack(xp.repeat(vertex, n), xp.tile(vertex, n))
    return make_undirected(n, keys[(keys >> 32) < (keys & 0xFFFFFFFF)], weights, seed, xp)


def _list_vertices(name: str, n: int, weights: Weights, seed: int, xp: Any) -> Any:
    n = require_whole("n", n, 0)
    check_request(f"{name}({n})", n, n**2 if name == "complete" else 2 * n, seed, weights, xp)
    return xp.arange(n, dtype=xp.int64)


GENERATORS = (
    Generator("path", path, "path", "path:1000"),
    Generator("cycle", cycle, "cycle", "cycle:1000"),
    Generator("star", star, "star", "star:1000"),
    Generator("complete", complete, "complete", "complete:100"),
)
