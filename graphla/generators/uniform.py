"""Uniform random graphs, and near-regular ones with hubs."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from graphla.arguments import to_real
from graphla.errors import InvalidGraph
from graphla.generators.build import (
    Draft,
    Weights,
    check_arguments,
    check_request,
    make_undirected,
    pack,
    require_whole,
)
from graphla.generators.generator import Generator
from graphla.generators.hashing import derive_state, draw_bits, to_integers_below
from graphla.storage import Coo


def uniform(n: int, degree: int = 16, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """A uniform random graph: edges between vertices that are drawn evenly.

    Parameters
    ----------
    n : int
        Vertices.
    degree : int
        Arcs per vertex, about: ``n * degree / 2`` edges are drawn, and loops and repeats are left out.
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
    O(m log m) time for m edges. The G(n, m) model of Erdős and Rényi, but for the repeats.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.uniform(10, 4)
    >>> G.n, G.nvals
    (10, 30)
    """
    return draft_uniform(n, degree, weights=weights, seed=seed, xp=xp).finish(xp)


def draft_uniform(n: int, degree: int = 16, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Draft:
    """Check the arguments of `uniform`, and return what it draws."""
    n = require_whole("n", n, 0)
    degree = require_whole("degree", degree, 0)
    what = f"uniform({n}, {degree})"
    check_arguments(what, n, seed, weights)
    prepare = partial(make_pair_drawer, n, n, derive_state(seed, 3), xp)
    return Draft(what, n, n * degree // 2, prepare, weights, seed)


def hubs(
    n: int,
    degree: int = 6,
    hub_fraction: float = 0.001,
    hub_degree: int = 1000,
    *,
    weights: Weights = None,
    seed: int = 1,
    xp: Any = np,
) -> Coo:
    """A nearly regular graph in which a few vertices, the hubs, have many neighbours.

    The graph is the union of ``degree / 2`` rings through all vertices in random order, and of the edges of the hubs.

    Parameters
    ----------
    n : int
        Vertices.
    degree : int
        Neighbours of a vertex that is no hub, about; an even number.
    hub_fraction : float
        The share of the vertices that are hubs, from 0 to 1.
    hub_degree : int
        Edges added to each hub; their other ends are drawn evenly.
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

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.hubs(100, 4, hub_fraction=0.02, hub_degree=10)
    >>> G.nvals, G.max_degree
    (428, 14)
    """
    n = require_whole("n", n, 0)
    degree = require_whole("degree", degree, 0)
    hub_degree = require_whole("hub_degree", hub_degree, 0)
    if degree % 2:
        raise InvalidGraph(f"degree={degree}: rings give an even number; take {degree + 1}")
    if not to_real(hub_fraction, "hub_fraction", 0) <= 1:
        raise InvalidGraph(f"hub_fraction={hub_fraction}: it goes from 0 to 1")
    count = round(n * hub_fraction)
    m = n * degree // 2 + count * hub_degree
    check_request(f"hubs({n}, {degree}, {hub_fraction}, {hub_degree})", n, 2 * m, seed, weights, xp)
    edges = [draw_ring(n, derive_state(seed, 32 + k), xp) for k in range(degree // 2)]
    edges.append(draw_spokes(n, count, hub_degree, seed, xp))
    return make_undirected(n, xp.concatenate(edges), weights, seed, xp)


def make_pair_drawer(n: int, m: int, state: int, xp: Any) -> Any:
    """A function that draws packed pairs of a vertex below `n` and one below `m`."""

    def draw(start: int, length: int) -> Any:
        bits = draw_bits(2 * start, 2 * length, state, xp)
        return pack(to_integers_below(bits[::2], n, xp), to_integers_below(bits[1::2], m, xp))

    return draw


def shuffle(n: int, state: int, xp: Any) -> Any:
    """A random permutation of 0 … n - 1, int64."""
    return xp.argsort(draw_bits(0, n, state, xp), kind="stable").astype(xp.int64)


def draw_ring(n: int, state: int, xp: Any) -> Any:
    """Packed edges of a ring through all vertices in random order."""
    order = shuffle(n, state, xp)
    return pack(order, xp.roll(order, -1))


def draw_spokes(n: int, count: int, degree: int, seed: int, xp: Any) -> Any:
    """Packed edges from `count` random vertices to `degree` others each."""
    centres = shuffle(n, derive_state(seed, 4), xp)[:count]
    ends = to_integers_below(draw_bits(0, count * degree, derive_state(seed, 5), xp), n, xp)
    return pack(xp.repeat(centres, degree), ends)


GENERATORS = (
    Generator("uniform", uniform, "uniform random", "uniform:100000,8 (vertices, degree)", draft_uniform),
    Generator("hubs", hubs, "near-regular with hubs", "hubs:1000000 or hubs:1000000,6,0.001,1000"),
)
