"""Clustering coefficients by SciPy's products, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.row_blocks import split_rows
from graphla.common.errors import VerificationError

Array = Any
ROUNDING = 1e-12


def verify_local(csr: Any, found: Array) -> None:
    """Assert the coefficient of each vertex."""
    closed, possible = count_arcs(csr)
    wrong = np.flatnonzero(~(np.abs(found - closed / np.maximum(possible, 1)) <= ROUNDING))
    if wrong.size:
        v = int(wrong[0])
        raise VerificationError(
            f"clustering: vertex {v}: {found[v]} instead of {closed[v]}/{possible[v]} ({wrong.size} are wrong)"
        )


def verify_number(csr: Any, found: float, kind: str) -> None:
    """Assert the mean of the coefficients, or the transitivity."""
    closed, possible = count_arcs(csr)
    if kind == "average":
        expected = float((closed / np.maximum(possible, 1)).mean()) if closed.size else 0.0
    else:
        expected = int(closed.sum()) / max(1, int(possible.sum()))
    if not abs(found - expected) <= ROUNDING:
        raise VerificationError(f"clustering: {kind}: {found} instead of {expected}")


def count_arcs(csr: Any) -> tuple[Array, Array]:
    """For each vertex the arcs between its neighbours, and how many there could be: row sums of (N A) ∘ N."""
    from scipy.sparse import csr_array

    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    other = tails != csr.indices
    A = csr_array((np.ones(int(other.sum()), np.int64), (tails[other], csr.indices[other])), shape=csr.shape)
    N = (A + A.T).tocsr()
    N.data[:] = 1
    closed = np.zeros(csr.nrows, np.int64)
    for first, last in split_rows(N):
        closed[first:last] = np.asarray((N[first:last] @ A).multiply(N[first:last]).sum(axis=1)).ravel()
    degrees = np.diff(N.indptr).astype(np.int64)
    return closed, degrees * (degrees - 1)
