"""Steps of a layout by forces: X ← X + s ∘ (R(X) − L X), with the repulsion and gravity R and the Laplacian L.

Source: M. Jacomy, T. Venturini, S. Heymann, M. Bastian, "ForceAtlas2, a Continuous Graph Layout Algorithm for Handy
Network Visualization Designed for the Gephi Software", PLoS ONE 9(6), 2014: its forces, and its speeds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.embeddings.averages import Averages
from graphla.algorithms.layout.physics import Physics
from graphla.algorithms.layout.tree import repel

Array = Any
SPEED = 0.1
"""Of the global speed the share of a vertex that does not swing."""
LONGEST = 10.0
"""The longest step of a vertex."""
LEAST = 1e-30
"""What lengths that divide are at least."""
RISE = 1.5
"""By how much the global speed rises in a step, at most."""


def settle(held: Averages, X: Array, masses: Array, steps: int, physics: Physics) -> Array:
    """Positions after some steps: float32[n, dims]. On a GPU they move in their place."""
    engine = held.G.engine
    if engine.name == "cuda":
        from graphla.algorithms.layout._steps_cuda import settle as settle_on_device

        return settle_on_device(held, X, masses, steps, physics)
    from graphla.algorithms.layout._tree_cpu import foresee_steps

    foresee_steps(steps, X.shape[0])
    last, speed = 0 * X, None
    for _ in range(steps):
        F = repel(engine, X, masses, physics)
        F += held.add_up(X)
        F -= held.sums[:, None] * X
        speed, shares = find_speeds(F, last, masses, speed)
        X, last = X + shares[:, None] * F, F
    return X


def find_speeds(F: Array, last: Array, masses: Array, before: Any) -> tuple[Any, Array]:
    """The global speed, and of each vertex the share of its force by which it moves.

    A vertex swings by |F − F′| and is drawn by |F + F′| / 2, with the force F′ of the step before.
    """
    swing, drawn, strength = measure(F - last), measure(F + last) / 2, measure(F)
    speed = (masses * drawn).sum() / np.maximum((masses * swing).sum(), LEAST)
    speed = speed if before is None else np.minimum(speed, RISE * before)
    return speed, np.minimum(SPEED * speed / (1 + speed * np.sqrt(swing)), LONGEST / np.maximum(strength, LEAST))


def measure(F: Array) -> Array:
    """The lengths of rows."""
    return np.sqrt(np.einsum("ij,ij->i", F, F))
