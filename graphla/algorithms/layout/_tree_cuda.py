"""The tree on a GPU: launches of tree.cuh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.layout.physics import LEAF, Physics
from graphla.engine.cuda.records import read_struct

Array = Any
THREADS, BOX_BLOCKS = 128, 512
KERNELS = Path(__file__).with_name("tree.cuh")
TOGETHER = "find_box", "encode", "plant", "join", "walk"
WalkParameters = read_struct(KERNELS, "WalkParameters")


def count_blocks(threads: int) -> int:
    """Blocks of so many threads."""
    return -(-threads // THREADS)


def get_kernel(engine: Any, name: str, dims: int, takes: Any = None) -> Any:
    """A kernel of the tree; all of a dimension are one module."""
    together = tuple(f"{each}<{dims}>" for each in TOGETHER)
    return engine.kernel(KERNELS, f"{name}<{dims}>", takes=takes, beside=together)


def encode(engine: Any, X: Array) -> Array:
    """The keys of points in the box that holds them: int64[n]."""
    n, dims = X.shape
    keys = engine.xp.empty(n, "int64")
    blocks, box = count_blocks(n), engine.xp.zeros(2 * dims, "uint32")
    get_kernel(engine, "find_box", dims)(min(BOX_BLOCKS, blocks), THREADS, (X, np.int32(n), box))
    get_kernel(engine, "encode", dims)(blocks, THREADS, (np.int32(n), X, box, keys))
    return keys


def plant(engine: Any, keys: Array, X: Array, masses: Array, bodies: Array, nodes: Array, physics: Physics) -> None:
    """Fill the bodies and the leaves."""
    leaves = nodes.shape[0] // 2
    sizes, inverse = (np.int32(keys.size), np.int32(leaves)), np.float32(1 / physics.theta)
    kernel = get_kernel(engine, "plant", X.shape[1])
    kernel(count_blocks(leaves * LEAF), THREADS, (*sizes, keys, X, masses, bodies, nodes, inverse))


def join(engine: Any, nodes: Array, physics: Physics, dims: int) -> None:
    """Fill the nodes above the leaves, level by level."""
    kernel, first = get_kernel(engine, "join", dims), nodes.shape[0] // 4
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
    get_kernel(engine, "walk", dims, WalkParameters)(count_blocks(keys.size), THREADS, given)
    return forces
