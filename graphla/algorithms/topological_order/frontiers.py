"""Kahn's frontiers in one launch: a barrier for each level, and a sort by levels at the end.

Warps share the rows of a short frontier. Of a long one a lane takes a short row, and the warp together the long ones.

Source: Kahn, "Topological Sorting of Large Networks", Communications of the ACM 5(11), 1962; frontiers as in Merrill,
Garland, Grimshaw, "Scalable GPU Graph Traversal", PPoPP 2012.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.topological_order import Settings
from graphla.algorithms.topological_order._order import sort_by_level
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method
from graphla.storage.convert import make_full

Array = Any
THREADS = 512
KERNELS = Path(__file__).with_suffix(".cuh")
OrderParameters = read_struct(KERNELS, "OrderParameters")


def run(G: Any, s: Settings) -> tuple[Array, Array]:
    """The order, shorter if there is a cycle, and the levels, -1 of vertices that are left."""
    levels = find_levels(G)
    return sort_by_level(levels), levels


def find_levels(G: Any) -> Array:
    """The level of each vertex, -1 if it is left; nothing comes back to the host."""
    xp = G.engine.xp
    levels = make_full(xp, G.n, -1, "int32")
    if not G.n:
        return levels
    name = f"find_levels<{G.engine.c_type(G.csr.indptr)}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=OrderParameters)
    parameters = OrderParameters(
        n=G.n,
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        waits=xp.zeros(G.n, np.int32),
        levels=levels,
        queue=xp.empty(G.n, np.int32),
        queued=xp.zeros(3, np.int32),
        barrier=G.engine.get_barrier(),
    )
    kernel(G.cached("topological_order.grid", lambda _: kernel.resident_blocks(THREADS)), THREADS, parameters)
    return levels


method = Method(
    runs={"cuda": run},
    idea="Kahn's frontiers in one launch, with a barrier for each level, and a sort by levels",
    source="Kahn, CACM 1962; Merrill, Garland, Grimshaw, PPoPP 2012",
    rank=100,
)
