"""Many sources at once: a row of distances each.

On the GPU a batch is one run of the fused kernel over as many copies of the graph, which share its arcs:
their frontiers fill the device together. A large graph of low diameter fills it alone, and copies in different
buckets only wait for each other, so its sources are solved one after the other. On the CPU each core takes a
source at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphla import tracing
from graphla.algorithms.sssp import delta_stepping, fused
from graphla.algorithms.sssp._weights import distance_dtype
from graphla.errors import NotSupported

VERTICES = 2**31 - 2**16  # of all copies together
FILLS = 2**17  # vertices of a graph of low diameter that keep a device busy (measured)


def distances(G: Any, sources: Sequence[int], *, parents: bool = False) -> tuple[Any, Any]:
    """Distances [k, n] from k sources, and parents [k, n] if asked for, arrays of the engine.

    Raises
    ------
    NotSupported
        If a weight is negative: the matrix product over min-plus takes those.
    """
    sources = [int(source) for source in sources]
    why_not = fused.method.refuses(G, {})
    if why_not:
        raise NotSupported(f"sssp from several sources: {why_not}")
    method = f"sssp {'delta_stepping' if G.engine.name == 'cpu' else 'fused'} from {len(sources)} sources"
    return tracing.run_method(G, method, lambda: _solved(G, sources, parents))


def _solved(G: Any, sources: list[int], parents: bool) -> tuple[Any, Any]:
    if G.engine.name == "cpu":
        return delta_stepping.run_cpu_many(G, sources, parents)
    xp, most = G.engine.xp, together(G)
    if len(sources) <= most:
        return _batch(G, sources, parents)
    parts = [_batch(G, sources[k : k + most], parents) for k in range(0, len(sources), most)]
    d = xp.concatenate([part[0] for part in parts])
    return d, xp.concatenate([part[1] for part in parts]) if parents else None


def together(G: Any) -> int:
    """How many sources to solve in one run: a graph that fills the device by itself takes one after the other."""
    if G.n >= FILLS and G.nvals >= fused.SHALLOW * G.n:
        return 1
    return max(VERTICES // max(G.n, 1), 1)


def _batch(G: Any, sources: Sequence[int], parents: bool) -> tuple[Any, Any]:
    if sources:
        return fused.solve(G, sources, parents, None)
    empty = G.engine.xp.empty((0, G.n), distance_dtype(G.csr.values.dtype))
    return empty, empty.astype(np.int32) if parents else None
