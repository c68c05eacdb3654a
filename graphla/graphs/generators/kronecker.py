"""Kronecker graphs of the Graph500 benchmark, and R-MAT.

Chakrabarti, Zhan, Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004; https://graph500.org specification.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_bool, to_list, to_real
from graphla.common.errors import InvalidGraph
from graphla.graphs.generators.build import Draft, Weights, check_arguments, pack, require_whole
from graphla.graphs.generators.generator import Generator
from graphla.graphs.generators.hashing import derive_state, draw_bits
from graphla.storage import Coo

GRAPH500 = (0.57, 0.19, 0.19)


def kronecker(
    scale: int, edge_factor: int = 16, *, weights: Weights = None, seed: int = 1, simple: bool = True, xp: Any = np
) -> Coo:
    """A Kronecker graph of the Graph500 benchmark: skewed degrees, a short diameter.

    Each edge falls into a quadrant of the adjacency matrix, then into a quadrant of that, and so on, with probabilities
    0.57, 0.19, 0.19 and 0.05. The vertices are renumbered at random.

    Parameters
    ----------
    scale : int
        The graph has ``2**scale`` vertices; 0 to 30.
    edge_factor : int
        Edges drawn per vertex, before loops and repeats are left out.
    weights : tuple of two numbers, optional
        The range of the weights: INT32 from lo to hi for two ints, both included, else FP32 in [lo, hi). The weight of
        an edge depends on its two ends, so both its arcs weigh the same. By default the graph is a pattern.
    seed : int
        Another seed makes another graph.
    simple : bool
        Leave out loops and repeated edges. Otherwise every pair that was drawn is kept, as both its arcs.
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
    .. [1] J. Leskovec et al., "Kronecker graphs: an approach to modeling networks", JMLR 11, 2010.
    .. [2] Graph500 benchmark specification, https://graph500.org/?page_id=12.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.kronecker(4)
    >>> G.n, G.nvals, G.symmetric
    (16, 118, True)
    """
    return draft_kronecker(scale, edge_factor, weights=weights, seed=seed, simple=simple, xp=xp).finish(xp)


def draft_kronecker(
    scale: int, edge_factor: int = 16, *, weights: Weights = None, seed: int = 1, simple: bool = True, xp: Any = np
) -> Draft:
    """Check the arguments of `kronecker`, and return what it draws."""
    scale = require_whole("scale", scale, 0, 30)
    edge_factor = require_whole("edge_factor", edge_factor, 0)
    simple = to_bool(simple, "simple")
    n, what = 1 << scale, f"kronecker({scale}, {edge_factor})"
    check_arguments(what, n, seed, weights)

    def prepare() -> Any:
        new = list_new_numbers(n, seed, xp)
        draw = make_quadrant_drawer(scale, GRAPH500, seed, xp)
        return lambda start, length: relabel(draw(start, length), new)

    return Draft(what, n, edge_factor << scale, prepare, weights, seed, simple=simple)


def rmat(
    scale: int,
    degree: int = 32,
    *,
    abc: tuple[float, float, float] = GRAPH500,
    weights: Weights = None,
    seed: int = 1,
    symmetric: bool = True,
    simple: bool = True,
    xp: Any = np,
) -> Coo:
    """An R-MAT graph: as `kronecker`, with probabilities of your own and without renumbering.

    Parameters
    ----------
    scale : int
        The graph has ``2**scale`` vertices; 0 to 30.
    degree : int
        Arcs drawn per vertex, before loops and repeats are left out.
    abc : tuple of three floats
        The probabilities of the first three quadrants; the fourth has the rest.
    weights : tuple of two numbers, optional
        The range of the weights: INT32 from lo to hi for two ints, both included, else FP32 in [lo, hi). The weight of
        an edge depends on its two ends, so both its arcs weigh the same. By default the graph is a pattern.
    seed : int
        Another seed makes another graph.
    symmetric : bool
        Draw ``degree / 2`` edges per vertex and keep both arcs of each; otherwise draw `degree` arcs per vertex.
    simple : bool
        Leave out loops and repeated arcs.
    xp : module
        NumPy or CuPy, which makes the arrays. Both make the same graph.

    Returns
    -------
    Coo
        The arcs, sorted by row, then column; int32 indices.

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
    .. [1] D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.rmat(4, 4)
    >>> G.n, G.nvals
    (16, 32)
    """
    settings: dict[str, Any] = {"weights": weights, "seed": seed, "symmetric": symmetric, "simple": simple}
    return draft_rmat(scale, degree, abc=abc, **settings, xp=xp).finish(xp)


def draft_rmat(
    scale: int,
    degree: int = 32,
    *,
    abc: tuple[float, float, float] = GRAPH500,
    weights: Weights = None,
    seed: int = 1,
    symmetric: bool = True,
    simple: bool = True,
    xp: Any = np,
) -> Draft:
    """Check the arguments of `rmat`, and return what it draws."""
    scale = require_whole("scale", scale, 0, 30)
    degree = require_whole("degree", degree, 0)
    symmetric, simple = to_bool(symmetric, "symmetric"), to_bool(simple, "simple")
    shares = [to_real(share, "abc", 0) for share in to_list(abc, "abc", "three probabilities", InvalidGraph)]
    if len(shares) != 3 or not 0 < sum(shares) <= 1:
        raise InvalidGraph(f"abc={show(abc)}: give three probabilities with a sum of at most 1")
    n = 1 << scale
    m = (degree << scale) // 2 if symmetric else degree << scale
    what = f"rmat({scale}, {degree})"
    check_arguments(what, n, seed, weights)
    prepare = partial(make_quadrant_drawer, scale, abc, seed, xp)
    return Draft(what, n, m, prepare, weights, seed, symmetric, simple)


def make_quadrant_drawer(scale: int, abc: tuple[float, float, float], seed: int, xp: Any) -> Any:
    """A function that draws packed pairs: at each of `scale` levels an edge falls into one quadrant by 32 bits."""
    a, b, c = abc
    edges = [xp.uint32(min(round(share * 2**32), 2**32 - 1)) for share in (a, a + b, a + b + c)]
    states = [derive_state(seed, 16 + level) for level in range(0, scale, 2)]

    def draw(start: int, length: int) -> Any:
        u, v = xp.zeros(length, xp.int64), xp.zeros(length, xp.int64)
        for level in range(scale):
            if level % 2 == 0:
                bits = draw_bits(start, length, states[level // 2], xp).view(xp.uint32)
            append_bit(u, v, bits[level % 2 :: 2], edges)
        return pack(u, v)

    return draw


def append_bit(u: Any, v: Any, chance: Any, edges: list[Any]) -> None:
    """Append one bit to u and v: which half of the rows and of the columns."""
    lower = chance >= edges[1]
    right = (chance >= edges[0]) ^ lower | (chance >= edges[2])
    u += u
    u |= lower
    v += v
    v |= right


def list_new_numbers(n: int, seed: int, xp: Any) -> Any:
    """A random permutation of the vertices: int64 of shape (n,)."""
    return xp.argsort(draw_bits(0, n, derive_state(seed, 2), xp), kind="stable").astype(xp.int64)


def relabel(keys: Any, new: Any) -> Any:
    """The pairs under a permutation of the vertices."""
    return pack(new[keys >> 32], new[keys & 0xFFFFFFFF])


GENERATORS = (
    Generator("kron", kronecker, "Graph500 Kronecker", "kron:18 or kron:18,16 (scale, edge factor)"),
    Generator("rmat", rmat, "R-MAT", "rmat:16 or rmat:16,32 (scale, degree)"),
)
