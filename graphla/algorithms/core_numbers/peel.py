"""Peeling in one launch: the vertices with k neighbours left leave together, and take others along without a barrier.

A level needs a scan of the vertices that are left and, as a rule, few passes over those that leave. A warp takes the
vertices of short rows that it makes leave itself, as many as it has room for; the others go to a queue that all share,
for one pass more, in which several warps share a row. The last core is never peeled: it is known once all that is left
would leave.

Source: Kabir, Madduri, "Parallel k-Core Decomposition on Multicore Platforms" (PKC), IPDPS workshops 2017; Ahmad, Yuan,
Yan et al., "Accelerating k-Core Decomposition by a GPU", ICDE 2023.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

THREADS = 512
KERNELS = Path(__file__).with_suffix(".cuh")
PeelParameters = read_struct(KERNELS, "PeelParameters")


def run(G: Any) -> tuple[Any]:
    """The core number of each vertex; nothing comes back to the host."""
    xp = G.engine.xp
    cores = xp.empty(G.n, np.int32)
    if not G.n:
        return (cores,)
    name = f"peel<{G.engine.c_type(G.csr.indptr)}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=PeelParameters)
    counts = G.engine.asarray(np.array([0] * 6 + [np.iinfo(np.int32).max] * 3, np.int32))
    queue, left, other = (xp.empty(G.n, np.int32) for _ in range(3))
    barrier = G.engine.get_barrier()
    blocks = G.cached("core_numbers.grid", lambda _: kernel.resident_blocks(THREADS))
    parameters = PeelParameters(
        n=G.n,
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        degrees=cores,
        queue=queue,
        left=left,
        other=other,
        counts=counts,
        barrier=barrier,
    )
    kernel(blocks, THREADS, parameters)
    return (cores,)


method = Method(
    runs={"cuda": run},
    idea="vertices with k neighbours left leave together, and warps take along those that follow; in one launch",
    source="Kabir, Madduri, IPDPS workshops 2017; Ahmad, Yuan, Yan et al., ICDE 2023",
    rank=100,
)
