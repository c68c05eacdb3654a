"""The order of edges: by weight, and among those of one weight by a hash that differs for any two edges.

The hash of an edge is that of one number of 64 bits, its smaller end above its larger one, by steps that can be undone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.edge_order import rank_weights
from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs

Array = Any
FIRST, SECOND = 0x3C79AC492BA7B653, 0x1C69B3F74AC4AE35
"""The multipliers of a 64-bit hash that can be undone (P. Evensen, "Moremur", 2019)."""
OUTER_SHIFT, INNER_SHIFT = 27, 33
STEP = 0x9E3779B97F4A7C15
"""What a seed is multiplied by: the golden ratio of 64 bits."""


def make_salt(seed: int) -> np.uint64:
    """What is added to the bits of each edge."""
    return np.uint64((seed * STEP) & 0xFFFFFFFFFFFFFFFF)


def mix(x: Array) -> Array:
    """The hash of numbers of 64 bits."""
    x = (x ^ (x >> np.uint64(OUTER_SHIFT))) * np.uint64(FIRST)
    x = (x ^ (x >> np.uint64(INNER_SHIFT))) * np.uint64(SECOND)
    return x ^ (x >> np.uint64(OUTER_SHIFT))


def make_keys(xp: Any, tails: Array, heads: Array, seed: int) -> Array:
    """The hash of each edge, the same for both of its arcs: int64."""
    small, large = xp.minimum(tails, heads).astype(np.uint64), xp.maximum(tails, heads).astype(np.uint64)
    return mix((small << np.uint64(32) | large) ^ make_salt(seed)).view(np.int64)


def rank_arcs(G: Any, weights: bool, seed: int) -> Array:
    """A number for each arc that orders the edges, of a graph without loops: int64, the same for both arcs."""
    xp = G.engine.xp
    keys = make_keys(xp, find_sources_of_arcs(G), G.csr.indices, seed)
    if not weights or not G.nvals:
        return keys
    order = xp.lexsort(xp.stack([keys, rank_weights(G).astype(np.int64)]))
    ranks = xp.empty(G.nvals, np.int64)
    ranks[order] = xp.arange(G.nvals) // 2
    return ranks
