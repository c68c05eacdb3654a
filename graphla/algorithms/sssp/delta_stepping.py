"""Delta-stepping: the vertices wait in buckets of distance, and a bucket at a time is settled.

A bucket holds the tentative distances in [k delta, (k + 1) delta). The vertices of the lowest bucket
relax their arcs, again as long as a distance in it improves; what is beyond waits in its own bucket.
A small delta is Dijkstra's order, an infinite one Bellman and Ford's.

On the CPU the buckets are kept in a radix queue, and the arcs that reach far beyond the bulk of the
graph are not relaxed at all: at the end the few vertices that are left pull over their entering arcs.
On the GPU it is the textbook's: the host opens a bucket, the device relaxes the light arcs of its vertices
until none is left in it, and then their heavy arcs once.

U. Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 49 (2003).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla import tracing
from graphla.algorithms.sssp._delta_stepping_cuda import run_cuda
from graphla.algorithms.sssp._weights import (
    STEP,
    distance_dtype,
    entering_weights,
    heaviest,
    infinity,
    quantile,
    refuses_negative,
    weights,
)
from graphla.problem import Method

LIGHT = 4.0  # a bucket is as wide as (LIGHT / degree)² of the weights; half of them at most (measured)
REACH = 2.0  # an arc is left aside if it is heavier than about REACH arcs of an average vertex (measured)
DENSE = 8.0  # below this average degree no arc is left aside


def cpu_step(G: Any) -> float:
    """The width of a bucket for one core."""
    degree = max(G.nvals / max(G.n, 1), 1.0)
    return quantile(G, min(0.5, (LIGHT / degree) ** 2))


def _limit(G: Any) -> Any:
    dtype, degree = distance_dtype(G.csr.values.dtype), G.nvals / max(G.n, 1)
    if degree < DENSE:
        return infinity(dtype)
    return dtype.type(quantile(G, REACH / degree))


def run_cpu_many(G: Any, sources: Any, parents: bool, delta: float | None = None) -> tuple[Any, Any]:
    """Distances and parents, a row a source; each core takes a source at a time."""
    from graphla.algorithms.sssp._delta_stepping import solve, solve_many

    k, none = len(sources), infinity(distance_dtype(G.csr.values.dtype))
    distance = np.full((k, G.n), none)
    parent = np.full((k, G.n if parents else 0), -1, np.int32)
    A = (G.csr.indptr, G.csr.indices, weights(G))
    AT = A if G.csc is G.csr else (G.csc.indptr, G.csc.indices, entering_weights(G))
    rest = (cpu_step(G) if delta is None else float(delta), _limit(G), heaviest(G))
    if k == 1:
        arcs = solve(A, AT, sources[0], *rest, distance[0], parent[0])
    else:
        arcs = solve_many(A, AT, np.asarray(sources, np.int64), *rest, distance, parent)
    tracing.count_relaxed(arcs)
    return distance, parent if parents else None


def run_cpu(G: Any, source: int, *, parents: bool = False, delta: float | None = None) -> tuple[Any, Any]:
    """Distances, and parents if asked for."""
    distance, parent = run_cpu_many(G, [source], parents, delta)
    return distance[0], None if parent is None else parent[0]


method = Method(
    runs={"cpu": run_cpu, "cuda": run_cuda},
    idea="settle the bucket of least distance first; relax light arcs at once, far arcs late or never",
    source="Meyer and Sanders, J. Algorithms 49 (2003)",
    options={"delta": STEP},
    refuses=refuses_negative,
    also=("parents",),
    rank=10,
)
