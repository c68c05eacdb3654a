"""How cells are added and multiplied, chosen by the type of a rule when a kernel is compiled.

The rule of min_plus is None, or the limits at which sums saturate: see `_blocked.add`. Others are the tuples below.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from graphla.algorithms.apsp.blocked_cpu import add
from graphla.algorithms.apsp.elimination.arithmetic import MaxMin, MaxTimes


def plus(x: Any, y: Any, rule: Any) -> Any:
    """Return x ⊕ y."""
    return max(x, y) if isinstance(rule, MaxMin | MaxTimes) else min(x, y)


def times(a: Any, x: Any, rule: Any) -> Any:
    """Return a ⊗ x."""
    if isinstance(rule, MaxTimes):
        return a * x if a >= 0 and x >= 0 else rule.zero
    return min(a, x) if isinstance(rule, MaxMin) else add(a, x, rule)


def plus_each(x: Any, y: Any, rule: Any) -> Any:
    """Return x ⊕ y of arrays."""
    return np.where(y > x if isinstance(rule, MaxMin | MaxTimes) else y < x, y, x)


def times_each(a: Any, x: Any, rule: Any) -> Any:
    """Return a ⊗ x of arrays."""
    if isinstance(rule, MaxTimes):
        return np.where((a >= 0) & (x >= 0), a * x, rule.zero)
    if isinstance(rule, MaxMin):
        return np.where(x < a, x, a)
    if rule is None:
        return a + x
    lowest, infinity = rule
    floor, room = lowest - np.minimum(a, 0), infinity - np.maximum(a, 0)
    return np.where((x == infinity) | (a == infinity), infinity, np.minimum(np.maximum(x, floor), room) + a)


@overload(plus)
def _compile_plus(x, y, rule):  # type: ignore[no-untyped-def]
    if find_class(rule) in (MaxMin, MaxTimes):
        return lambda x, y, rule: max(x, y)
    return lambda x, y, rule: min(x, y)


@overload(times)
def _compile_times(a, x, rule):  # type: ignore[no-untyped-def]
    if find_class(rule) is MaxMin:
        return lambda a, x, rule: min(a, x)
    if find_class(rule) is MaxTimes:
        return lambda a, x, rule: a * x if a >= 0 and x >= 0 else rule.zero
    return lambda a, x, rule: add(a, x, rule)


def find_class(rule: Any) -> Any:
    """Return the class of a rule from its type in Numba; None of limits."""
    return getattr(rule, "instance_class", None)
