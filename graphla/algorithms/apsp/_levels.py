"""Common parts of tracing next hops from distances: heights, and a fallback for arcs that rounding hides.

`_trace.cuh` explains their use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp._towards import trace_hops_towards
from graphla.algorithms.apsp.initial import is_non_negative
from graphla.algorithms.shared.weights import infinity

ROUNDING_FP32, ROUNDING_FP64 = 4e-6, 1e-14  # relative error of sums of one path in different orders


def compute_heights(G: Any, D: Any) -> tuple[Any, float]:
    """Compute heights such that no arc of a shortest path leads up; zeros unless a weight is negative.

    The height of a vertex is its least distance from any vertex. Also returns the largest finite magnitude of a
    height, which bounds rounding errors.
    """
    xp = G.engine.xp
    if is_non_negative(G):
        return xp.zeros(G.n, np.float64), 0.0
    height = D[: G.n, : G.n].min(axis=0).astype(np.float64)
    return height, float(xp.abs(xp.where(xp.isfinite(height), height, 0)).max())


def replace_lost(G: Any, D: Any, H: Any) -> None:
    """Find next hops by a search for all targets to which some pair has lost its arc by rounding or saturation."""
    known = infinity(D.dtype) != D
    columns = G.engine.to_host(((H < 0) & known).any(axis=0)).nonzero()[0]
    if not columns.size:
        return
    here = G.engine.asarray(columns)
    H[:, here] = G.engine.xp.where(known[:, here], trace_hops_towards(G, columns).T, np.int32(-1))
