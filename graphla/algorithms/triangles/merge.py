"""The sorted rows of the two ends of each arc are merged, as they are: best where no vertex has many neighbours.

Nothing is prepared. An arc from u to v > u costs at most the degrees of both.

Source: Polak, "Counting Triangles in Large Graphs on GPU", IPDPS workshops 2016; Chiba, Nishizeki, "Arboricity and
Subgraph Listing Algorithms", SIAM J. Comput. 14(1), 1985.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.triangles import Settings
from graphla.algorithms.triangles._oriented import name_offset
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

THREADS = 256
KERNELS = Path(__file__).with_suffix(".cuh")
MergeParameters = read_struct(KERNELS, "MergeParameters")


def run_on_cpu(G: Any, s: Settings) -> tuple[Any]:
    """The number of triangles, or those of each vertex."""
    from graphla.algorithms.triangles._merge_cpu import count_merged

    return (count_merged(G.csr, s.per_vertex),)


def run_on_cuda(G: Any, s: Settings) -> tuple[Any]:
    """The number of triangles, an array of one number, or those of each vertex; nothing comes back to the host."""
    xp = G.engine.xp
    total, each = xp.zeros(1, np.uint64), xp.zeros(G.n if s.per_vertex else 1, np.uint64)
    if G.nvals:
        name = f"merge<{name_offset(G)}, {str(s.per_vertex).lower()}>"
        kernel = G.engine.kernel(KERNELS, name, takes=MergeParameters)
        parameters = MergeParameters(n=G.n, indptr=G.csr.indptr, indices=G.csr.indices, total=total, each=each)
        kernel(-(-G.n // THREADS), THREADS, parameters)
    return ((each if s.per_vertex else total.reshape(())).view(np.int64),)


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="the sorted rows of the two ends of each arc are merged, as they are",
    source="Polak, IPDPS workshops 2016; Chiba, Nishizeki, SIAM J. Comput. 1985",
    rank=50,
)
