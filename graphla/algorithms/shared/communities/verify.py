"""What communities of Louvain's method are, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.modularity import measure
from graphla.common.errors import VerificationError
from graphla.storage.convert import expand_rows

Array = Any
LEAST = 1e-9
"""Modularity that may be rounding."""


def verify_names(name: str, labels: Array) -> None:
    """Assert that each label is the smallest vertex that has it."""
    n = labels.size
    wrong = np.flatnonzero((labels < 0) | (labels > np.arange(n)))
    if wrong.size:
        raise VerificationError(
            f"{name}: vertex {wrong[0]} has the label {labels[wrong[0]]}: neither smaller nor itself"
        )
    wrong = np.flatnonzero(labels[labels] != labels)
    if wrong.size:
        v = wrong[0]
        raise VerificationError(f"{name}: vertex {v} has the label {labels[v]}, and that vertex {labels[labels[v]]}")


def verify_height(name: str, level: Level, labels: Array, resolution: float, finished: bool) -> None:
    """Assert that the modularity is at least that of single vertices, and that no two communities gain if joined."""
    if not level.total:
        if not np.array_equal(labels, np.arange(level.n)):
            raise VerificationError(f"{name}: no arc has a weight, and vertices share a community")
        return
    _, numbers = np.unique(labels, return_inverse=True)
    single = measure(np, level, np.arange(level.n), resolution)
    found = measure(np, level, numbers, resolution)
    if found < single - LEAST:
        raise VerificationError(f"{name}: the modularity is {found}, and that of single vertices {single}")
    if finished:
        verify_joins(name, level, numbers, labels, resolution)


def verify_joins(name: str, level: Level, numbers: Array, labels: Array, resolution: float) -> None:
    """Assert that no two communities gain if joined."""
    rows, m = level.rows, level.total
    count = int(numbers.max(initial=-1)) + 1
    tails, heads = numbers[expand_rows(rows)], numbers[rows.indices]
    there = tails < heads
    cells, inverse = np.unique(tails[there].astype(np.int64) * count + heads[there], return_inverse=True)
    weight = np.bincount(inverse, rows.values[there], cells.size)
    sums = [np.bincount(numbers, side, count) / m for side in level.strengths.T]
    one, other = cells // max(1, count), cells % max(1, count)
    chance = (sums[0][one] * sums[-1][other] + sums[0][other] * sums[-1][one]) * resolution
    gain = weight * (3 - len(sums)) / m - chance
    if gain.max(initial=0.0) > LEAST:
        best = int(gain.argmax())
        names = [int(labels[numbers == each[best]][0]) for each in (one, other)]
        raise VerificationError(f"{name}: to join {names[0]} and {names[1]} would gain {gain[best]:.3g}")
