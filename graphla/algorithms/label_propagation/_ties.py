"""Which of equally frequent labels wins: the smallest, or the first in a random order of all vertices.

A round compares numbers, so vertices are numbered by that order while labels spread, and named again at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.random_words import draw, make_keys
from graphla.storage.convert import make_range, order_stably

Array = Any


def order_vertices(xp: Any, n: int, seed: int | None) -> tuple[Array, Array]:
    """The place of each vertex, and the vertex at each place: int32, both 0 … n − 1 without a seed."""
    places = make_range(xp, range(n), "int32")
    if seed is None:
        return places, places
    vertices = order_stably(draw(make_keys(seed, xp.arange(n, dtype=np.uint64)), 0)).astype(np.int32)
    labels = xp.empty(n, np.int32)
    labels[vertices] = places
    return labels, vertices
