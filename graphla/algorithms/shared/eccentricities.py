"""Eccentricities from SciPy's distances, on the host: what the verifiers of eccentricity and diameter compare with."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.containers.container import move_storage
from graphla.engine import get_engine

TOLERANCE = 1e-9


def compute(G: Any, s: Any) -> Any:
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
