"""All vertices in one launch: each waits only for its neighbours of higher priority, without a barrier.

Vertices with many neighbours come first. Warps take them by falling priority, and each waits for the colors of those
that go before it; there are few of these, for a hub has few neighbours that are larger. Threads take the other
vertices, as many as there are, and look at them until all have colors.

Source: Jones, Plassmann, "A Parallel Graph Coloring Heuristic", SIAM J. Sci. Comput. 14(3), 1993; Alabandi, Powers,
Burtscher, "Increasing the Parallelism of Graph Coloring via Shortcutting" (ECL-GC), PPoPP 2020.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.seed import Settings
from graphla.engine.cuda.blocks import launch_over
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method

THREADS = 256
LONG_ROW = 32
"""Arcs from which a vertex is colored by a warp; colors of shorter rows fit into the bits of a word."""
WORDS = 64
"""Words of colors, as bits, that a warp looks at together."""
SPLIT_ROW = 1024
"""Arcs from which a block reads a row together."""
KERNELS = Path(__file__).with_suffix(".cuh")
ColoringParameters = read_struct(KERNELS, "ColoringParameters")


def run(G: Any, s: Settings) -> tuple[Any]:
    """The color of each vertex; nothing comes back to the host."""
    xp = G.engine.xp
    states = xp.empty(G.n, np.uint32)
    if not G.n:
        return (states.view(np.int32),)
    long_rows = prepare_long_rows(G, s.seed)
    name = f"asynchronous<{G.engine.c_type(G.csr.indptr)}, {str(long_rows['long_rows'] > 0).lower()}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=ColoringParameters)
    blocks = G.cached("coloring.grid", lambda _: kernel.resident_blocks(THREADS))
    barrier = G.engine.get_barrier()
    parameters = ColoringParameters(
        n=G.n,
        seed=np.uint32(s.seed & 0xFFFFFFFF),
        indptr=G.csr.indptr,
        indices=G.csr.indices,
        states=states,
        barrier=barrier,
        **long_rows,
    )
    kernel(blocks, THREADS, parameters)
    return (states.view(np.int32),)


def prepare_long_rows(G: Any, seed: int) -> dict[str, Any]:
    """The vertices of long rows by rising priority, and room for the lists of those that go before them."""
    xp, unread, indptr = G.engine.xp, G.engine.get_unread, G.csr.indptr
    many = G.cached("coloring.long_rows", lambda G: G.engine.lists.count_above(G.degrees, LONG_ROW - 1))
    if not many:
        nothing = unread("int32")
        return {"long_rows": 0, "order": unread("int64"), "lists": nothing, "lengths": nothing, "taken": nothing}
    order, count = xp.empty(many, np.int64), xp.zeros(1, np.uint64)
    kernel = G.engine.kernel(KERNELS, f"list_long<{G.engine.c_type(indptr)}>")
    launch_over(kernel, G.n, (indptr, np.int32(G.n), np.uint32(seed & 0xFFFFFFFF), order, count))
    order.sort()
    lengths = xp.zeros(G.n + 1, np.int32)
    lists = xp.empty(G.nvals, np.int32)
    return {
        "long_rows": many,
        "order": order,
        "lists": lists,
        "lengths": lengths[:-1],
        "taken": lengths[-1:],
    }


method = Method(
    runs={"cuda": run},
    idea="warps take hubs by falling priority, and each waits for the colors of those that go before; no barrier",
    source="Jones, Plassmann, SIAM J. Sci. Comput. 1993; Alabandi, Powers, Burtscher, PPoPP 2020",
    rank=100,
)
