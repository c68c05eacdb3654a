"""Next hops from the distances alone: far cheaper than to carry them through every minimum."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp._start import cast
from graphla.algorithms.apsp._tiles import C_TYPES, HERE, Numbers, offset, rows_grid
from graphla.algorithms.sssp._weights import infinity

THREADS = 256  # _trace.cuh: TRACE_THREADS
ROWS = 65_535  # blocks in the second dimension of a grid


def traceable(G: Any) -> bool:
    """Whether every arc makes a path longer, so that a walk that always comes nearer must end."""
    return G.min_weight is None or G.min_weight > 0


def traced(G: Any, D: Any, kind: Numbers) -> Any:
    """H of D (square, perhaps padded), or None where rounding hides which arc begins a path."""
    xp, n = G.engine.xp, G.n
    H, lost = xp.full((n, n), -1, np.int32), xp.zeros(1, np.int32)
    arcs = G.csr.indptr, G.csr.indices, cast(G.csr.values, D.dtype)
    flags, far, stride = xp.zeros(max(1, G.nvals), np.uint8), infinity(D.dtype), np.int64(D.shape[0])
    mark = G.engine.kernel(HERE / "_trace.cuh", f"mark_essential<{C_TYPES[D.dtype.name]}, {offset(G)}>")
    mark(rows_grid(n), 256, (*arcs, far, D, stride, np.int32(n), flags, H))
    kept = xp.flatnonzero(flags[: G.nvals])
    starts = xp.searchsorted(kept, arcs[0].astype(np.int64)).astype(np.int64)
    choose = G.engine.kernel(HERE / "_trace.cuh", f"choose_hops<{kind.name}>", kind.prelude)
    essential = starts, arcs[1][kept], arcs[2][kept], far
    choose((-(-n // THREADS), min(n, ROWS)), THREADS, (*essential, D, stride, np.int32(n), H, lost))
    return None if int(lost[0]) else H
