"""Graphs in which each pair of vertices is joined by a probability of its own: G(n, p) and planted partitions.

The pairs of a row that are joined follow each other at gaps that are geometric, so no pair that is not joined is drawn:
V. Batagelj, U. Brandes, "Efficient generation of large random networks", Physical Review E 71, 036113, 2005.
"""

from __future__ import annotations

from functools import partial
from math import log1p, sqrt
from typing import Any

import numpy as np

from graphla.common.arguments import to_real
from graphla.common.errors import InvalidGraph
from graphla.graphs.generators.build import Draft, Weights, check_arguments, pack, require_whole
from graphla.graphs.generators.generator import Generator
from graphla.graphs.generators.hashing import derive_state, draw_bits, to_unit_interval
from graphla.storage import Coo

FEWEST_ROWS, BLOCKS = 32, 1024
"""Rows of a block at least, and blocks at most: each is drawn alone."""
STREAMS = 64
"""The number of the first stream of random bits of blocks."""


def gnp(n: int, p: float = 0.01, *, weights: Weights = None, seed: int = 1) -> Coo:
    """The random graph G(n, p): each pair of vertices is joined with the same probability.

    Parameters
    ----------
    n : int
        Vertices.
    p : float
        The probability of an edge, from 0 to 1.
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
    O(n + m) time for m edges. It is made on the host.

    References
    ----------
    .. [1] E. N. Gilbert, "Random graphs", Annals of Mathematical Statistics 30(4), 1959.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.gnp(100, 0.1)
    >>> G.n, G.symmetric
    (100, True)
    """
    return draft_gnp(n, p, weights=weights, seed=seed).finish(np)


def draft_gnp(n: int, p: float = 0.01, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Draft:
    """Check the arguments of `gnp`, and return what it draws, on the host."""
    return make_draft(f"gnp({n}, {p})", n, 1, {"p": p}, weights, seed, xp)


def planted_partition(
    n: int, groups: int = 8, p_in: float = 0.2, p_out: float = 0.01, *, weights: Weights = None, seed: int = 1
) -> Coo:
    """A planted partition: pairs of one group are joined with one probability, all others with another.

    The groups differ by one vertex at most, and follow each other: vertex v is in group ``v * groups // n``.

    Parameters
    ----------
    n : int
        Vertices.
    groups : int
        Groups, from 1 on.
    p_in, p_out : float
        The probability of an edge within a group, and between two, from 0 to 1.
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

    See Also
    --------
    lfr : Communities of many sizes and vertices of many degrees.

    Notes
    -----
    O(n + m) time for m edges. It is made on the host.

    References
    ----------
    .. [1] A. Condon, R. M. Karp, "Algorithms for graph partitioning on the planted partition model", Random Structures
       and Algorithms 18(2), 2001.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.planted_partition(200, 4, 0.3, 0.01)
    >>> planted = [v * 4 // 200 for v in range(200)]
    >>> gl.compare_partitions(gl.leiden(G), planted).ari
    1.0
    """
    return draft_planted_partition(n, groups, p_in, p_out, weights=weights, seed=seed).finish(np)


def draft_planted_partition(
    n: int,
    groups: int = 8,
    p_in: float = 0.2,
    p_out: float = 0.01,
    *,
    weights: Weights = None,
    seed: int = 1,
    xp: Any = np,
) -> Draft:
    """Check the arguments of `planted_partition`, and return what it draws, on the host."""
    count = require_whole("groups", groups, 1)
    what = f"planted_partition({n}, {groups}, {p_in}, {p_out})"
    return make_draft(what, n, count, {"p_in": p_in, "p_out": p_out}, weights, seed, xp)


def make_draft(what: str, n: Any, groups: int, p: dict[str, Any], weights: Weights, seed: int, xp: Any) -> Draft:
    """The draft of a graph of groups, with one probability or two."""
    n = require_whole("n", n, 0)
    for name, value in p.items():
        if not 0 <= to_real(value, name) <= 1:
            raise InvalidGraph(f"{name}={value}: a probability goes from 0 to 1")
    check_arguments(what, n, seed, weights)
    inside, across = float(next(iter(p.values()))), float([*p.values()][-1])
    within = n * max(0, n / groups - 1) / 2
    expected = within * inside + (n * max(0, n - 1) / 2 - within) * across
    prepare = partial(partial, draw_part, n, groups, (inside, across), seed, xp)
    return Draft(what, n, int(expected), prepare, weights, seed, simple=False, has_parts=True)


def draw_part(n: int, groups: int, p: tuple[float, float], seed: int, xp: Any, part: int, parts: int) -> Any:
    """Packed pairs u < v of one of several even parts of the blocks of rows u."""
    rows = max(FEWEST_ROWS, -(-n // BLOCKS))
    blocks = -(-n // rows)
    made = [np.zeros(0, np.int64)]
    for block in range(blocks * part // parts, blocks * (part + 1) // parts):
        u = np.arange(block * rows, min(n, (block + 1) * rows))
        ends = -(-n * (u * groups // n + 1) // groups)  # the first vertex of the next group
        for kind, (first, end) in enumerate(((u + 1, ends), (ends, np.full(u.size, n)))):
            made.append(draw_rows(u, first, end, p[kind], derive_state(seed, STREAMS + 2 * block + kind)))
    return xp.asarray(np.concatenate(made))


def draw_rows(u: Any, first: Any, end: Any, p: float, state: int) -> Any:
    """Packed pairs of each u and some vertices from `first` on, below `end`, each of them with a probability."""
    before = np.concatenate([[0], np.cumsum(end - first)])
    places = draw_places(int(before[-1]), p, state)
    row = np.searchsorted(before, places, side="right") - 1
    return pack(u[row], first[row] + places - before[row])


def draw_places(count: int, p: float, state: int) -> Any:
    """The numbers below `count`, each of them with a probability, in their order."""
    if p == 1 or not p or not count:
        return np.arange(count if p else 0)
    step = int(count * p + 5 * sqrt(count * p)) + 16
    made, last, start = [], -1, 0
    while last < count:
        free = 1 - to_unit_interval(draw_bits(start, step, state, np), np)
        gaps = np.minimum(np.log(free) / log1p(-p), count).astype(np.int64)
        made.append(last + np.cumsum(gaps + 1))
        last, start = int(made[-1][-1]), start + step
    places = np.concatenate(made)
    return places[places < count]


GENERATORS = (
    Generator("gnp", gnp, "G(n, p)", "gnp:10000,0.001 (vertices, probability)"),
    Generator(
        "planted_partition",
        planted_partition,
        "planted partition",
        "planted_partition:1000,8,0.2,0.01 (vertices, groups, p_in, p_out)",
    ),
)
