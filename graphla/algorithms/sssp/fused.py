"""The fastest method on the GPU: one cooperative kernel from the first relaxation to the last parent.

The rows are sorted by weight once and cached with the graph, so that a bucket of distances relaxes a prefix of each row
and never reads arcs that are too heavy. A dense start sweeps buckets. On a graph of low diameter it soon settles the
vertices that have most of the arcs, and the others *pull* over their entering arcs, lightest first; each stops at the
first arc that weighs more than its best distance. In total a tenth of the arcs is read. On a deep graph the dense start
hands over to near-far queues on the device with an adaptive step, and one block settles a small frontier without a grid
barrier. The host launches once and does not wait.

A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods for single-source
shortest paths", IPDPS 2014 (near-far); V. T. Chakaravarthy et al., "Scalable single source shortest path
algorithms for massively parallel systems", IPDPS 2014 (pull); K. Wang, D. Fussell, C. Lin, "A fast
work-efficient SSSP algorithm for GPUs", PPoPP 2021 (a step that adapts).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.search_settings import Settings
from graphla.algorithms.shared.sorted_rows import TYPES, as_step, sort_entering_arcs, sort_leaving_arcs
from graphla.algorithms.shared.weights import STEP, distance_dtype, estimate_quantile, refuses_negative
from graphla.algorithms.sssp._sizes import BLOCK, COUNTS, WORDS, choose_sizes
from graphla.engine import tracing
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

SOURCE = Path(__file__).with_suffix(".cuh")
DENSE_STEP = 2.5  # the first bucket width is the weight below which an average vertex has so many arcs (measured)
EVEN_STEP = 7.5  # the same if degrees are even, so that no hub finds short paths early (measured)
EVEN = 8.0  # degrees are even if the largest is at most so many times the average
SHALLOW = 8.0  # a graph of at least this average degree is assumed to have a low diameter
SPARSE_STEP = 2.0  # the first near-far step is 4 times the weight below which a vertex has so many arcs, or the median
SPARE = 4096  # entries of a queue beyond one per vertex, because a vertex may be in it twice
PATIENCE = 8  # at least so many sweeps may settle little before the dense start ends
FusedParameters = read_struct(SOURCE, "FusedParameters")


def choose_steps(G: Any) -> tuple[float, float]:
    """Choose the bucket width of the dense start and the first near-far step from the graph."""
    degree = max(G.nvals / max(G.n, 1), 1.0)
    even = degree >= SHALLOW and G.max_degree <= EVEN * degree
    dense = EVEN_STEP if even else DENSE_STEP
    return estimate_quantile(G, min(dense / degree, 0.5)), 4 * estimate_quantile(G, min(SPARSE_STEP / degree, 0.5))


def begin(G: Any, dtype: np.dtype[Any], parents: bool) -> str:
    """Begin to compile what the first search of a graph needs; return the name of its kernel."""
    types = TYPES[dtype.name], G.engine.c_type(G.csr.indptr), choose_sizes(G.nvals / max(G.n, 1))
    name = f"fused<{', '.join(types)}, {'WithTree' if parents else 'NoTree'}>"
    G.engine.begin(SOURCE, name, cooperative=True)
    G.engine.lists.begin("transpose", "rows")
    G.engine.lists.begin_one("gather<long long, long long>")
    return name


def solve(G: Any, sources: Any, parents: bool, delta: float | None) -> tuple[Any, Any]:
    """Compute distances and parents, one row per source; the batch is solved as copies of the graph."""
    xp, one, copies = G.engine.xp, G.n, len(sources)
    n, m = one * copies, G.nvals * copies
    dtype = distance_dtype(G.csr.values.dtype)
    degree = G.nvals / max(one, 1)
    name: str = G.cached(f"sssp.fused.begun.{dtype.name}.{parents}", lambda g: begin(g, dtype, parents))
    dense, sparse = (delta, delta) if delta is not None else G.cached("sssp.fused.steps", choose_steps)
    distance, relaxed_at = xp.empty((copies, one), dtype), xp.empty(n, dtype)
    parent = xp.empty((copies, one) if parents else 1, xp.int32)
    capacity = n + SPARE
    queues, counts = xp.empty(4 * capacity, xp.int32), xp.zeros(WORDS, xp.uint64)
    kernel = G.engine.kernel(SOURCE, name, cooperative=True, takes=FusedParameters)
    resident = G.cached(f"sssp.fused.resident.{parents}", lambda _: kernel.resident_blocks(BLOCK))
    grid = min(resident, max(1, -(-(n + m // 8) // BLOCK)))
    leaving, entering = sort_leaving_arcs(G), sort_entering_arcs(G)
    parameters = FusedParameters(
        out_indptr=leaving[0],
        out_indices=leaving[1],
        out_values=leaving[2],
        in_indptr=entering[0],
        in_indices=entering[1],
        in_values=entering[2],
        distance=distance,
        relaxed_at=relaxed_at,
        parent=parent,
        queues=queues,
        counts=counts,
        sources=xp.asarray(np.asarray(sources, np.int32)) if copies > 1 else queues,
        n=n,
        one=one,
        m=m,
        capacity=capacity,
        source=int(sources[0]),
        dense_step=as_step(dtype, dense),
        sparse_step=as_step(dtype, sparse),
        patience=int(max(PATIENCE, 2 * degree)),
        fixed=delta is not None,
        tree=parents,
    )
    kernel(grid, BLOCK, parameters)
    tracing.count_relaxed(counts[COUNTS : COUNTS + 1])
    return distance, parent if parents else None


def run(G: Any, source: int, s: Settings, *, delta: float | None = None) -> tuple[Any, Any]:
    """Compute distances, and parents if requested, on the device."""
    distance, parent = solve(G, [source], s.parents, delta)
    return distance[0], None if parent is None else parent[0]


method = Method(
    runs={"cuda": run},
    idea="one persistent kernel: sweeps over buckets of distance and a pull, or near-far queues; rows sorted by weight",
    source="Davidson et al., IPDPS 2014; Chakaravarthy et al., IPDPS 2014; Wang et al., PPoPP 2021",
    options={"delta": STEP},
    refuses=refuses_negative,
    also=("parents",),
    rank=20,
)
