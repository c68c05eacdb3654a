"""Next hops from the distances alone: far cheaper than to carry them through every minimum, and no walk goes round."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp._levels import heights, replace_lost, scale_of
from graphla.algorithms.apsp._start import cast
from graphla.algorithms.apsp._tiles import C_TYPES, HERE, Numbers, offset, rows_grid
from graphla.algorithms.sssp._weights import infinity

THREADS = 256  # _trace.cuh: TRACE_THREADS
ROWS = 65_535  # blocks in the second dimension of a grid


def traced(G: Any, D: Any, kind: Numbers) -> Any:
    """H of D (square, perhaps padded)."""
    xp, n = G.engine.xp, G.n
    H, state = xp.full((n, n), -1, np.int32), xp.zeros(2, np.int32)
    if not n:
        return H
    arcs = essential(G, D, H)
    height = heights(G, D)
    pairs = *arcs, D, np.int64(D.shape[0]), np.int32(n), H, np.float64(scale_of(xp, height)), state[:1]
    launch(G, kind, "choose_hops", *pairs, height)
    if int(state[0]):
        along_the_level(G, kind, pairs, state, D[:n, :n], H)
    return H


def along_the_level(G: Any, kind: Numbers, pairs: tuple[Any, ...], state: Any, D: Any, H: Any) -> None:
    """Hops for pairs that no arc downhill begins, round after round, as long as that finds any."""
    settled, opened, changed = G.engine.xp.zeros(H.shape, np.uint8), 1, 1
    while opened and changed:
        state[:] = 0
        launch(G, kind, "level_hops", *pairs, state[1:], settled)
        opened, changed = (int(flag) for flag in G.engine.to_host(state))
    if opened:
        replace_lost(G, D, H)


def essential(G: Any, D: Any, H: Any) -> tuple[Any, ...]:
    """The arcs that are shortest paths themselves, by rows, and their own hops in H."""
    xp, far = G.engine.xp, infinity(D.dtype)
    arcs, flags = (G.csr.indptr, G.csr.indices, cast(G.csr.values, D.dtype)), xp.zeros(max(1, G.nvals), np.uint8)
    mark = G.engine.kernel(HERE / "_trace.cuh", f"mark_essential<{C_TYPES[D.dtype.name]}, {offset(G)}>")
    mark(rows_grid(G.n), 256, (*arcs, far, D, np.int64(D.shape[0]), np.int32(G.n), flags, H))
    kept = xp.flatnonzero(flags[: G.nvals])
    starts = xp.searchsorted(kept, arcs[0].astype(np.int64)).astype(np.int64)
    return starts, arcs[1][kept], arcs[2][kept], far


def launch(G: Any, kind: Numbers, name: str, *args: Any) -> None:
    """One of the two searches for hops, over all pairs."""
    kernel = G.engine.kernel(HERE / "_trace.cuh", f"{name}<{kind.name}>", kind.prelude)
    kernel((-(-G.n // THREADS), min(G.n, ROWS)), THREADS, args)
