"""Where a layout begins: communities are laid out first, as vertices, and their members around them.

A community has the mass of its members, and the arcs between two of them become one of all their weight: the forces are
those of the graph whose communities move as one.

Source: C. Walshaw, "A multilevel algorithm for force-directed graph drawing", Journal of Graph Algorithms and
Applications 7(3), 2003, with the communities of a level of Louvain in the place of matched pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.embeddings.averages import Averages, get_averages
from graphla.algorithms.layout.forces import settle
from graphla.algorithms.layout.physics import Physics
from graphla.algorithms.louvain import louvain
from graphla.algorithms.shared.communities.contract import contract
from graphla.algorithms.shared.random_words import draw, make_keys
from graphla.graphs.graph import Graph
from graphla.storage.convert import cast_indices, tally

Array = Any
FEW = 32
"""Vertices that begin at random."""
SHRINK = 0.75
"""Of the vertices the share that communities may be, or these are not worth a layout of their own."""
FIRST_STEPS = 500
"""Steps of the vertices that began at random, at least: they decide the shape."""
SPREAD = 0.2
"""Of the radius of a community alone the share within which its members begin."""


def find_start(held: Averages, masses: Array, steps: int, dims: int, physics: Physics, seed: int) -> tuple[Array, bool]:
    """Positions to begin with, and whether all of them are random."""
    engine, n = held.G.engine, held.G.n
    groups = louvain(held.G, seed=seed, max_levels=1).to_dense() if n > FEW else engine.xp.zeros(0, "int32")
    count = int(groups.max()) + 1 if groups.size else n
    if count > SHRINK * n:
        return draw_cube(engine, n, dims, seed, find_radii(np.float32(float(masses.sum())), physics)), True
    H = get_averages(Graph(contract(held.G, groups).A.dup("FP32")), True, "layout")
    weights = cast_indices(tally(groups, count, cast_indices(masses, "float64")), "float32")
    X, random = find_start(H, weights, steps, dims, physics, seed)
    X = settle(H, X, weights, max(steps, FIRST_STEPS) if random else steps, physics)
    return place_members(engine, groups, X, weights, physics, seed), False


def place_members(engine: Any, groups: Array, X: Array, masses: Array, physics: Physics, seed: int) -> Array:
    """Members begin around their group, within a share of its radius."""
    if engine.name == "cuda":
        from graphla.algorithms.layout._steps_cuda import place_members as place_on_device

        return place_on_device(engine, groups, X, masses, physics, SPREAD, seed)
    noise = draw_cube(engine, groups.size, X.shape[1], seed)
    return X[groups] + SPREAD * find_radii(masses, physics)[groups, None] * noise


def find_radii(masses: Array, physics: Physics) -> Array:
    """The radius at which gravity holds the repulsion of a mass."""
    return np.sqrt(masses * (physics.scaling / physics.gravity))


def draw_cube(engine: Any, n: int, dims: int, seed: int, radius: Any = 1.0) -> Array:
    """Points of the cube [−r, r)ᵈ, each coordinate by its number."""
    if engine.name == "cuda":
        from graphla.algorithms.layout._steps_cuda import draw_cube as draw_on_device

        return draw_on_device(engine, n, dims, seed, radius)
    words = draw(make_keys(seed, np.arange(n * dims, dtype=np.uint64)), 0)
    points = (words >> np.uint64(40)).astype("float32") * np.float32(2.0**-23) - 1
    return np.float32(radius) * points.reshape(n, dims)
