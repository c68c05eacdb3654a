"""What next hops from distances need on any engine: heights that no arc leads up, and a way out where one is hidden.

See `_trace.cuh` for what they are for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp._start import non_negative
from graphla.algorithms.apsp._towards import hops_towards
from graphla.algorithms.sssp._weights import infinity


def heights(G: Any, D: Any) -> Any:
    """What makes every arc lead down or along: how near any vertex comes to each, where a weight is negative."""
    if non_negative(G):
        return G.engine.xp.zeros(G.n, np.float64)
    return D[: G.n, : G.n].min(axis=0).astype(np.float64)


def scale_of(xp: Any, height: Any) -> float:
    """The largest height that is finite, for what rounding may do to sums over it."""
    return float(xp.abs(xp.where(xp.isfinite(height), height, 0)).max())


def replace_lost(G: Any, D: Any, H: Any) -> None:
    """Hops to all vertices to which rounding, or a sum at the end of its type, hides an arc from some pair."""
    known = infinity(D.dtype) != D
    columns = G.engine.to_host(((H < 0) & known).any(axis=0)).nonzero()[0]
    if not columns.size:
        return
    here = G.engine.asarray(columns)
    H[:, here] = G.engine.xp.where(known[:, here], hops_towards(G, columns).T, np.int32(-1))
