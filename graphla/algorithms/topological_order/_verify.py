"""The definition, arc by arc, in NumPy on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any


def verify(csr: Any, order: Array, levels: Array | None) -> None:
    """Assert that the order has each vertex once, and that no arc leads back."""
    place = np.full(csr.nrows, -1)
    inside = (order >= 0) & (order < csr.nrows)
    place[order[inside].astype(int)] = np.flatnonzero(inside)
    missing = np.flatnonzero(place < 0)
    if missing.size:
        raise VerificationError(f"topological_order: vertex {missing[0]} does not occur in the order")
    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    back = np.flatnonzero(place[tails] >= place[csr.indices])
    if back.size:
        u, v = tails[back[0]], csr.indices[back[0]]
        raise VerificationError(
            f"topological_order: the arc {u} → {v} leads from place {place[u]} to {place[v]} ({back.size} lead back)"
        )
    if levels is not None:
        check_levels(csr, tails, order, levels)


def check_levels(csr: Any, tails: Array, order: Array, levels: Array) -> None:
    """Assert that each level is one more than the greatest of its predecessors, and that the order is by levels."""
    longest = np.full(csr.nrows, -1)
    np.maximum.at(longest, csr.indices, levels[tails])
    wrong = np.flatnonzero(levels != longest + 1)
    if wrong.size:
        v = wrong[0]
        raise VerificationError(f"topological_order: vertex {v} has level {levels[v]}, and {longest[v] + 1} is right")
    expected = np.lexsort((np.arange(csr.nrows), levels))
    wrong = np.flatnonzero(order != expected)
    if wrong.size:
        k = wrong[0]
        raise VerificationError(f"topological_order: {order[k]} has place {k}, where by levels {expected[k]} stands")
