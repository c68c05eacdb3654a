"""What communities of Louvain's method are, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.climb import Rules, apply
from graphla.algorithms.shared.communities.labels import number_by_size
from graphla.algorithms.shared.communities.level import Level, build_level
from graphla.algorithms.shared.communities.levels import verify_levels
from graphla.algorithms.shared.communities.modularity import measure
from graphla.common.errors import VerificationError
from graphla.graphs.graph import Graph
from graphla.storage.convert import expand_rows

Array = Any
LEAST = 1e-9
"""Modularity that may be rounding."""


def verify(name: str, G: Graph, labels: Array, levels: Array | None, rules: Rules) -> None:
    """Assert what communities of both problems are, but their names."""
    verify_limits(name, labels, rules)
    verify_height(name, apply(np, build_level(G), rules), labels, rules)
    verify_levels(name, labels, levels)


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


def verify_limits(name: str, labels: Array, rules: Rules) -> None:
    """Assert that no community is too large, and that fixed vertices are as they were among themselves."""
    most = rules.max_community_size
    if most is not None and np.bincount(labels).max(initial=0) > most:
        raise VerificationError(f"{name}: a community has more than max_community_size={most} vertices")
    if rules.fixed is None:
        return
    before = np.arange(labels.size) if rules.start is None else rules.start
    ends = [np.unique(each[rules.fixed]).size for each in (before, labels, before * labels.size + labels)]
    if len(set(ends)) > 1:
        raise VerificationError(f"{name}: vertices of fixed= are not together as before")


def verify_height(name: str, level: Level, labels: Array, rules: Rules) -> None:
    """Assert that the quality is at least that of the start, and that no two communities gain if joined."""
    if not level.total:
        if rules.start is None and not np.array_equal(labels, np.arange(level.n)):
            raise VerificationError(f"{name}: no arc has a weight, and vertices share a community")
        return
    start = np.arange(level.n) if rules.start is None else rules.start
    before, found = measure(np, level, start), measure(np, level, labels)
    if found < before - LEAST * max(1.0, abs(before)):
        raise VerificationError(f"{name}: the {rules.quality} is {found}, and that of the start {before}")
    if rules.finished:
        verify_joins(name, level, labels)


def verify_joins(name: str, level: Level, numbers: Array) -> None:
    """Assert that no two communities that may be joined gain by it."""
    rows, m = level.rows, level.total
    count = int(numbers.max(initial=-1)) + 1
    tails, heads = numbers[expand_rows(rows)], numbers[rows.indices]
    there = tails < heads
    cells, inverse = np.unique(tails[there].astype(np.int64) * count + heads[there], return_inverse=True)
    weight = np.bincount(inverse, rows.values[there], cells.size)
    sums = [np.bincount(numbers, side, count) for side in level.strengths.T]
    one, other = cells // max(1, count), cells % max(1, count)
    chance = (sums[0][one] * (sums[-1][other] / m) + sums[0][other] * (sums[-1][one] / m)) * level.scale
    gain = np.where(may_join(level, numbers, one, other), weight * (3 - len(sums)) / m - chance, 0.0)
    if gain.max(initial=0.0) > LEAST:
        best = int(gain.argmax())
        raise VerificationError(f"{name}: to join {one[best]} and {other[best]} would gain {gain[best]:.3g}")


def may_join(level: Level, numbers: Array, one: Array, other: Array) -> Array:
    """Whether pairs of communities may be joined: not if both have fixed vertices, or would be too large."""
    held = np.zeros(numbers.max(initial=0) + 1, bool)
    held[numbers[() if level.fixed is None else level.fixed]] = level.fixed is not None
    sizes = np.bincount(numbers)
    return ~(held[one] & held[other]) & (sizes[one] + sizes[other] <= (level.most or numbers.size))
