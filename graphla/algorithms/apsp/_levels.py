"""What next hops from distances need on any engine: heights that no arc leads up, and a way out where one is hidden.

See `_trace.cuh` for what they are for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp._start import non_negative
from graphla.algorithms.apsp._towards import hops_towards
from graphla.algorithms.sssp._weights import infinity


def heights(G: Any, D: Any) -> tuple[Any, float]:
    """What makes every arc lead down or along: how near any vertex comes to each, where a weight is negative.

    And the largest of them that is finite, for what rounding may do to sums over it.
    """
    xp = G.engine.xp
    if non_negative(G):
        return xp.zeros(G.n, np.float64), 0.0
    height = D[: G.n, : G.n].min(axis=0).astype(np.float64)
    return height, float(xp.abs(xp.where(xp.isfinite(height), height, 0)).max())


def replace_lost(G: Any, D: Any, H: Any) -> None:
    """Hops to all vertices to which rounding, or a sum at the end of its type, hides an arc from some pair."""
    known = infinity(D.dtype) != D
    columns = G.engine.to_host(((H < 0) & known).any(axis=0)).nonzero()[0]
    if not columns.size:
        return
    here = G.engine.asarray(columns)
    H[:, here] = G.engine.xp.where(known[:, here], hops_towards(G, columns).T, np.int32(-1))
