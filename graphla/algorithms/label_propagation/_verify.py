"""Label propagation once more, by SciPy on the host: it shares nothing with the methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.label_propagation._ties import order_vertices
from graphla.common.errors import VerificationError

Array = Any


def make_neighbours(csr: Any) -> Any:
    """A + Aᵀ with a one for each arc: how often each vertex counts for another."""
    from scipy.sparse import csr_array

    A = csr_array((np.ones(csr.nvals, np.int64), csr.indices, csr.indptr), shape=csr.shape)
    return (A + A.T).tocsr()


def propagate(neighbours: Any, labels: Array) -> Array:
    """The labels after one round: of the counts in a row the largest, and of the largest the first column."""
    from scipy.sparse import csr_array

    n = labels.size
    indicator = csr_array((np.ones(n, np.int64), labels.astype(np.int64), np.arange(n + 1)), shape=(n, n))
    counts = (neighbours @ indicator).tocsr()
    filled = np.diff(counts.indptr) > 0
    starts = counts.indptr[:-1][filled]
    if not starts.size:
        return labels.copy()
    rows = np.repeat(np.arange(starts.size), np.diff(counts.indptr)[filled])
    most = np.maximum.reduceat(counts.data, starts)
    candidates = np.where(counts.data == most[rows], counts.indices, n)
    following = labels.copy()
    following[filled] = np.minimum.reduceat(candidates, starts)
    return following


def verify(csr: Any, labels: Array, rounds: int, seed: int | None = None) -> None:
    """Assert the labels after some rounds."""
    if labels.shape != (csr.nrows,):
        raise VerificationError(f"label_propagation: labels has shape {labels.shape} for {csr.nrows} vertices")
    (expected, vertices), neighbours = order_vertices(np, csr.nrows, seed), make_neighbours(csr)
    for _ in range(rounds):
        before, expected = expected, propagate(neighbours, expected)
        if (before == expected).all():
            break
    expected = vertices[expected]
    wrong = np.flatnonzero(labels != expected)
    if wrong.size:
        at = int(wrong[0])
        raise VerificationError(
            f"label_propagation: vertex {at} has label {labels[at]} after {rounds} rounds, "
            f"and the right one is {expected[at]} ({wrong.size} differ in all)"
        )
