"""Steps of a layout by forces: X ← X + s ∘ (R(X) − L X), with the repulsion and gravity R and the Laplacian L.

Source: M. Jacomy, T. Venturini, S. Heymann, M. Bastian, "ForceAtlas2, a Continuous Graph Layout Algorithm for Handy
Network Visualization Designed for the Gephi Software", PLoS ONE 9(6), 2014: its forces, and its speeds.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.embeddings.averages import Averages
from graphla.algorithms.layout.physics import Physics
from graphla.algorithms.layout.tree import repel

Array = Any
SPEED = 0.1
"""Of the global speed the share of a vertex that does not swing."""
LONGEST = 10.0
"""The longest step of a vertex."""
RISE = 1.5
"""By how much the global speed rises in a step, at most."""


def settle(held: Averages, X: Array, masses: Array, steps: int, physics: Physics) -> Array:
    """Positions after some steps: float32[n, dims]."""
    engine, last, speed = held.G.engine, 0 * X, None
    for _ in range(steps):
        F = repel(engine, X, masses, physics)
        F += held.add_up(X)
        F -= held.sums[:, None] * X
        speed, shares = find_speeds(engine.xp, F, last, masses, speed)
        X, last = X + shares[:, None] * F, F
    return X


def find_speeds(xp: Any, F: Array, last: Array, masses: Array, before: Any) -> tuple[Any, Array]:
    """The global speed, and of each vertex the share of its force by which it moves.

    A vertex swings by |F − F′| and is drawn by |F + F′| / 2, with the force F′ of the step before.
    """
    swing, drawn, strength = measure(xp, F - last), measure(xp, F + last) / 2, measure(xp, F)
    speed = (masses * drawn).sum() / xp.maximum((masses * swing).sum(), 1e-30)
    speed = speed if before is None else xp.minimum(speed, RISE * before)
    return speed, xp.minimum(SPEED * speed / (1 + speed * xp.sqrt(swing)), LONGEST / xp.maximum(strength, 1e-30))


def measure(xp: Any, F: Array) -> Array:
    """The lengths of rows."""
    return xp.sqrt(xp.einsum("ij,ij->i", F, F))
