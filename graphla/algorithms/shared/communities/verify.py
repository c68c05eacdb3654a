"""What communities of Louvain's method are, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.labels import number_by_size
from graphla.algorithms.shared.communities.level import Level
from graphla.algorithms.shared.communities.modularity import measure
from graphla.common.errors import VerificationError
from graphla.storage.convert import expand_rows

Array = Any
LEAST = 1e-9
"""Modularity that may be rounding."""


def verify_names(name: str, labels: Array) -> None:
    """Assert that communities have numbers from 0 on, the largest first, of equal ones that of the smallest vertex."""
    wrong = np.flatnonzero((labels < 0) | (labels >= labels.size))
    if not wrong.size:
        wrong = np.flatnonzero(labels != number_by_size(np, labels))
    if wrong.size:
        v = wrong[0]
        raise VerificationError(
            f"{name}: vertex {v} has the label {labels[v]}: numbers go by size, then smallest vertex"
        )


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
        verify_joins(name, level, numbers, resolution)


def verify_joins(name: str, level: Level, numbers: Array, resolution: float) -> None:
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
        raise VerificationError(f"{name}: to join {one[best]} and {other[best]} would gain {gain[best]:.3g}")
