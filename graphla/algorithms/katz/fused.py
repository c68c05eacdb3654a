"""The same with the sums of a round in one pass over the entering arcs, as of `pagerank`.

Source: Katz, "A New Status Index Derived from Sociometric Analysis", Psychometrika 18, 1953.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.katz.settings import Settings
from graphla.algorithms.shared.fixed_point import change_of_arrays, gatherer, iterate, start
from graphla.algorithms.shared.weight_range import find_unit, scale_all
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any, float]:
    """The values, and how much the last round changed them."""
    alpha, beta = s.alpha, s.beta
    unit = find_unit(G, s.dtype) if s.weighted else 1.0
    gather = gatherer(G, (scale_all(G, s.dtype) if s.weighted else G).csc, s)
    with np.errstate(over="ignore"):
        scale, own = (G.engine.xp.asarray(np.float64(each).astype(s.dtype.numpy)) for each in (alpha * unit, beta))
    return iterate(lambda x: scale * gather(x) + own, start(G, s, 0), s, change_of_arrays)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="one pass per round over the entering arcs",
    source="Katz, 1953",
    rank=100,
)
