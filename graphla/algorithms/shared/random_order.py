"""Priorities: a vertex with few neighbours goes before one with many; within a class a hash of its number decides.

The class of a vertex of degree d is 254 a / (a + d), rounded down, where a is the average degree and one more. Below it
stand 24 bits of a hash, and of vertices that agree in all these the larger one goes first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
CLASSES, HASH_BITS = 254, 24
HASH_FIRST, HASH_SECOND = 0x7FEB352D, 0x846CA68B
"""The multipliers of a 32-bit hash with little bias (C. Wellons, "Prospecting for Hash Functions", 2018)."""


def find_average(G: Any) -> int:
    """The average degree, rounded down, and one more."""
    return G.nvals // max(1, G.n) + 1


def make_priorities(G: Any, seed: int) -> Array:
    """The priority of each vertex above its number: int64 of shape (n,), all different."""
    xp, average = G.engine.xp, find_average(G)
    vertices = xp.arange(G.n, dtype=np.int64)
    classes = CLASSES * average // (average + G.degrees.astype(np.int64))
    hashed = (mix(xp, vertices.astype(np.uint32), seed) >> np.uint32(32 - HASH_BITS)).astype(np.int64)
    return ((classes << HASH_BITS | hashed) << 31) | vertices


def mix(xp: Any, x: Array, seed: int) -> Array:
    """The hash of numbers of 32 bits, with a seed."""
    x = x ^ np.uint32(seed & 0xFFFFFFFF)
    for shift, factor in ((16, HASH_FIRST), (15, HASH_SECOND)):
        x = (x ^ (x >> np.uint32(shift))) * np.uint32(factor)
    return x ^ (x >> np.uint32(16))
