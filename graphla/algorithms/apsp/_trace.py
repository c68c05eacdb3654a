"""Next hops from the distances alone: far cheaper than to carry them through every minimum, and no walk goes round."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp._levels import heights, replace_lost
from graphla.algorithms.apsp._start import cast, non_negative
from graphla.algorithms.apsp._tiles import C_TYPES, HERE, Numbers, numbers, offset, rows_grid
from graphla.algorithms.sssp._weights import infinity

THREADS = 256  # _trace.cuh: TRACE_THREADS
ROWS = THREADS // 32  # of a block that chooses hops: a warp owns CHOSEN columns of one
CHOSEN = 128  # _trace.cuh: 32 · TRACE_WORDS
OPEN = 1024  # columns of a row, whose open pairs a warp owns
MANY = 1 << 20  # blocks of a round at most: far more than are resident


def traced(G: Any, D: Any) -> Any:
    """H of D (square, perhaps padded)."""
    xp, n, kind = G.engine.xp, G.n, numbers(D.dtype, non_negative(G))
    H, state = xp.full((n, n), -1, np.int32), xp.zeros(2, np.int32)
    if not n:
        return H
    arcs, (height, scale) = essential(G, D, H), heights(G, D)
    paths = *arcs, D, np.int64(D.shape[0]), np.int32(n), H, np.float64(scale), height
    pairs = *xp.empty((2, n, -(-n // 32)), np.uint32), xp.zeros(n, np.uint32)
    choose = G.engine.kernel(HERE / "_trace.cuh", f"choose_hops<{kind.name}>", kind.prelude)
    choose((-(-n // ROWS), -(-n // CHOSEN)), THREADS, (*paths, *pairs, state[:1], infinity(D.dtype)))
    if int(state[0]) and along_the_level(G, kind, (*paths, *pairs), state):
        replace_lost(G, D[:n, :n], H)
    return H


def along_the_level(G: Any, kind: Numbers, pairs: tuple[Any, ...], state: Any) -> bool:
    """Hops for open pairs, round after round, as long as that finds any; whether one is left."""
    level = G.engine.kernel(HERE / "_trace.cuh", f"level_hops<{kind.name}>", kind.prelude)
    warps, left, changed = G.n * -(-G.n // OPEN), 1, 1
    while left and changed:
        state[:] = 0
        level(min(-(-32 * warps // THREADS), MANY), THREADS, (*pairs, state[:1], state[1:]))
        left, changed = (int(flag) for flag in G.engine.to_host(state))
    return bool(left)


def essential(G: Any, D: Any, H: Any) -> tuple[Any, ...]:
    """The arcs that are shortest paths themselves, by rows, and their own hops in H."""
    xp, far = G.engine.xp, infinity(D.dtype)
    arcs, flags = (G.csr.indptr, G.csr.indices, cast(G.csr.values, D.dtype)), xp.zeros(max(1, G.nvals), np.uint8)
    mark = G.engine.kernel(HERE / "_trace.cuh", f"mark_essential<{C_TYPES[D.dtype.name]}, {offset(G)}>")
    mark(rows_grid(G.n), 256, (*arcs, far, D, np.int64(D.shape[0]), np.int32(G.n), flags, H))
    kept = xp.flatnonzero(flags[: G.nvals])
    starts = xp.searchsorted(kept, arcs[0].astype(np.int64)).astype(np.int64)
    return starts, arcs[1][kept], arcs[2][kept]
