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
    xp, noise = engine.xp, draw_cube(engine.xp, n, dims, seed)
    groups = louvain(held.G, seed=seed, max_levels=1).to_dense() if n > FEW else xp.zeros(0, "int32")
    count = int(groups.max()) + 1 if groups.size else n
    if count > SHRINK * n:
        return find_radii(xp, masses.sum(), physics) * noise, True
    H = get_averages(Graph(contract(held.G, groups).A.dup("FP32")), True, "layout")
    weights = xp.bincount(groups, masses, minlength=count).astype("float32")
    X, random = find_start(H, weights, steps, dims, physics, seed)
    X = settle(H, X, weights, max(steps, FIRST_STEPS) if random else steps, physics)
    return X[groups] + SPREAD * find_radii(xp, weights, physics)[groups, None] * noise, False


def find_radii(xp: Any, masses: Array, physics: Physics) -> Array:
    """The radius at which gravity holds the repulsion of a mass."""
    return xp.sqrt(masses * (physics.scaling / physics.gravity))


def draw_cube(xp: Any, n: int, dims: int, seed: int) -> Array:
    """Points of the cube [−1, 1)ᵈ, each coordinate by its number."""
    words = draw(make_keys(seed, xp.arange(n * dims, dtype=np.uint64)), 0)
    return ((words >> np.uint64(40)).astype("float32") * np.float32(2.0**-23) - 1).reshape(n, dims)
