"""Delta-stepping: vertices are sorted into buckets by distance, and the buckets are settled in order.

A bucket holds the tentative distances in [k delta, (k + 1) delta). The vertices of the lowest bucket relax their arcs
until no distance in the bucket improves; vertices with larger distances go into their own buckets. A small delta gives
Dijkstra's order, an infinite one that of Bellman–Ford.

On the CPU a radix queue holds the buckets, and arcs that end far beyond the bulk of the graph are not relaxed: at the
end the few remaining vertices pull over their entering arcs. On the GPU this is the textbook algorithm: the host opens
a bucket, and the device relaxes the light arcs of its vertices until the bucket is empty, then their heavy arcs once.

U. Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 49 (2003).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.limits import WHOLE, Limits
from graphla.algorithms.shared.weights import (
    STEP,
    distance_dtype,
    estimate_quantile,
    find_heaviest,
    get_entering_weights,
    get_weights,
    infinity,
    refuses_negative,
)
from graphla.algorithms.sssp._delta_stepping_cuda import run_cuda
from graphla.algorithms.sssp._ranks import refuse_on_ranks, run_on_ranks
from graphla.engine import tracing
from graphla.problem import Method

LIGHT = 4.0  # the bucket width is the (LIGHT / degree)² quantile of the weights, at most the median (measured)
REACH = 2.0  # the limit is the weight below which an average vertex has REACH arcs; heavier arcs wait (measured)
DENSE = 8.0  # below this average degree no arc is deferred


def choose_step(G: Any) -> float:
    """Choose the bucket width for one core."""
    return estimate_quantile(G, choose_share(G.nvals, G.n))


def choose_share(arcs: int, vertices: int) -> float:
    """The share of arcs that are lighter than a bucket is wide."""
    return min(0.5, (LIGHT / max(arcs / max(vertices, 1), 1.0)) ** 2)


def _choose_limit(G: Any) -> Any:
    dtype, degree = distance_dtype(G.csr.values.dtype), G.nvals / max(G.n, 1)
    if degree < DENSE:
        return infinity(dtype)
    return dtype.type(estimate_quantile(G, REACH / degree))


def run_cpu_many(G: Any, sources: Any, parents: bool, delta: float | None = None, s: Limits = WHOLE) -> tuple[Any, Any]:
    """Compute distances and parents, one row per source; each core solves one source at a time."""
    from graphla.algorithms.sssp.delta_stepping_cpu import solve_many

    k, none = len(sources), infinity(distance_dtype(G.csr.values.dtype))
    distance = np.full((k, G.n), none)
    parent = np.full((k, G.n if parents else 0), -1, np.int32)
    A = (G.csr.indptr, G.csr.indices, get_weights(G))
    AT = A if G.csc is G.csr else (G.csc.indptr, G.csc.indices, get_entering_weights(G))
    rest = (choose_step(G) if delta is None else float(delta), _choose_limit(G), find_heaviest(G))
    end = find_end(s, none)
    tracing.count_relaxed(solve_many(A, AT, sources, *rest, end, distance, parent))
    return distance, parent if parents else None


def find_end(s: Limits, none: Any) -> Any:
    """The least number of the dtype that is beyond the limit."""
    last = none if s.limit is None else s.find_last(none.dtype)
    if last == none:
        return none
    return np.nextafter(last, none) if none.dtype.kind == "f" else none.dtype.type(int(last) + 1)


def run_cpu(G: Any, source: int, s: Limits, *, delta: float | None = None) -> tuple[Any, Any]:
    """Compute distances, and parents if requested."""
    distance, parent = run_cpu_many(G, [source], s.parents, delta, s)
    return distance[0], None if parent is None else parent[0]


def _refuses(G: Any, request: Any) -> str | None:
    """Negative weights, and graphs over ranks that share no memory."""
    return refuses_negative(G, request) or (refuse_on_ranks(G) if G.engine.name == "mpi" else None)


method = Method(
    runs={"cpu": run_cpu, "cuda": run_cuda},
    idea="settle the bucket of least distance first; relax light arcs at once, far arcs late or never",
    source="Meyer and Sanders, J. Algorithms 49 (2003)",
    options={"delta": STEP},
    refuses=_refuses,
    also=("parents",),
    rank=10,
    on_ranks=run_on_ranks,
)
