"""Edges peeled off in one launch: those in few triangles leave together, round after round.

The triangles of each edge are counted first, by the product that the algebra has. A level needs a scan of the edges
that are left, and a round of it a pass over those that leave. The last truss is never peeled: it is known once all that
is left would leave.

Source: Kabir, Madduri, "Shared-memory Graph Truss Decomposition" (PKT), HiPC 2017; Che, Lai, Sun, Wang, Luo,
"Accelerating Truss Decomposition on Heterogeneous Processors", PVLDB 13(10), 2020.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.undirected import get_simple
from graphla.algorithms.truss_numbers import Settings
from graphla.algorithms.truss_numbers._edges import list_ends
from graphla.algorithms.truss_numbers._edges_cuda import KERNELS as EDGES
from graphla.algorithms.truss_numbers._edges_cuda import TOGETHER, spread_levels, take_upper
from graphla.algorithms.truss_numbers.algebraic import count_triangles
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

Array = Any
THREADS = 256
KERNELS = Path(__file__).with_suffix(".cuh")
PeelParameters = read_struct(KERNELS, "PeelParameters")


def run(G: Any, s: Settings) -> tuple[Any]:
    """The number of each arc of the graph without loops; if k is given, k where it is no less, and less elsewhere."""
    k = s.k
    G = get_simple(G)
    xp = G.engine.xp
    if not G.nvals:
        return (xp.zeros(0, np.int32),)
    G.engine.begin(EDGES, *TOGETHER)
    G.engine.begin(KERNELS, f"peel<{G.engine.c_type(G.csr.indptr)}>", cooperative=True)
    ends = list_ends(G)
    counts = count_triangles(G.A.apply("one").new("BOOL")).to_coo(rows=False, columns=False)[2]
    support = take_upper(G.engine, counts, ends.upper)
    stamps = peel(G, ends, support, 0 if k is None else k - 3, k is not None)
    return (spread_levels(G.engine, ends.ids, support, stamps, k),)


def peel(G: Any, ends: Any, support: Array, level: int, one_level: bool) -> Array:
    """Run the kernel; `support` becomes that of the trusses. Return the rounds in which edges left, 0 for never."""
    xp, edges = G.engine.xp, support.size
    name = f"peel<{G.engine.c_type(G.csr.indptr)}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=PeelParameters)
    counts = G.engine.asarray(np.array([0] * 6 + [np.iinfo(np.int32).max] * 3, np.int32))
    stamps = xp.zeros(edges, np.int32)
    queue, left, other = (xp.empty(edges, np.int32) for _ in range(3))
    barrier = G.engine.get_barrier()
    blocks = G.cached("truss_numbers.grid", lambda _: kernel.resident_blocks(THREADS))
    parameters = PeelParameters(
        edges=edges,
        first_level=level,
        one_level=one_level,
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        ids=ends.ids,
        tails=ends.tails,
        heads=ends.heads,
        support=support,
        stamps=stamps,
        queue=queue,
        left=left,
        other=other,
        counts=counts,
        barrier=barrier,
    )
    kernel(blocks, THREADS, parameters)
    return stamps


method = Method(
    runs={"cuda": run},
    idea="edges in few triangles leave together, warps read the shorter row of their ends; in one launch",
    source="Kabir, Madduri, HiPC 2017; Che, Lai, Sun, Wang, Luo, PVLDB 2020",
    rank=100,
)
