"""The same with the sums of a round in one pass over the entering arcs, as of `pagerank`.

Source: Katz, "A New Status Index Derived from Sociometric Analysis", Psychometrika 18, 1953.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.fixed_point import Power, change_of_arrays, gatherer, iterate, start
from graphla.problem import Method


def run(G: Any, alpha: float, beta: float, s: Power) -> tuple[Any, float]:
    """The values, and how much the last round changed them."""
    gather = gatherer(G, G.csc, s)
    scale, own = G.engine.xp.asarray(alpha, s.dtype.numpy), G.engine.xp.asarray(beta, s.dtype.numpy)
    return iterate(lambda x: scale * gather(x) + own, start(G, s, 0), s, change_of_arrays)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="one pass per round over the entering arcs",
    source="Katz, 1953",
    rank=100,
)
