"""Components by number: 0, 1, … in the order of their first arcs."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs
from graphla.storage.convert import make_range, order_stably, scatter

Array = Any


def number_arcs(G: Any, label: Array, place: Array) -> Array:
    """The number of each arc, if it belongs to what is `label` of its end of the greater `place`."""
    xp, tails, heads = G.engine.xp, find_sources_of_arcs(G), G.csr.indices
    labels = xp.where(place[tails] > place[heads], label[tails], label[heads])
    _, first, inverse = xp.unique(labels, return_index=True, return_inverse=True)
    return number_by_first(xp, first)[inverse]


def number_by_first(xp: Any, first: Array) -> Array:
    """The number of each component, given where its first arc is."""
    numbers = xp.empty(first.size, "int32")
    scatter(numbers, order_stably(first), make_range(xp, range(first.size), "int32"))
    return numbers
