"""Models of networks that grow or are rewired: Barabási and Albert's, and Watts and Strogatz'."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from graphla.common.arguments import to_real
from graphla.common.errors import InvalidGraph
from graphla.graphs.generators.build import Draft, Weights, check_arguments, pack, require_whole
from graphla.graphs.generators.generator import Generator
from graphla.graphs.generators.hashing import derive_state, draw_at, draw_bits, to_integers_below, to_unit_interval
from graphla.storage import Coo

MOST_ENDS = 2**32
"""Ends of edges that 32 random bits tell apart."""


def barabasi_albert(n: int, m: int = 4, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """Barabási and Albert's graph: each vertex joins earlier ones, in proportion to their degrees.

    Parameters
    ----------
    n : int
        Vertices.
    m : int
        Edges from each vertex to earlier ones, from 1 on; those of vertex 1 all lead to vertex 0. Repeats count for the
        degrees while the graph grows, and are left out at the end.
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
    O(n m log(n m)) time, of which the sorting is the most. An end of an edge is that of a random place in the list of
    all earlier ends, and each place knows by its number what was drawn there: no edge waits for another [2]_.

    References
    ----------
    .. [1] A.-L. Barabási, R. Albert, "Emergence of scaling in random networks", Science 286, 1999.
    .. [2] P. Sanders, C. Schulz, "Scalable generation of scale-free graphs", Information Processing Letters 116(7),
       2016.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.barabasi_albert(5, 1).nvals
    8
    """
    return draft_barabasi_albert(n, m, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_barabasi_albert(n: int, m: int = 4, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Draft:
    """Check the arguments of `barabasi_albert`, and return what it draws."""
    n, m = require_whole("n", n, 0), require_whole("m", m, 1)
    what, count = f"barabasi_albert({n}, {m})", max(0, n - 1) * m
    check_arguments(what, n, seed, weights)
    if 2 * count > MOST_ENDS:
        raise InvalidGraph(f"{what} has {2 * count:,} ends of edges, and at most {MOST_ENDS:,} are told apart")

    def prepare() -> Any:
        return lambda start, length: draw_grown(xp.arange(start, start + length), m, derive_state(seed, 14), xp)

    return Draft(what, n, count, prepare, weights, seed)


def draw_grown(edges: Any, m: int, state: int, xp: Any) -> Any:
    """Packed edges by their numbers: edge e leaves vertex 1 + e // m for an end of an edge of an earlier vertex.

    Place 2e of the list of ends is the vertex that edge e leaves, and place 2e + 1 the one that it joins.
    """
    heads, asked, open_ = xp.zeros(edges.size, xp.int64), edges, xp.arange(edges.size)
    while open_.size:
        later = asked >= m  # the first m edges join vertex 0
        asked, open_ = asked[later], open_[later]
        place = to_integers_below(draw_at(asked, state, xp), 2 * m * (asked // m), xp)
        heads[open_] = 1 + place // 2 // m
        joined = place % 2 == 1
        heads[open_[joined]] = 0
        asked, open_ = place[joined] // 2, open_[joined]
    return pack(1 + edges // m, heads)


def watts_strogatz(
    n: int, degree: int = 4, p: float = 0.1, *, weights: Weights = None, seed: int = 1, xp: Any = np
) -> Coo:
    """Watts and Strogatz' graph: a ring in which each vertex is joined to the nearest ones, and some edges lead away.

    Parameters
    ----------
    n : int
        Vertices.
    degree : int
        Neighbours of a vertex in the ring; an even number.
    p : float
        The share of the edges whose one end is drawn anew among all other vertices, from 0 to 1. An edge that is
        there already is left out.
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
    O(m log m) time for m edges.

    References
    ----------
    .. [1] D. J. Watts, S. H. Strogatz, "Collective dynamics of 'small-world' networks", Nature 393, 1998.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.watts_strogatz(20, 4, 0.0).degrees.tolist() == 20 * [4]
    True
    """
    return draft_watts_strogatz(n, degree, p, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_watts_strogatz(
    n: int, degree: int = 4, p: float = 0.1, *, weights: Weights = None, seed: int = 1, xp: Any = np
) -> Draft:
    """Check the arguments of `watts_strogatz`, and return what it draws."""
    n, degree = require_whole("n", n, 0), require_whole("degree", degree, 0)
    if degree % 2:
        raise InvalidGraph(f"degree={degree}: a ring gives an even number; take {degree + 1}")
    if not 0 <= to_real(p, "p") <= 1:
        raise InvalidGraph(f"p={p}: a share goes from 0 to 1")
    what = f"watts_strogatz({n}, {degree}, {p})"
    check_arguments(what, n, seed, weights)
    return Draft(what, n, n * degree // 2, partial(partial, draw_rewired, n, float(p), seed, xp), weights, seed)


def draw_rewired(n: int, p: float, seed: int, xp: Any, start: int, length: int) -> Any:
    """Packed edges of rings by their numbers, some with another end."""
    edges = xp.arange(start, start + length)
    v, near = edges % n, edges // n + 1
    moved = to_unit_interval(draw_bits(start, length, derive_state(seed, 15), xp), xp) < p
    far = 1 + to_integers_below(draw_bits(start, length, derive_state(seed, 16), xp), max(1, n - 1), xp)
    return pack(v, (v + xp.where(moved, far, near)) % n)


GENERATORS = (
    Generator(
        "barabasi_albert", barabasi_albert, "Barabási-Albert", "barabasi_albert:10000,4 (vertices, edges of each)"
    ),
    Generator(
        "watts_strogatz", watts_strogatz, "Watts-Strogatz", "watts_strogatz:10000,6,0.1 (vertices, degree, share)"
    ),
)
