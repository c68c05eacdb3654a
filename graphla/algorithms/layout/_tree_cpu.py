"""The tree on every core: a thread plants some leaves, and walks for them. `axes` tells the compiler the dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from graphla.algorithms.layout import _tree_plain as plain
from graphla.algorithms.layout.physics import CODE_BITS, LEAF, NUMBER_BITS, NUMBER_MASK, SOFT, Physics
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late, foresee
from graphla.engine.cpu.threads import count_workers, run_for_each

Array = Any
SHARES = 8
"""Pieces of work for each thread: leaves differ."""
POINTS, LEAVES, WALKS = 4096, 128, 4
"""Points to encode, leaves to plant and leaves that walk below which a second thread costs more than it saves."""
SOFTENED, ZERO, LEAST = np.float32(SOFT), np.float32(0), np.float32(1e-30)


@inner()
def find_place(axes, cell, bits):  # type: ignore[no-untyped-def]
    """The place of a cell along Hilbert's curve; the cell is overwritten."""
    last = len(axes) - 1
    for bit in range(bits - 1, 0, -1):  # undo the turns of the cubes that hold it, from the largest
        below = (1 << bit) - 1
        for axis in range(len(axes)):
            flip = below if cell[axis] >> bit & 1 else 0
            swap = 0 if flip else (cell[0] ^ cell[axis]) & below
            cell[0] ^= flip | swap
            cell[axis] ^= swap
    for axis in range(1, len(axes)):
        cell[axis] ^= cell[axis - 1]
    flip, code = 0, np.int64(0)
    for bit in range(bits - 1, 0, -1):
        flip ^= (1 << bit) - 1 if cell[last] >> bit & 1 else 0
    for bit in range(bits):
        for axis in range(len(axes)):
            code |= ((cell[axis] ^ flip) >> bit & 1) << (bit * len(axes) + last - axis)
    return code


@compile_late(0.25, lambda first, last, *_: 130 + 0.3 * (last - first))
def _encode(first, last, axes, X, low, scale, keys):  # type: ignore[no-untyped-def]
    """The place of each point along Hilbert's curve, above its number."""
    bits, cell = CODE_BITS // len(axes), np.empty(len(axes), np.int64)
    for v in range(first, last):
        for axis in range(len(axes)):
            cell[axis] = min(np.int64((X[v, axis] - low[axis]) * scale), np.int64((1 << bits) - 1))
        keys[v] = find_place(axes, cell, bits) << NUMBER_BITS | v


@inner()
def summarize(axes, node, inverse):  # type: ignore[no-untyped-def]
    """Set the square of the distance from which a node is one body, by its centre and its box."""
    dims = len(axes)
    total = ZERO
    for axis in range(len(axes)):
        centre = node[axis]
        reach = max(centre - node[dims + 2 + axis], node[2 * dims + 2 + axis] - centre) * inverse
        total += reach * reach
    node[dims + 1] = total


@compile_late(0.25, lambda first, last, *_: 150 + 3 * (last - first))
def _plant(first, last, axes, keys, X, masses, bodies, nodes, inverse):  # type: ignore[no-untyped-def]
    """Gather the bodies of some leaves, and their moments and boxes; bodies beyond the last have no mass."""
    dims, leaves = len(axes), nodes.shape[0] // 2
    for leaf in range(first, last):
        node = nodes[leaves + leaf]
        node[dims] = ZERO
        for axis in range(len(axes)):
            node[axis], node[dims + 2 + axis], node[2 * dims + 2 + axis] = ZERO, np.inf, -np.inf
        for body in range(leaf * LEAF, (leaf + 1) * LEAF):
            if body >= keys.size:
                for axis in range(len(axes) + 1):
                    bodies[body, axis] = ZERO
                continue
            v = keys[body] & NUMBER_MASK
            mass = masses[v]
            bodies[body, dims] = mass
            node[dims] += mass
            for axis in range(len(axes)):
                x = X[v, axis]
                bodies[body, axis] = x
                node[axis] += mass * x
                node[dims + 2 + axis] = min(node[dims + 2 + axis], x)
                node[2 * dims + 2 + axis] = max(node[2 * dims + 2 + axis], x)
        for axis in range(len(axes)):
            node[axis] /= max(node[dims], LEAST)
        summarize(axes, node, inverse)


@compile_late(0.1, lambda axes, nodes, inverse: 60 * math.log2(nodes.shape[0]) + 0.2 * nodes.shape[0])
def _join(axes, nodes, inverse):  # type: ignore[no-untyped-def]
    """The union of each pair of nodes, from the leaves to the root."""
    dims = len(axes)
    for j in range(nodes.shape[0] // 2 - 1, 0, -1):
        node, left, right = nodes[j], nodes[2 * j], nodes[2 * j + 1]
        node[dims] = left[dims] + right[dims]
        for axis in range(len(axes)):
            node[axis] = (left[dims] * left[axis] + right[dims] * right[axis]) / max(node[dims], LEAST)
            node[dims + 2 + axis] = min(left[dims + 2 + axis], right[dims + 2 + axis])
            node[2 * dims + 2 + axis] = max(left[2 * dims + 2 + axis], right[2 * dims + 2 + axis])
        summarize(axes, node, inverse)


@inner()
def push_apart(axes, x, total, source, begin, end):  # type: ignore[no-untyped-def]
    """Add the repulsion of some sources on all bodies of a leaf."""
    for j in range(begin, end):
        mass = source[j, len(axes)]
        for lane in range(LEAF):
            square = SOFTENED
            for axis in range(len(axes)):
                square += (x[axis * LEAF + lane] - source[j, axis]) * (x[axis * LEAF + lane] - source[j, axis])
            share = mass / square
            for axis in range(len(axes)):
                total[axis * LEAF + lane] += share * (x[axis * LEAF + lane] - source[j, axis])


@inner()
def is_far(axes, node, box):  # type: ignore[no-untyped-def]
    """Whether a node is one body to the bodies in a box."""
    dims = len(axes)
    square = ZERO
    for axis in range(len(axes)):
        gap = max(box[dims + 2 + axis] - node[axis], node[axis] - box[2 * dims + 2 + axis], ZERO)
        square += gap * gap
    return square > node[dims + 1]


def measure_walk(first, last, axes, keys, bodies, nodes, *_):  # type: ignore[no-untyped-def]
    """The microseconds, about, that NumPy takes for some leaves."""
    return (last - first) * (100 + 60 * math.log2(nodes.shape[0]) + 0.1 * nodes.shape[0])


@compile_late(0.45, measure_walk)
def _walk(first, last, axes, keys, bodies, nodes, scaling, gravity, forces):  # type: ignore[no-untyped-def]
    """The forces on the bodies of some leaves, written to their vertices."""
    leaves, dims = nodes.shape[0] // 2, len(axes)
    x, total = np.empty(dims * LEAF, np.float32), np.empty(dims * LEAF, np.float32)
    for leaf in range(first, min(last, (keys.size + LEAF - 1) // LEAF)):
        for lane in range(LEAF):
            for axis in range(len(axes)):
                x[axis * LEAF + lane], total[axis * LEAF + lane] = bodies[leaf * LEAF + lane, axis], ZERO
        j = 1
        while True:
            inside = nodes[j, dims] > ZERO
            if inside and is_far(axes, nodes[j], nodes[leaves + leaf]):
                push_apart(axes, x, total, nodes, j, j + 1)
            elif inside and j < leaves:
                j *= 2
                continue
            elif inside:
                push_apart(axes, x, total, bodies, (j - leaves) * LEAF, (j - leaves + 1) * LEAF)
            j += 1
            while not j & 1:
                j >>= 1
            if j == 1:
                break
        for lane in range(min(LEAF, keys.size - leaf * LEAF)):
            mass, v = bodies[leaf * LEAF + lane, dims], keys[leaf * LEAF + lane] & NUMBER_MASK
            for axis in range(len(axes)):
                forces[v, axis] = mass * (scaling * total[axis * LEAF + lane] - gravity * x[axis * LEAF + lane])


for kernel, twin in ((_encode, plain.encode), (_plant, plain.plant), (_join, plain.join), (_walk, plain.walk)):
    kernel.in_python = twin  # type: ignore[attr-defined]


def foresee_steps(steps: int, n: int) -> None:
    """Compile at once what takes longer in so many steps if it is interpreted."""
    leaves = -(-n // LEAF)
    foresee(_walk, steps * leaves * (100 + 60 * math.log2(2 * leaves) + 0.2 * leaves))


def run_over(kernel: Callable[..., Any], size: int, least: int, *args: Any) -> None:
    """Call a kernel for ranges of `size` on every core, of which none is shorter than is worth a thread."""
    pieces = max(1, min(size // least, SHARES * count_workers()))
    edges = [size * part // pieces for part in range(pieces + 1)]
    run_for_each(lambda piece: kernel(*piece, *args), list(pairwise(edges)))


def encode(engine: Any, X: Array) -> Array:
    """The keys of points in the box that holds them: int64[n]."""
    columns = np.ascontiguousarray(X.T)
    low = columns.min(axis=1)
    cells = 1 << CODE_BITS // X.shape[1]
    scale = cells / np.maximum((columns.max(axis=1) - low).max(), SOFT)
    keys = np.empty(X.shape[0], np.int64)
    run_over(_encode, X.shape[0], POINTS, tuple(range(X.shape[1])), X, low, scale, keys)
    return keys


def plant(engine: Any, keys: Array, X: Array, masses: Array, bodies: Array, nodes: Array, physics: Physics) -> None:
    """Fill the bodies and the leaves."""
    inverse = np.float32(1 / physics.theta)
    run_over(_plant, nodes.shape[0] // 2, LEAVES, tuple(range(X.shape[1])), keys, X, masses, bodies, nodes, inverse)


def join(engine: Any, nodes: Array, physics: Physics, dims: int) -> None:
    """Fill the nodes above the leaves."""
    _join(tuple(range(dims)), nodes, np.float32(1 / physics.theta))


def walk(engine: Any, keys: Array, bodies: Array, nodes: Array, physics: Physics) -> Array:
    """The forces on all vertices."""
    forces = np.empty((keys.size, bodies.shape[1] - 1), np.float32)
    factors = np.float32(physics.scaling), np.float32(physics.gravity)
    run_over(_walk, nodes.shape[0] // 2, WALKS, tuple(range(forces.shape[1])), keys, bodies, nodes, *factors, forces)
    return forces
