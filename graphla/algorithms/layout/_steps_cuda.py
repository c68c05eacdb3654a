"""Steps of a layout on a GPU: launches of steps.cuh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.embeddings.averages import Averages
from graphla.algorithms.layout.physics import Physics
from graphla.algorithms.layout.tree import repel
from graphla.algorithms.shared.random_words import hash_seed
from graphla.engine.cuda.blocks import make_launch

Array = Any
KERNELS = Path(__file__).with_name("steps.cuh")
MOVE_THREADS, MOVE_BLOCKS = 256, 512
"""Threads of a block, and the most blocks, whose sums each block adds up."""
TOGETHER = "draw_cube", "place_members<2>", "pull<2, int>", "move<2>"
launch = make_launch(KERNELS, TOGETHER)


def draw_cube(engine: Any, n: int, dims: int, seed: int, radius: float) -> Array:
    """Points of a cube around the origin, each coordinate by its number."""
    out = engine.xp.empty((n, dims), "float32")
    launch(engine, "draw_cube", out.size, hash_seed(seed), np.float32(radius), np.int64(out.size), out)
    return out


def place_members(
    engine: Any, groups: Array, X: Array, masses: Array, physics: Physics, share: float, seed: int
) -> Array:
    """Members begin around their group, within a share of its radius."""
    n, dims = groups.size, X.shape[1]
    out = engine.xp.empty((n, dims), "float32")
    factors = np.float32(share), np.float32(physics.scaling / physics.gravity), hash_seed(seed)
    launch(engine, f"place_members<{dims}>", out.size, groups, X, masses, *factors, np.int64(n), out)
    return out


def settle(held: Averages, X: Array, masses: Array, steps: int, physics: Physics) -> Array:
    """Move positions by some steps, in their place."""
    engine: Any = held.G.engine
    n, dims = X.shape
    xp, count, blocks = engine.xp, np.int32(n), min(MOVE_BLOCKS, -(-n // MOVE_THREADS))
    last, parts = xp.zeros(X.shape, X.dtype), xp.empty(2 * blocks, X.dtype)
    before, now = engine.asarray(np.full(1, np.inf, "float32")), xp.empty(1, "float32")
    move = engine.kernel(KERNELS, f"move<{dims}>", beside=TOGETHER)
    for _ in range(steps):
        F, product = repel(engine, X, masses, physics), held.multiply(X)
        name = f"pull<{dims}, {engine.c_type(product.indptr)}>"
        pull = engine.kernel(KERNELS, name, beside=TOGETHER)
        arrays = product.values, product.indptr, held.sums, X, last, masses
        pull(blocks, MOVE_THREADS, (*arrays, count, F, parts))
        move(blocks, MOVE_THREADS, (parts, np.int32(blocks), F, last, count, before, now, X))
        last, before, now = F, now, before
    return X
