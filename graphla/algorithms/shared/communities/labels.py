"""Labels of communities: the arrays that callers give, and the names that answers get."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.device_labels import find_device_labels
from graphla.common.arguments import show, to_array
from graphla.common.errors import DimensionMismatch
from graphla.storage.convert import tally

Array = Any


def renumber(xp: Any, labels: Array) -> tuple[Array, int]:
    """Numbers 0, 1, … for labels among 0 … n − 1, in their order: int32, and how many there are."""
    if not labels.size:
        return labels.astype(np.int32), 0
    if kernels := find_device_labels(labels):
        return kernels.renumber(labels)
    used = xp.zeros(labels.size, np.int32)
    used[labels] = 1
    numbers = xp.cumsum(used, dtype=np.int32)
    return numbers[labels] - np.int32(1), int(numbers[-1])


def name_by_smallest(xp: Any, labels: Array, count: int) -> Array:
    """For numbers 0 … count − 1 of communities the smallest vertex of each vertex's community: int32."""
    if not labels.size:
        return labels.astype(np.int32)
    if kernels := find_device_labels(labels):
        return kernels.name_by_smallest(labels, count)
    pairs = xp.sort((labels.astype(np.int64) << 32) | xp.arange(labels.size, dtype=np.int64))
    owners = (pairs >> 32).astype(np.int32)
    first = xp.searchsorted(owners, xp.arange(count, dtype=np.int32))
    return (pairs[first] & 0xFFFFFFFF).astype(np.int32)[labels]


def count_up(xp: Any, n: int) -> Array:
    """The labels 0 … n − 1: int32."""
    labels = xp.empty(n, np.int32)
    kernels = find_device_labels(labels)
    return xp.arange(n, dtype=np.int32) if kernels is None else kernels.count_up(labels)


def pick(labels: Array, held: Array) -> Array:
    """What is held for the label of each vertex: int32."""
    kernels = find_device_labels(labels)
    return held[labels] if kernels is None else kernels.pick(labels, held)


def lift(xp: Any, labels: Array, owners: Array, count: int) -> Array:
    """For each of `count` labels that of the owners of its vertices, which have one in common: int32."""
    if kernels := find_device_labels(labels):
        return kernels.lift(labels, owners, count)
    found = xp.empty(count, np.int32)
    found[labels] = labels[owners]
    return found


def to_labels(G: Any, labels: Any, name: str = "labels") -> Array:
    """The labels of a caller, a whole number for each vertex, as an array on the engine of the graph.

    Raises
    ------
    DimensionMismatch
        If they are none.
    """
    dense = hasattr(labels, "to_dense") and getattr(labels, "shape", None) == (G.n,) and labels.nvals == G.n
    array: Any = labels.to_dense() if dense else None if hasattr(labels, "to_dense") else labels
    if isinstance(array, list | tuple | range):
        array = to_array(np.asarray, array, name, DimensionMismatch)
    kinds = "iu" if G.n else "iuf"
    if getattr(array, "shape", None) != (G.n,) or getattr(getattr(array, "dtype", None), "kind", "") not in kinds:
        raise DimensionMismatch(
            f"{name}={show(labels)}: give a whole number for each of {G.n:,} vertices, as an array or a full Vector"
        )
    xp = G.engine.xp
    return xp.asarray(array.get() if xp is np and hasattr(array, "get") else array)


def number_by_size(xp: Any, labels: Array) -> Array:
    """Number communities, labels from 0 to n − 1, by size (the largest first), then smallest vertex: int32."""
    if not labels.size:
        return labels.astype(np.int32)
    numbers, count = renumber(xp, name_by_smallest(xp, *renumber(xp, labels)))
    if kernels := find_device_labels(numbers):
        return kernels.rank_by_size(numbers, count)
    smaller = labels.size - tally(numbers, count)
    order = xp.sort((smaller << 32) | xp.arange(count, dtype=np.int64)) & 0xFFFFFFFF
    rank = xp.empty(count, np.int32)
    rank[order] = xp.arange(count, dtype=np.int32)
    return rank[numbers]
