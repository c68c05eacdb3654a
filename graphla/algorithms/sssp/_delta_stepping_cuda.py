"""Textbook delta-stepping on the GPU: the host opens a bucket, the device relaxes its arcs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.limits import Limits
from graphla.algorithms.shared.sorted_rows import TYPES, as_step, sort_leaving_arcs
from graphla.algorithms.shared.weights import compute_bucket_end, distance_dtype, infinity
from graphla.algorithms.sssp._parents import find_parents
from graphla.engine import tracing

BLOCK = 256
FILE = Path(__file__).with_name("delta_stepping.cuh")


def _find_first_heavy(xp: Any, rows: tuple[Any, Any, Any], step: Any) -> Any:
    """Find where in each row, sorted by weight, the arcs heavier than the step begin."""
    start, _, values = rows
    light = xp.concatenate([xp.zeros(1, start.dtype), xp.cumsum(values <= step).astype(start.dtype)])
    return start[:-1] + light[start[1:]] - light[start[:-1]]


def run_cuda(G: Any, source: int, s: Limits, *, delta: float | None = None) -> tuple[Any, Any]:
    """Compute distances, and parents if requested."""
    from graphla.algorithms.sssp.fused import choose_steps

    xp, dtype, rows = G.engine.xp, distance_dtype(G.csr.values.dtype), sort_leaving_arcs(G)
    none, step = infinity(dtype), as_step(dtype, delta if delta is not None else choose_steps(G)[0])
    kernel = G.engine.kernel(FILE, f"relax_part<{TYPES[dtype.name]}, {G.engine.c_type(G.csr.indptr)}>")
    start, middle = rows[0], G.cached(f"first_heavy_{step}", lambda g: _find_first_heavy(xp, rows, step))
    distance, waiting, arcs = xp.full(G.n, none), xp.zeros(G.n, xp.uint8), xp.zeros(1, xp.uint64)
    distance[source], waiting[source] = 0, 1

    def relax(frontier: Any, first: Any, last: Any) -> None:
        count = np.int32(frontier.size)
        grid = -(-int(count) * 32 // BLOCK)
        kernel(grid, BLOCK, (frontier, count, first, last, *rows[1:], distance, waiting, arcs))

    while (near := xp.flatnonzero(waiting).astype(xp.int32)).size:
        nearest = dtype.type(distance[near].min().item())
        if nearest > s.find_last(dtype):
            break
        end = compute_bucket_end(nearest, step, none)
        settled = []
        while (frontier := near[distance[near] < end]).size:
            waiting[frontier] = 0
            settled.append(frontier)
            relax(frontier, start[:-1], middle)
            near = xp.flatnonzero(waiting).astype(xp.int32)
        relax(xp.unique(xp.concatenate(settled)), middle, start[1:])
    tracing.count_relaxed(arcs)
    if s.limit is not None:
        distance[distance > s.find_last(dtype)] = none
    return distance, find_parents(G, source, distance) if s.parents else None
