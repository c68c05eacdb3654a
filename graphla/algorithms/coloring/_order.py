"""Priorities: a vertex with many neighbours goes before one with few; among about as many a hash decides.

The class of a vertex grows with its degree d: it is d itself below 128, and then the first seven bits of d count. Below
the class stand 20 bits of a hash, and of vertices that agree in all these the one of the larger number goes first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.random_order import mix

Array = Any
FRACTION_BITS, HASH_BITS = 6, 20


def make_priorities(G: Any, seed: int) -> Array:
    """The priority of each vertex above its number: int64, all different."""
    xp = G.engine.xp
    vertices = xp.arange(G.n, dtype=np.int64)
    hashed = mix(xp, vertices.astype(np.uint32), seed) >> np.uint32(32 - HASH_BITS)
    classes = classify(xp, G.degrees).astype(np.int64)
    return (classes << HASH_BITS | hashed.astype(np.int64)) << 31 | vertices


def classify(xp: Any, degrees: Array) -> Array:
    """The class of each degree."""
    length = xp.frexp(xp.maximum(degrees, 1).astype(np.float64))[1]
    shift = xp.maximum(length - 1 - FRACTION_BITS, 0)
    return (shift << FRACTION_BITS) + (degrees >> shift)


def get_vertices(priorities: Array) -> Array:
    """The numbers that stand below priorities."""
    return (priorities & np.int64((1 << 31) - 1)).astype(np.int32)
