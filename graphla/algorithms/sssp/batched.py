"""Shortest paths from many sources: one row of distances per source.

On the GPU a batch is one run of the fused kernel over several copies of the graph, which share its arcs. Together their
frontiers fill the device. A large graph of low diameter fills the device alone, and copies in different buckets would
wait for each other, so its sources are solved one after the other. On the CPU each core solves one source at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import distance_dtype
from graphla.algorithms.sssp import delta_stepping, fused
from graphla.common.errors import NotSupported
from graphla.engine import tracing

VERTICES = 2**31 - 2**16  # limit for all copies together
FILLS = 2**17  # a graph of low diameter with so many vertices fills a device (measured)


def compute_distances(G: Any, sources: Sequence[int], *, parents: bool = False) -> tuple[Any, Any]:
    """Compute distances [k, n] from k sources, and parents [k, n] if requested, as arrays of the engine.

    Raises
    ------
    NotSupported
        If a weight is negative; method 'algebraic' takes negative weights.
    """
    sources = [int(source) for source in sources]
    why_not = fused.method.refuses(G, {})
    if why_not:
        raise NotSupported(f"sssp from several sources: {why_not}")
    method = f"sssp {'delta_stepping' if G.engine.name == 'cpu' else 'fused'} from {len(sources)} sources"
    return tracing.run_method(G, method, lambda: _solve(G, sources, parents))


def _solve(G: Any, sources: list[int], parents: bool) -> tuple[Any, Any]:
    if G.engine.name == "cpu":
        return delta_stepping.run_cpu_many(G, sources, parents)
    xp, limit = G.engine.xp, count_together(G)
    if len(sources) <= limit:
        return _solve_batch(G, sources, parents)
    parts = [_solve_batch(G, sources[k : k + limit], parents) for k in range(0, len(sources), limit)]
    d = xp.concatenate([part[0] for part in parts])
    return d, xp.concatenate([part[1] for part in parts]) if parents else None


def count_together(G: Any) -> int:
    """Return how many sources to solve in one run: one if the graph fills the device alone."""
    if G.n >= FILLS and G.nvals >= fused.SHALLOW * G.n:
        return 1
    return max(VERTICES // max(G.n, 1), 1)


def _solve_batch(G: Any, sources: Sequence[int], parents: bool) -> tuple[Any, Any]:
    if sources:
        return fused.solve(G, sources, parents, None)
    empty = G.engine.xp.empty((0, G.n), distance_dtype(G.csr.values.dtype))
    return empty, empty.astype(np.int32) if parents else None
