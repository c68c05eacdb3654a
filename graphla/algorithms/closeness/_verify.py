"""Closeness from SciPy's distances, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.closeness.settings import Settings
from graphla.common.errors import VerificationError

Array = Any
TOLERANCE = 1e-9


def verify(csr: Any, found: Array, s: Settings) -> None:
    """Assert that the sources, and no others, have their centrality."""
    expected = compute(csr, s)
    wrong = np.flatnonzero(~np.isclose(found, expected, rtol=TOLERANCE, atol=0, equal_nan=True))
    if wrong.size:
        at = int(wrong[0])
        raise VerificationError(
            f"closeness: vertex {at} has {found[at]:.12g} instead of {expected[at]:.12g} ({wrong.size:,} differ)"
        )


def compute(csr: Any, s: Settings) -> Any:
    """What is right; NaN where nothing was asked for."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    lengths = csr.values.astype(np.float64) if s.weighted else np.ones(csr.nvals)
    A = csr_array((lengths, csr.indices, csr.indptr), shape=csr.shape)
    expected = np.full(csr.nrows, np.nan)
    for source in s.sources:
        d = dijkstra(A.T.tocsr() if s.inwards else A, directed=True, indices=source, unweighted=not s.weighted)
        expected[source] = rate(d[np.isfinite(d)], csr.nrows, s)
    return expected


def rate(d: Any, n: int, s: Settings) -> float:
    """The centrality of a vertex, from its distances, its own among them."""
    if s.harmonic:
        return float((1 / d[d > 0]).sum())
    if not d.sum() > 0:
        return 0.0
    return (d.size - 1) / d.sum() * ((d.size - 1) / (n - 1) if s.improved else 1)
