"""The tree of a small layout as NumPy plants and walks it: the twins of the kernels, which compute the same bits.

Every sum is added up in the order of the kernel: `np.add.accumulate` adds number after number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.layout.physics import CODE_BITS, LEAF, NUMBER_BITS, NUMBER_MASK, SOFT

Array = Any
Axes = tuple[int, ...]
SOFTENED, ZERO, LEAST = np.float32(SOFT), np.float32(0), np.float32(1e-30)


def encode(first: int, last: int, axes: Axes, X: Array, low: Array, scale: Any, keys: Array) -> None:
    """The place of each point along Hilbert's curve, above its number."""
    bits = CODE_BITS // len(axes)
    cells = np.minimum(((X[first:last] - low) * scale).astype(np.int64), (1 << bits) - 1)
    keys[first:last] = find_places(list(np.ascontiguousarray(cells.T)), bits) << NUMBER_BITS | np.arange(first, last)


def find_places(cells: list[Array], bits: int) -> Array:
    """The places of cells along Hilbert's curve, of which each axis has an array; these are overwritten."""
    for bit in range(bits - 1, 0, -1):
        below = (1 << bit) - 1
        cells[0] ^= -(cells[0] >> bit & 1) & below
        for cell in cells[1:]:
            flip = -(cell >> bit & 1) & below
            swap = (cells[0] ^ cell) & (flip ^ below)
            cells[0] ^= flip | swap
            cell ^= swap
    for axis in range(1, len(cells)):
        cells[axis] ^= cells[axis - 1]
    flip = cells[-1] >> 1
    for step in (1, 2, 4, 8):  # the parity of what stands above each bit
        flip ^= flip >> step
    places = np.arange(bits)
    shifts = places * len(cells) + np.arange(len(cells) - 1, -1, -1)[:, None, None]
    return (((np.stack(cells) ^ flip)[:, :, None] >> places & 1) << shifts).sum(axis=(0, 2))


def add_up(numbers: Array) -> Array:
    """The sums along the second axis, number after number from zero on."""
    return np.add.accumulate(numbers, axis=1)[:, -1] + ZERO


def plant(
    first: int, last: int, axes: Axes, keys: Array, X: Array, masses: Array, bodies: Array, nodes: Array, inverse: Any
) -> None:
    """Gather the bodies of some leaves, and their moments and boxes; bodies beyond the last have no mass."""
    dims, leaves = len(axes), nodes.shape[0] // 2
    begin, end = first * LEAF, max(first * LEAF, min(last * LEAF, keys.size))
    found, some = keys[begin:end] & NUMBER_MASK, bodies[begin : last * LEAF]
    some[...] = ZERO
    some[: end - begin, :dims], some[: end - begin, dims] = X[found], masses[found]
    held, there = some.reshape(-1, LEAF, dims + 1), np.arange(begin, last * LEAF).reshape(-1, LEAF, 1) < end
    node, mass, x = nodes[leaves + first : leaves + last], held[:, :, dims:], held[:, :, :dims]
    node[:, dims] = add_up(mass)[:, 0]
    node[:, :dims] = add_up(mass * x) / np.maximum(node[:, dims : dims + 1], LEAST)
    node[:, dims + 2 : 2 * dims + 2] = np.where(there, x, np.float32(np.inf)).min(axis=1)
    node[:, 2 * dims + 2 :] = np.where(there, x, np.float32(-np.inf)).max(axis=1)
    summarize(axes, node, inverse)


def summarize(axes: Axes, nodes: Array, inverse: Any) -> None:
    """Set the square of the distance from which each node is one body, by its centre and its box."""
    dims = len(axes)
    centre, low, high = nodes[:, :dims], nodes[:, dims + 2 : 2 * dims + 2], nodes[:, 2 * dims + 2 :]
    reach = np.maximum(centre - low, high - centre) * inverse
    nodes[:, dims + 1] = add_up(reach * reach)


def join(axes: Axes, nodes: Array, inverse: Any) -> None:
    """The union of each pair of nodes, a level at a time."""
    dims, level = len(axes), nodes.shape[0] // 4
    low, high = slice(dims + 2, 2 * dims + 2), slice(2 * dims + 2, None)
    while level:
        node, below = nodes[level : 2 * level], nodes[2 * level : 4 * level]
        left, right = below[::2], below[1::2]
        a, b = left[:, dims : dims + 1], right[:, dims : dims + 1]
        node[:, dims : dims + 1] = a + b
        node[:, :dims] = (a * left[:, :dims] + b * right[:, :dims]) / np.maximum(a + b, LEAST)
        node[:, low], node[:, high] = np.minimum(left[:, low], right[:, low]), np.maximum(left[:, high], right[:, high])
        summarize(axes, node, inverse)
        level //= 2


def walk(
    first: int,
    last: int,
    axes: Axes,
    keys: Array,
    bodies: Array,
    nodes: Array,
    scaling: Any,
    gravity: Any,
    forces: Array,
) -> None:
    """The forces on the bodies of some leaves, written to their vertices."""
    leaves, dims = nodes.shape[0] // 2, len(axes)
    held, inside = np.concatenate((nodes[:, : dims + 1], bodies)), (nodes[:, dims] > ZERO).tolist()
    for leaf in range(first, min(last, -(-keys.size // LEAF))):
        mine, count = bodies[leaf * LEAF : (leaf + 1) * LEAF], min(LEAF, keys.size - leaf * LEAF)
        x = mine[:, :dims].T
        sources = held[list_sources(find_far(axes, nodes, nodes[leaves + leaf]), inside, leaves)]
        total = push_apart(axes, x, sources)
        pushed = mine[:, dims] * (scaling * total - gravity * x)
        forces[keys[leaf * LEAF : leaf * LEAF + count] & NUMBER_MASK] = pushed.T[:count]


def find_far(axes: Axes, nodes: Array, box: Array) -> list[bool]:
    """Whether each node is one body to the bodies in a box."""
    dims = len(axes)
    centre = nodes[:, :dims]
    gap = np.maximum(np.maximum(box[dims + 2 : 2 * dims + 2] - centre, centre - box[2 * dims + 2 :]), ZERO)
    return (add_up(gap * gap) > nodes[:, dims + 1]).tolist()


def list_sources(far: list[bool], inside: list[bool], leaves: int) -> list[int]:
    """What pushes a leaf in the order of the tree: numbers of nodes, and above these of bodies."""
    found, j = list[int](), 1
    while True:
        if inside[j] and far[j]:
            found.append(j)
        elif inside[j] and j < leaves:
            j *= 2
            continue
        elif inside[j]:
            begin = 2 * leaves + (j - leaves) * LEAF
            found.extend(range(begin, begin + LEAF))
        j += 1
        while not j & 1:
            j >>= 1
        if j == 1:
            return found


def push_apart(axes: Axes, x: Array, sources: Array) -> Array:
    """The repulsion of some sources, one after the other, on all bodies of a leaf."""
    dims = len(axes)
    away = x[:, None, :] - sources[:, :dims].T[:, :, None]
    square = SOFTENED + away[0] * away[0]
    for axis in axes[1:]:
        square += away[axis] * away[axis]
    return add_up(sources[:, dims, None] / square * away)
