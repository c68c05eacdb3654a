"""The three rules by which Graphalytics compares an answer with the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any
Rule = Callable[[Array, Array], Array]
EPSILON = 1e-4
"""The relative error that a number may have."""


def differ_at_all(found: Array, expected: Array) -> Array:
    """Exact match: where two answers differ."""
    return found != expected


def differ_by_epsilon(found: Array, expected: Array) -> Array:
    """Epsilon match: where an answer is off by more than 0.01 % of the right one; infinity equals infinity alone."""
    finite = np.isfinite(found) & np.isfinite(expected)
    off = np.abs(np.where(finite, found - np.where(finite, expected, 0), 0))
    close = off <= EPSILON * np.abs(np.where(finite, expected, 0))
    return ~np.where(finite, close, found == expected)


def differ_as_partitions(found: Array, expected: Array) -> Array:
    """Equivalence match: where no one-to-one map takes the labels of one answer to those of the other."""
    return ~(maps_to_one(found, expected) & maps_to_one(expected, found))


def maps_to_one(labels: Array, others: Array) -> Array:
    """Whether the label of each vertex stands for the same other label as at the first vertex that has it."""
    _, first, places = np.unique(labels, return_index=True, return_inverse=True)
    return others == others[first[places]]
