"""The triangles of each vertex by SciPy's products, on the host: a check that shares nothing with the methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.row_blocks import split_rows
from graphla.common.errors import VerificationError

Array = Any


def verify_total(csr: Any, count: Any) -> None:
    """Assert the number of triangles."""
    expected = int(count_each(csr).sum()) // 3
    if count != expected:
        raise VerificationError(f"triangles: {count} are counted, and there are {expected}")


def verify_counts(csr: Any, counts: Array) -> None:
    """Assert the number of triangles of each vertex."""
    expected = count_each(csr)
    wrong = np.flatnonzero(counts != expected)
    if wrong.size:
        v = int(wrong[0])
        raise VerificationError(
            f"triangles: vertex {v}: {counts[v]} are counted, and there are {expected[v]} ({wrong.size} are wrong)"
        )


def count_each(csr: Any) -> Array:
    """The number of triangles of each vertex of a graph without loops.

    D has the arcs to vertices of higher degree, so that each triangle is once u → v → w with u → w. Entry (u, w) of
    D² ∘ D is the number of such v, entry (u, v) of D Dᵀ ∘ D that of such w.
    """
    D = keep_upward(csr)
    counts = np.zeros(csr.nrows, np.int64)
    for first, last in split_rows(D):
        rows = D[first:last]
        between = (rows @ D).multiply(rows)
        beyond = (rows @ D.T).multiply(rows)
        counts[first:last] += np.asarray(between.sum(axis=1)).ravel()
        counts += np.asarray(between.sum(axis=0)).ravel() + np.asarray(beyond.sum(axis=0)).ravel()
    return counts


def keep_upward(csr: Any) -> Any:
    """The arcs that lead to a vertex of higher degree, or of the same degree and a larger number."""
    from scipy.sparse import csr_array

    degrees = np.diff(csr.indptr)
    tails = np.repeat(np.arange(csr.nrows), degrees)
    heads = csr.indices
    up = (degrees[heads] > degrees[tails]) | ((degrees[heads] == degrees[tails]) & (heads > tails))
    return csr_array((np.ones(int(up.sum()), np.int64), (tails[up], heads[up])), shape=csr.shape)
