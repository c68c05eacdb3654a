"""The scores of pairs by their common neighbours and their degrees.

Of two vertices with d and e neighbours let c be the number of common ones, and s the sum of their weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Array = Any

FORMULAS: Mapping[str, Callable[[Any, Array, Array, Array], Array]] = {
    "adamic_adar": lambda xp, s, d, e: s,
    "common_neighbors": lambda xp, c, d, e: c,
    "cosine": lambda xp, c, d, e: divide(xp, c, xp.sqrt(d * e)),
    "hub_depressed": lambda xp, c, d, e: divide(xp, c, xp.maximum(d, e)),
    "jaccard": lambda xp, c, d, e: divide(xp, c, d + e - c),
    "overlap": lambda xp, c, d, e: divide(xp, c, xp.minimum(d, e)),
    "preferential_attachment": lambda xp, c, d, e: d * e,
    "resource_allocation": lambda xp, s, d, e: s,
    "sorensen": lambda xp, c, d, e: divide(xp, 2 * c, d + e),
}
"""By the name of the kind; all arrays are float64."""
KINDS = tuple(FORMULAS)
WEIGHTED = "adamic_adar", "resource_allocation"
"""Kinds in which a common neighbour of d neighbours counts 1 / log d or 1 / d."""


def divide(xp: Any, above: Array, below: Array) -> Array:
    """The quotients, 0 where both are 0."""
    return above / xp.where(below > 0, below, 1)


def weigh(xp: Any, kind: str, degrees: Array) -> Array | None:
    """What each vertex counts as a common neighbour: float64; None if 1."""
    d = degrees.astype(np.float64)
    if kind == "resource_allocation":
        return 1 / xp.maximum(d, 1)
    if kind == "adamic_adar":
        return xp.where(d > 1, 1 / xp.log(xp.maximum(d, 2)), 0)
    return None


def score(xp: Any, kind: str, common: Array, degrees: Array, tails: Array, heads: Array) -> Array:
    """The scores of the pairs from the sums over their common neighbours."""
    d = degrees.astype(np.float64)
    return FORMULAS[kind](xp, common, d[tails], d[heads])
