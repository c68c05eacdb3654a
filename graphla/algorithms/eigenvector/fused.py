"""The same with the sums of a round in one pass over the entering arcs, as of `pagerank`.

Source: von Mises, Pollaczek-Geiringer, "Praktische Verfahren der Gleichungsauflösung", ZAMM 9, 1929.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.eigenvector.shift import make_step, scale
from graphla.algorithms.shared.fixed_point import Power, change_of_arrays, gatherer, iterate, start
from graphla.problem import Method


def run(G: Any, s: Power) -> tuple[Any, float]:
    """The values, and how much the last round changed them."""
    x, xp = start(G, s, 1 / max(1, G.n) ** 0.5), G.engine.xp
    if not G.n:
        return x, 0.0
    H, unit = scale(G, s)

    def measure(y: Any) -> Any:
        return np.sqrt(np.float64(float(xp.square(y, dtype="float64").sum())))

    return iterate(make_step(gatherer(H, H.csc, s), measure, unit, unit), x, s, change_of_arrays, swings=True)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="one pass per round over the entering arcs",
    source="von Mises, Pollaczek-Geiringer, 1929",
    rank=100,
)
