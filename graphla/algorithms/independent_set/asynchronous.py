"""Each warp looks at its vertices until all are decided, without a barrier: one launch.

A vertex need only wait for neighbours of higher priority, so most are decided in the first looks. Vertices with few
neighbours go first, which makes the set larger and leaves out the hubs early.

Source: Burtscher, Devale, Azimi, Jaiganesh, Powers, "A High-Quality and Fast Maximal Independent Set Implementation for
GPUs" (ECL-MIS), ACM TOPC 5(2), 2018.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.random_order import find_average
from graphla.algorithms.shared.seed import Settings
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

THREADS = 512
KERNELS = Path(__file__).with_suffix(".cuh")
ChoiceParameters = read_struct(KERNELS, "ChoiceParameters")


def run(G: Any, s: Settings) -> tuple[Any]:
    """Whether each vertex is chosen; nothing comes back to the host."""
    xp = G.engine.xp
    chosen = xp.empty(G.n, bool)
    if not G.n:
        return (chosen,)
    name = f"asynchronous<{G.engine.c_type(G.csr.indptr)}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=ChoiceParameters)
    blocks = G.cached("independent_set.grid", lambda _: kernel.resident_blocks(THREADS))
    parameters = ChoiceParameters(
        n=G.n,
        average=find_average(G),
        seed=np.uint32(s.seed & 0xFFFFFFFF),
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        states=xp.empty(G.n, np.uint32),
        chosen=chosen,
        waiting=xp.empty(count_waiting(G.n, blocks), np.int32),
        barrier=G.engine.get_barrier(),
    )
    kernel(blocks, THREADS, parameters)
    return (chosen,)


def count_waiting(n: int, blocks: int) -> int:
    """Room for the vertices of every warp, in groups of 32."""
    warps = blocks * THREADS // 32
    return -(-n // (32 * warps)) * 32 * warps


method = Method(
    runs={"cuda": run},
    idea="each warp looks at its vertices until all are decided; no barrier between looks",
    source="Burtscher, Devale, Azimi, Jaiganesh, Powers, ACM TOPC 2018",
    rank=100,
)
