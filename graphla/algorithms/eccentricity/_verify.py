"""Eccentricities from SciPy's distances, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.eccentricity._settings import Settings
from graphla.common.errors import VerificationError
from graphla.containers.container import move_storage
from graphla.engine import get_engine

TOLERANCE = 1e-9


def verify(G: Any, values: Any, s: Settings) -> None:
    """Assert that the sources, and no others, have their eccentricity."""
    expected = compute(G, s)
    found = values.to_numpy(np.nan).astype(float)
    wrong = np.flatnonzero(~np.isclose(found, expected, rtol=TOLERANCE, atol=0, equal_nan=True))
    if wrong.size:
        at = int(wrong[0])
        raise VerificationError(
            f"eccentricity: vertex {at} has {found[at]:.12g} instead of {expected[at]:.12g} ({wrong.size:,} differ)"
        )


def compute(G: Any, s: Settings) -> Any:
    """What is right; NaN where nothing was asked for."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    lengths = csr.values.astype(np.float64) if s.weighted else np.ones(csr.nvals)
    A = csr_array((lengths, csr.indices, csr.indptr), shape=csr.shape)
    expected = np.full(csr.nrows, np.nan)
    for source in s.list_sources(G):
        d = dijkstra(A, directed=True, indices=source, unweighted=not s.weighted)
        expected[source] = d[np.isfinite(d)].max()
    return expected
