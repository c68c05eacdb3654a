"""Edge attributes as arrays of weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat
from operator import itemgetter
from typing import Any

import numpy as np

MANY = 1 << 16
"""Edges from which it pays to read them in the order in which they lie in memory."""
EXACT = 2**53
"""Whole numbers up to this one are exact in float64."""


def read_weights(data: Callable[[], Iterable[dict[str, Any]]], name: Any, default: Any) -> Any:
    """The values of an attribute: an array of int64 or float64, None if no edge has it, or a text that says why not.

    Parameters
    ----------
    data : callable
        Returns an iterator over the attribute dictionaries of the edges.
    name : object
        The name of the attribute.
    default : object
        The value of edges without it.
    """
    if default == 1 and not any(data()):
        return None
    edges = list(data())
    if len(edges) < MANY:
        return to_array(get_all(edges, name, default), name)
    order = np.argsort(np.fromiter(map(id, edges), np.int64, len(edges)))
    found = to_array(get_all(map(edges.__getitem__, order.tolist()), name, default), name)
    if isinstance(found, np.ndarray):
        found[order] = found.copy()
    return found


def find_whole(values: Iterable[Any]) -> Any:
    """Whether each value is a whole number by its type."""
    return np.array([issubclass(kind, int | np.integer) for kind in map(type, values)], bool)


def get_all(edges: Iterable[dict[str, Any]], name: Any, default: Any) -> list[Any]:
    """The values of an attribute."""
    edges = list(edges)
    try:
        return list(map(itemgetter(name), edges))
    except KeyError:
        return list(map(dict.get, edges, repeat(name), repeat(default)))


def to_array(values: list[Any], name: Any) -> Any:
    """Numbers as int64 or float64, NaN where there is None; or a text that says why they are no weights."""
    kinds = set(map(type, values))
    hidden = type(None) in kinds
    other = [kind for kind in kinds - {type(None)} if not issubclass(kind, int | float | np.integer | np.floating)]
    if other:
        return f"weight={name!r}: values of type {other[0].__name__} are no int or float"
    whole = not hidden and all(issubclass(kind, int | np.integer) for kind in kinds)
    try:
        found = np.array(values, np.int64 if whole else np.float64)
    except OverflowError:
        return f"weight={name!r}: a whole number does not fit 64 bits"
    if not whole and int(np.isnan(found).sum()) > (values.count(None) if hidden else 0):
        return f"weight={name!r}: a value is NaN"
    return found


def require_exact(weights: Any, n: int) -> Any:
    """Weights as float64, in which sums along paths of n vertices are exact if they are whole numbers."""
    if weights.dtype.kind == "i" and weights.size:
        largest = max(abs(int(weights.max())), abs(int(weights.min())))
        if largest * max(1, n) >= EXACT:
            raise NotImplementedError(f"whole weights up to {largest}: their sums may exceed 2**53")
    return weights.astype(np.float64, copy=False)
