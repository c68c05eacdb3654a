"""Each vertex proposes to the best neighbour that has no better proposal; who is ousted proposes again.

In the end the vertices that propose to each other are mates, and their edges are those that a loop over all edges by
falling order would choose: no edges need be sorted. A vertex proposes rarely more than twice, so the work is about that
of two looks at each arc. On a GPU nobody waits for anybody: one launch.

Source: Manne, Halappanavar, "New Effective Multithreaded Matching Algorithms", IPDPS 2014; Naim, Manne, Halappanavar,
Berry, Langguth, "Optimizing Approximate Weighted Matching on Nvidia Kepler K40" (on GPUs), HiPC 2015.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.matching._keys import make_salt
from graphla.algorithms.matching._refuse import refuse_maximum
from graphla.algorithms.matching.settings import Settings
from graphla.algorithms.shared.edge_order import rank_weights
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

THREADS = 256
LONG_ROW = 32
"""Arcs beyond which a warp reads a row together."""
KERNELS = Path(__file__).with_suffix(".cuh")
SuitorParameters = read_struct(KERNELS, "SuitorParameters")


def run_on_cpu(G: Any, s: Settings) -> tuple[Any]:
    """The mate of each vertex, or -1."""
    from graphla.algorithms.matching._suitor_cpu import match_edges

    return (match_edges(G.csr, rank_weights(G) if s.weights else None, s.seed),)


def run_on_cuda(G: Any, s: Settings) -> tuple[Any]:
    """The mate of each vertex, or -1; nothing comes back to the host."""
    xp = G.engine.xp
    mates = xp.empty(G.n, np.int32)
    if not G.n:
        return (mates,)
    kernel = G.engine.kernel(
        KERNELS, f"suitor<{G.engine.c_type(G.csr.indptr)}>", cooperative=True, takes=SuitorParameters
    )
    parameters = SuitorParameters(
        n=G.n,
        weighted=s.weights,
        salt=make_salt(s.seed),
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        heights=rank_weights(G) if s.weights else G.engine.get_unread("uint32"),
        suitors=xp.zeros(G.n, np.uint64),
        mates=mates,
        barrier=G.engine.get_barrier(),
    )
    kernel(G.cached("matching.grid", lambda _: kernel.resident_blocks(THREADS)), THREADS, parameters)
    return (mates,)


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="each vertex proposes to the best neighbour that has no better proposal; who is ousted proposes again",
    source="Manne, Halappanavar, IPDPS 2014; Naim, Manne, Halappanavar, Berry, Langguth, HiPC 2015",
    refuses=refuse_maximum,
    rank=100,
)
