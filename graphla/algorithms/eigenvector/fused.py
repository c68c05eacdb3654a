"""The same with the sums of a round in one pass over the entering arcs, as of `pagerank`.

Source: von Mises, Pollaczek-Geiringer, "Praktische Verfahren der Gleichungsauflösung", ZAMM 9, 1929.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.fixed_point import Power, change_of_arrays, gatherer, iterate, start
from graphla.problem import Method


def run(G: Any, s: Power) -> tuple[Any, float]:
    """The values, and how much the last round changed them."""
    gather, xp = gatherer(G, G.csc, s), G.engine.xp

    def step(x: Any) -> Any:
        y = gather(x) + x
        norm = xp.sqrt((y * y).sum(dtype="float64"))
        return (y / xp.where(norm > 0, norm, 1)).astype(x.dtype)

    return iterate(step, start(G, s, 1 / max(1, G.n) ** 0.5), s, change_of_arrays)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="one pass per round over the entering arcs",
    source="von Mises, Pollaczek-Geiringer, 1929",
    rank=100,
)
