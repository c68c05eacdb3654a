"""Bellman–Ford over edges: one thread per edge relaxes it in both directions, in rounds, until nothing changes.

A symmetric graph is stored as edges u < v with their weights, so that an edge is read once for both arcs; a directed
graph is relaxed arc by arc. Threads race by design: a later round repeats a lost store, and a round without a store
proves the fixed point.

`loads="read_only"` reads the distances through the read-only cache, which stores bypass. `segments=P` permutes the
edges so that concurrent threads read distances of the same few segments of P vertices; the permuted edges are cached
with the graph.

"GPU SSSP implementation" (GTX Titan, R-MAT graphs of 2^14 to 2^24 vertices): both directions at once, the flag that
stops, read-only loads, segments.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.search_settings import Settings
from graphla.algorithms.shared.sorted_rows import TYPES, find_sources_of_arcs
from graphla.algorithms.shared.weights import distance_dtype, get_weights, infinity, refuses_negative
from graphla.algorithms.sssp._parents import find_parents
from graphla.problem import Choice, Method, Option

BLOCK = 256
LOADS = {"read_only": "ReadOnly", "plain": "Plain"}


def _check_segments(value: Any) -> str | None:
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return None if good else "a segment is a whole number of vertices; 0 leaves the edges as they are"


def _make_edges(G: Any, segments: int) -> tuple[Any, Any, Any]:
    xp, rows, cols, values = G.engine.xp, find_sources_of_arcs(G), G.csr.indices, get_weights(G)
    if G.symmetric:
        half = rows < cols
        rows, cols, values = rows[half], cols[half], values[half]
    if segments:
        many = -(-G.n // segments)
        order = xp.argsort(cols.astype(xp.int64) // segments * many + rows // segments, kind="stable")
        rows, cols, values = rows[order], cols[order], values[order]
    return rows, cols, values


def run(G: Any, source: int, s: Settings, *, loads: str = "read_only", segments: int = 0) -> tuple[Any, Any]:
    """Compute distances, and parents if requested."""
    xp, dtype = G.engine.xp, distance_dtype(G.csr.values.dtype)
    edges = G.cached(f"edges_in_segments_{segments}", lambda g: _make_edges(g, segments))
    distance = xp.full(G.n, infinity(dtype))
    distance[source] = 0
    relax = G.engine.kernel(Path(__file__).with_suffix(".cuh"), f"relax_edges<{TYPES[dtype.name]}, {LOADS[loads]}>")
    count, changed = int(edges[0].size), xp.ones(1, xp.int32)
    while count and int(changed[0]):
        changed[0] = 0
        relax(
            -(-count // BLOCK),
            BLOCK,
            (*edges, distance, changed, np.int64(count), np.int32(G.symmetric)),
        )
    return distance, find_parents(G, source, distance) if s.parents else None


method = Method(
    runs={"cuda": run},
    idea="one thread per edge relaxes it in both directions; rounds until no distance changes",
    source='"GPU SSSP implementation", after Bellman (1958) and Ford (1956)',
    options={
        "loads": Choice("read_only", "plain", text="whether distances are read through the read-only cache"),
        "segments": Option(
            0, None, _check_segments, "vertices per segment by which edges are sorted; 0 leaves them unsorted"
        ),
    },
    refuses=refuses_negative,
    also=("parents",),
)
