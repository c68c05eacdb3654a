"""The next queue is filled without atomics: heads are counted, the counts summed, and each thread writes its own.

Four kernels a level and one read-back, O(V + E). The sums within a block are Blelloch's; those of the blocks
are added up by a scan of the array module.

Source: "scanBFS" in the slides "Accelerating large graph algorithms on GPU using CUDA"; Blelloch, "Prefix Sums
and Their Applications", 1990.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import count_blocks, get_kernel, make_answer, start_answer
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Method

SCAN_BLOCK = 256

Array = Any


def run(G: Any, source: int, s: Settings) -> tuple[Array, Array | None]:
    """Levels and parents."""
    xp, name = G.engine.xp, G.engine.c_type(G.csr.indptr)
    levels, owner = start_answer(G, source, parents=True)
    layer, count, fill = (get_kernel(G, "scan", f"{x}<{name}>") for x in ("next_layer", "count_owned", "fill_queue"))
    scan = get_kernel(G, "scan", "scan_counts")
    counts, places = xp.empty(max(G.n, 1), np.int32), xp.empty(max(G.n, 1), np.int32)
    queue, next_queue = xp.empty(max(G.n, 1), np.int32), xp.empty(max(G.n, 1), np.int32)
    queue[0] = source
    size, depth = 1, 0
    while size:
        grid = count_blocks(size, SCAN_BLOCK)
        totals = xp.empty(grid, np.int32)
        graph = (G.csr.indptr, G.csr.indices, levels, owner, queue, np.int32(size), np.int32(depth))
        layer(grid, SCAN_BLOCK, graph)
        count(grid, SCAN_BLOCK, (*graph, counts))
        scan(grid, SCAN_BLOCK, (counts, np.int32(size), places, totals))
        ends = xp.cumsum(totals, dtype=np.int32)
        fill(grid, SCAN_BLOCK, (*graph, places, ends - totals, next_queue))
        queue, next_queue = next_queue, queue
        size, depth = int(ends[-1]), depth + 1
    return make_answer(levels, owner, s.parents)


method = Method(
    runs={"cuda": run},
    idea="a queue whose places come from prefix sums of neighbour counts",
    source="scanBFS of the CUDA graph slides; Blelloch 1990",
    also=("parents",),
)
