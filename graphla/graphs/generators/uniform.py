"""Uniform random graphs, and near-regular ones with hubs."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from graphla.common.arguments import to_real
from graphla.common.errors import InvalidGraph
from graphla.graphs.generators.build import Draft, Weights, check_arguments, pack, require_whole
from graphla.graphs.generators.generator import Generator
from graphla.graphs.generators.hashing import derive_state, draw_bits, to_integers_below
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
    settings: dict[str, Any] = {"weights": weights, "seed": seed}
    return draft_hubs(n, degree, hub_fraction, hub_degree, **settings, xp=xp).finish(xp)


def draft_hubs(
    n: int,
    degree: int = 6,
    hub_fraction: float = 0.001,
    hub_degree: int = 1000,
    *,
    weights: Weights = None,
    seed: int = 1,
    xp: Any = np,
) -> Draft:
    """Check the arguments of `hubs`, and return what it draws: the edges of the rings, then those of the hubs."""
    n = require_whole("n", n, 0)
    degree = require_whole("degree", degree, 0)
    hub_degree = require_whole("hub_degree", hub_degree, 0)
    if degree % 2:
        raise InvalidGraph(f"degree={degree}: rings give an even number; take {degree + 1}")
    if not to_real(hub_fraction, "hub_fraction", 0) <= 1:
        raise InvalidGraph(f"hub_fraction={hub_fraction}: it goes from 0 to 1")
    count, what = round(n * hub_fraction), f"hubs({n}, {degree}, {hub_fraction}, {hub_degree})"
    check_arguments(what, n, seed, weights)
    ring = n * degree // 2
    prepare = partial(make_hub_drawer, n, ring, hub_degree, seed, xp)
    return Draft(what, n, ring + count * hub_degree, prepare, weights, seed)


def make_pair_drawer(n: int, m: int, state: int, xp: Any) -> Any:
    """A function that draws packed pairs of a vertex below `n` and one below `m`."""

    def draw(start: int, length: int) -> Any:
        bits = draw_bits(2 * start, 2 * length, state, xp)
        return pack(to_integers_below(bits[::2], n, xp), to_integers_below(bits[1::2], m, xp))

    return draw


def shuffle(n: int, state: int, xp: Any) -> Any:
    """A random permutation of 0 … n - 1, int64."""
    return xp.argsort(draw_bits(0, n, state, xp), kind="stable").astype(xp.int64)


def make_hub_drawer(n: int, ring_edges: int, degree: int, seed: int, xp: Any) -> Any:
    """A function that draws edges of rings, each of n, and then those of the hubs."""
    held: dict[int, Any] = {}

    def find_order(number: int) -> Any:
        if number not in held:
            held.clear()  # one permutation of the vertices at a time
            held[number] = shuffle(n, derive_state(seed, number), xp)
        return held[number]

    def draw(start: int, length: int) -> Any:
        if start < ring_edges:
            ring = start // n
            most = min(length, (ring + 1) * n - start)
            part = draw_ring(find_order(32 + ring), start % n, most, xp)
        else:
            most = length
            spoke = start - ring_edges
            centres = find_order(4)[xp.arange(spoke, spoke + most) // max(1, degree)]
            ends = to_integers_below(draw_bits(spoke, most, derive_state(seed, 5), xp), n, xp)
            part = pack(centres, ends)
        return part if most == length else xp.concatenate([part, draw(start + most, length - most)])

    return draw


def draw_ring(order: Any, start: int, length: int, xp: Any) -> Any:
    """Packed edges of a ring through all vertices in an order, from the one of number `start`."""
    place = xp.arange(start, start + length)
    return pack(order[place], order[(place + 1) % order.size])


GENERATORS = (
    Generator("uniform", uniform, "uniform random", "uniform:100000,8 (vertices, degree)"),
    Generator("hubs", hubs, "near-regular with hubs", "hubs:1000000 or hubs:1000000,6,0.001,1000"),
)
