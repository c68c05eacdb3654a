"""The forest by SciPy, which is told a different weight for each edge: its place in the order. On the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.arcs import find_arcs
from graphla.common.errors import VerificationError

Array = Any


def verify(csr: Any, forest: Any, kind: str) -> None:
    """Assert that a forest has the edges of SciPy's, both ways and with their weights."""
    n = csr.nrows
    tails, heads, values = forest
    expected = find_forest(csr, kind)
    there = find_arcs(csr, tails, heads)
    check(tails, heads, there < 0, "is no edge of the graph")
    check(tails, heads, values != csr.values[there], "has another weight in the graph")
    keys = np.minimum(tails, heads).astype(np.int64) * n + np.maximum(tails, heads)
    edges, counts = np.unique(keys, return_counts=True)
    check(edges // n, edges % n, counts != 2, "is there one way only")
    extra = np.setdiff1d(edges, expected)
    check(extra // n, extra % n, np.ones(extra.size, bool), f"is not in the {kind} spanning forest")
    missing = np.setdiff1d(expected, edges)
    check(missing // n, missing % n, np.ones(missing.size, bool), f"of the {kind} spanning forest is missing")


def check(tails: Array, heads: Array, wrong: Array, what: str) -> None:
    """Raise if an edge is wrong, naming the first one."""
    places = np.flatnonzero(wrong)
    if places.size:
        u, v = tails[places[0]], heads[places[0]]
        raise VerificationError(f"spanning_forest: the edge {u} – {v} {what} ({places.size} such)")


def find_forest(csr: Any, kind: str) -> Array:
    """The edges u v of the forest with u < v, as u n + v, in their order."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    tails = np.repeat(np.arange(csr.nrows, dtype=np.int32), np.diff(csr.indptr))  # before 1.15 SciPy takes no int64
    upper = tails < csr.indices
    tails, heads, weights = tails[upper], csr.indices[upper], csr.values[upper]
    _, ranks = np.unique(weights, return_inverse=True)
    order = np.argsort(-ranks if kind == "maximum" else ranks, kind="stable")
    place = np.empty(order.size)
    place[order] = np.arange(1, order.size + 1)
    found = minimum_spanning_tree(csr_array((place, (tails, heads)), shape=csr.shape)).tocoo()
    return np.sort(found.row.astype(np.int64) * csr.nrows + found.col)
