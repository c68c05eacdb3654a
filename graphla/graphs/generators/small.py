"""Paths, cycles, stars and complete graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.graphs.generators.build import Draft, Weights, check_arguments, pack, require_whole
from graphla.graphs.generators.generator import Generator
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
    return draft_path(n, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_path(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Draft:
    """Check the arguments of `path`, and return what it draws."""
    return make_draft("path", n, lambda v: pack(v, v + 1), require_whole("n", n, 0) - 1, weights, seed, xp)


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
    return draft_cycle(n, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_cycle(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Draft:
    """Check the arguments of `cycle`, and return what it draws."""
    return make_draft("cycle", n, lambda v: pack(v, (v + 1) % n), n, weights, seed, xp)


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
    return draft_star(n, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_star(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Draft:
    """Check the arguments of `star`, and return what it draws."""
    return make_draft("star", n, lambda v: v + 1, require_whole("n", n, 0) - 1, weights, seed, xp)


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
    return draft_complete(n, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_complete(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Draft:
    """Check the arguments of `complete`, and return what it draws: every arc."""
    arcs = require_whole("n", n, 0) ** 2
    return make_draft("complete", n, lambda k: pack(k // n, k % n), arcs, weights, seed, xp, symmetric=False)


def make_draft(
    name: str, n: int, number: Any, count: int, weights: Weights, seed: int, xp: Any, symmetric: bool = True
) -> Draft:
    """Check the arguments of a generator whose edge k is ``number(k)``, and return what it draws."""
    what = f"{name}({require_whole('n', n, 0)})"
    check_arguments(what, n, seed, weights)

    def draw(start: int, length: int) -> Any:
        return number(xp.arange(start, start + length, dtype=xp.int64))

    return Draft(what, n, max(0, count), lambda: draw, weights, seed, symmetric)


GENERATORS = (
    Generator("path", path, "path", "path:1000"),
    Generator("cycle", cycle, "cycle", "cycle:1000"),
    Generator("star", star, "star", "star:1000"),
    Generator("complete", complete, "complete", "complete:100"),
)
