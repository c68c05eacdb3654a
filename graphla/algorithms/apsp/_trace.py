"""Trace next hops from the distances: far cheaper than updating them with every minimum, and no walk has a cycle."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp._levels import compute_heights, replace_lost
from graphla.algorithms.apsp.initial import cast, is_non_negative
from graphla.algorithms.apsp.tiles import C_TYPES, HERE, Numbers, choose_numbers, count_row_blocks
from graphla.algorithms.shared.weights import infinity
from graphla.engine.cuda.records import read_struct

TRACE_THREADS = 256
ROWS = TRACE_THREADS // 32  # rows of a block that chooses hops: a warp owns CHOSEN_COLUMNS columns of one row
CHOSEN_COLUMNS = 128
OPEN = 1024  # columns of a row whose open pairs one warp owns
MANY = 1 << 20  # maximum blocks of a round, far more than are resident
HopParameters = read_struct(HERE / "_trace.cuh", "HopParameters")


def trace_hops(G: Any, D: Any) -> Any:
    """Trace the next hops H of the closed matrix D (square, possibly padded)."""
    xp, n, kind = G.engine.xp, G.n, choose_numbers(D.dtype, is_non_negative(G))
    H, state = xp.full((n, n), -1, np.int32), xp.zeros(2, np.int32)
    if not n:
        return H
    (indptr, indices, values), (height, scale) = find_essential_arcs(G, D, H), compute_heights(G, D)
    bits = xp.empty((2, n, -(-n // 32)), np.uint32)
    pairs = HopParameters(
        indptr=indptr,
        indices=indices,
        values=values,
        d=D,
        stride=D.shape[0],
        n=n,
        h=H,
        scale=scale,
        height=height,
        open=bits[0],
        known=bits[1],
        farthest=xp.zeros(n, np.uint32),
        left=state[:1],
        changed=state[1:],
        infinity=infinity(D.dtype),
    )
    choose = G.engine.kernel(HERE / "_trace.cuh", f"choose_hops<{kind.name}>", kind.prelude, takes=HopParameters)
    choose((-(-n // ROWS), -(-n // CHOSEN_COLUMNS)), TRACE_THREADS, pairs)
    if int(state[0]) and trace_level_hops(G, kind, pairs, state):
        replace_lost(G, D[:n, :n], H)
    return H


def trace_level_hops(G: Any, kind: Numbers, pairs: Any, state: Any) -> bool:
    """Find hops for open pairs in rounds until a round finds none; return whether a pair is left open."""
    level = G.engine.kernel(HERE / "_trace.cuh", f"level_hops<{kind.name}>", kind.prelude, takes=HopParameters)
    warps, left, changed = G.n * -(-G.n // OPEN), 1, 1
    while left and changed:
        state[:] = 0
        level(min(-(-32 * warps // TRACE_THREADS), MANY), TRACE_THREADS, pairs)
        left, changed = (int(flag) for flag in G.engine.to_host(state))
    return bool(left)


def find_essential_arcs(G: Any, D: Any, H: Any) -> tuple[Any, ...]:
    """Return the arcs that are shortest paths themselves, by rows, and write their hops into H."""
    xp, far = G.engine.xp, infinity(D.dtype)
    arcs, flags = (G.csr.indptr, G.csr.indices, cast(G.csr.values, D.dtype)), xp.zeros(max(1, G.nvals), np.uint8)
    mark = G.engine.kernel(
        HERE / "_trace.cuh", f"mark_essential<{C_TYPES[D.dtype.name]}, {G.engine.c_type(G.csr.indptr)}>"
    )
    mark(count_row_blocks(G.n), 256, (*arcs, far, D, np.int64(D.shape[0]), np.int32(G.n), flags, H))
    essential = xp.flatnonzero(flags[: G.nvals])
    starts = xp.searchsorted(essential, arcs[0].astype(np.int64)).astype(np.int64)
    return starts, arcs[1][essential], arcs[2][essential]
