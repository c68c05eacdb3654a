"""The tree on a GPU: launches of tree.cuh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.layout.physics import LEAF, Physics
from graphla.engine.cuda.records import read_struct

Array = Any
THREADS = 128
KERNELS = Path(__file__).with_name("tree.cuh")
WalkParameters = read_struct(KERNELS, "WalkParameters")


def count_blocks(threads: int) -> int:
    """Blocks of so many threads."""
    return -(-threads // THREADS)


def encode(engine: Any, X: Array, low: Array, scale: Array) -> Array:
    """The keys of points: int64[n]."""
    n, dims = X.shape
    keys = engine.xp.empty(n, "int64")
    engine.kernel(KERNELS, f"encode<{dims}>")(count_blocks(n), THREADS, (np.int32(n), X, low, scale.reshape(1), keys))
    return keys


def plant(engine: Any, keys: Array, X: Array, masses: Array, bodies: Array, nodes: Array, physics: Physics) -> None:
    """Fill the bodies and the leaves."""
    leaves = nodes.shape[0] // 2
    sizes, inverse = (np.int32(keys.size), np.int32(leaves)), np.float32(1 / physics.theta)
    kernel = engine.kernel(KERNELS, f"plant<{X.shape[1]}>")
    kernel(count_blocks(leaves * LEAF), THREADS, (*sizes, keys, X, masses, bodies, nodes, inverse))


def join(engine: Any, nodes: Array, physics: Physics, dims: int) -> None:
    """Fill the nodes above the leaves, level by level."""
    kernel, first = engine.kernel(KERNELS, f"join<{dims}>"), nodes.shape[0] // 4
    while first:
        kernel(count_blocks(first), THREADS, (np.int32(first), nodes, np.float32(1 / physics.theta)))
        first //= 2


def walk(engine: Any, keys: Array, bodies: Array, nodes: Array, physics: Physics) -> Array:
    """The forces on all vertices."""
    dims = bodies.shape[1] - 1
    forces = engine.xp.empty((keys.size, dims), "float32")
    given = WalkParameters(
        n=keys.size,
        leaves=nodes.shape[0] // 2,
        keys=keys,
        bodies=bodies,
        nodes=nodes,
        scaling=physics.scaling,
        gravity=physics.gravity,
        forces=forces,
    )
    engine.kernel(KERNELS, f"walk<{dims}>", takes=WalkParameters)(count_blocks(keys.size), THREADS, given)
    return forces
