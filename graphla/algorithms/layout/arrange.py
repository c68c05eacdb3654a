"""Positions of vertices by forces: what the caller asks for, and the graph that pulls."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphla.algorithms.embeddings.averages import Averages, get_averages, to_vectors
from graphla.algorithms.layout.forces import settle
from graphla.algorithms.layout.physics import Physics
from graphla.algorithms.layout.start import draw_cube, find_start
from graphla.algorithms.shared.seed import to_seed
from graphla.common.arguments import show, to_int, to_real
from graphla.common.errors import DimensionMismatch, InvalidOption
from graphla.common.memory import require
from graphla.common.typing import ArrayLike
from graphla.containers.execute import report_out_of_memory
from graphla.graphs.graph import Graph
from semirings import binary

Array = Any
FARTHEST = 1e9
"""The largest coordinate to start from: squares of squares must fit 32 bits."""
SHIFT = 1e-3
"""How far a given position is moved at random, so that vertices at one place part."""
BYTES_PER_VERTEX, BYTES_PER_ARC = 160, 16
MOST_STEPS = 1_000_000


@report_out_of_memory
def layout(
    G: Graph,
    dimensions: int = 2,
    *,
    steps: int = 100,
    weights: bool = False,
    scaling: float = 2.0,
    gravity: float = 0.01,
    theta: float = 0.7,
    start: ArrayLike | None = None,
    seed: int = 0,
) -> Any:
    """Layout by forces (ForceAtlas2): positions of vertices for a picture, neighbours near and communities apart.

    Each arc pulls its two ends together in proportion to their distance d. Two vertices of degrees a and b push each
    other apart by `scaling` (a + 1) (b + 1) / d. Gravity pulls a vertex to the origin by `gravity` (a + 1) times its
    distance, which holds parts together that no arc joins.

    Parameters
    ----------
    G : Graph
        The graph. Directions do not matter; a loop does not pull, and counts for the degree.
    dimensions : {2, 3}
        Of the picture.
    steps : int
        How often all vertices move, from 0 to a million.
    weights : bool
        Whether an arc pulls by its weight, over the mean of all; none may be negative or infinite then. By default all
        arcs pull alike.
    scaling : float
        How strong vertices repel each other, above 0: the picture grows with its root.
    gravity : float
        How strong gravity is, above 0.
    theta : float
        How exact the repulsion is, above 0, at most 1: a group of vertices counts as one body where its radius is less
        than this times its distance.
    start : array, optional
        Of shape (n, dimensions): where vertices begin, each moved by up to a thousandth of a unit. By default
        communities are laid out first, and their members begin around them.
    seed : int
        A number of 32 bits. The same one gives the same positions on one engine, on any number of threads.

    Returns
    -------
    array
        float32[n, dimensions], on the engine of G.

    Raises
    ------
    InvalidGraph
        If weights count and one is negative or infinite.
    ValueOutOfRange
        If weights count and one is beyond FP32.
    InvalidOption
        If an argument is out of range.
    DimensionMismatch
        If `start` has no position for each vertex.
    DomainMismatch
        If `start` holds something else than finite numbers.
    NotSupported
        If the graph is spread over ranks.
    OutOfMemory
        If the arrays do not fit in memory.

    See Also
    --------
    spectral_embedding : Positions by eigenvectors, without steps.

    Notes
    -----
    O(n log n + m) per step, for m arcs. The engines add in other orders, and steps magnify roundings: they find
    pictures that are alike, not the same. With the default `theta` half of the repulsions are wrong by less than 1 % of
    their length, and none by more than 10 % of the root mean square of all.

    References
    ----------
    .. [1] M. Jacomy, T. Venturini, S. Heymann, M. Bastian, "ForceAtlas2, a Continuous Graph Layout Algorithm for Handy
       Network Visualization Designed for the Gephi Software", PLoS ONE 9(6), 2014.
    .. [2] J. Barnes, P. Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324, 1986.
    .. [3] C. Walshaw, "A multilevel algorithm for force-directed graph drawing", Journal of Graph Algorithms and
       Applications 7(3), 2003.

    Examples
    --------
    >>> import graphla as gl
    >>> X = gl.layout(gl.generate.path(9, engine="cpu"))
    >>> X.shape, bool(((X[0] - X[8]) ** 2).sum() > ((X[0] - X[1]) ** 2).sum())
    ((9, 2), True)
    """
    held = get_pull(G, weights)
    dims, count = to_int(dimensions, "dimensions", 2, 3), to_int(steps, "steps", 0, MOST_STEPS)
    physics = Physics(
        to_share(theta, "theta", 1.0), to_share(scaling, "scaling", 1e6), to_share(gravity, "gravity", 1e6)
    )
    number, xp = to_seed(seed), G.engine.xp
    require(BYTES_PER_VERTEX * G.n + BYTES_PER_ARC * held.W.nvals, "a layout", xp)
    given = None if start is None else to_positions(G, start, dims, number)
    if not G.n:
        return xp.zeros((0, dims), "float32")
    masses = weigh(held.G)
    X = find_start(held, masses, count, dims, physics, number)[0] if given is None else given
    return settle(held, X, masses, count, physics)


def get_pull(G: Graph, weights: Any) -> Averages:
    """The graph whose arcs pull, both directions of each, and the sums of their weights; 1 is the mean of them."""
    held = get_averages(G, weights, "layout", most=math.inf)  # they are divided by their mean
    W = held.W
    if W.dtype.name != "BOOL":
        exact = G.A.dup("FP64")
        mean = float(exact.reduce_scalar("plus").new().value) / G.nvals
        W = binary.times(exact, 1 / mean).new("FP32") if mean else W
    if not G.symmetric:
        W = W.dup("FP32")
        W = binary.plus(W | W.T).new()
    return held if W is held.W else get_averages(Graph(W), W.dtype.name != "BOOL", "layout")


def weigh(G: Graph) -> Array:
    """The mass of each vertex: one more than its degree."""
    engine: Any = G.engine
    if engine.name == "cuda":
        return engine.lists.blocks.shift(G.degrees, 1, 1, "float32")
    return (G.degrees + 1).astype("float32")


def to_share(value: Any, name: str, most: float) -> float:
    """A number above 0, up to the largest one that is allowed."""
    if not 0 < to_real(value, name) <= most:
        raise InvalidOption(f"{name}={show(value)}: give a number above 0, at most {most:g}")
    return float(value)


def to_positions(G: Graph, start: Any, dims: int, seed: int) -> Array:
    """The positions of a caller, with a little noise."""
    X = to_vectors(G.engine, start, G.n, "start").astype("float32")
    if X.shape[1] != dims:
        raise DimensionMismatch(f"start: its shape is {X.shape}; give {dims} coordinates for each vertex")
    if X.size and float(abs(X).max()) > FARTHEST:
        raise InvalidOption(f"start: a coordinate is beyond {FARTHEST:g}; divide all of them")
    return X + np.float32(SHIFT) * draw_cube(G.engine, G.n, dims, seed)
