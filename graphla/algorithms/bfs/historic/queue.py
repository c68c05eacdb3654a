"""A queue for the frontier, filled with atomics: O(V + E).

A thread for each vertex of the queue; the atomic minimum on the level lets one thread alone append a vertex.

Source: "queueBFS" in the slides "Accelerating large graph algorithms on GPU using CUDA".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import (
    BLOCK,
    count_blocks,
    get_kernel,
    make_answer,
    name_tree_type,
    start_answer,
)
from graphla.algorithms.bfs.historic._queues import start_list
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Method


def run(G: Any, source: int, s: Settings) -> tuple[Any, Any]:
    """Levels and parents."""
    levels, above = start_answer(G, source, s.parents)
    listed, tail = start_list(G, source)
    search = get_kernel(G, "queue", f"queue<{G.engine.c_type(G.csr.indptr)}, {name_tree_type(s.parents)}>")
    first, last, depth = 0, 1, 0
    while first < last:
        where = (listed, np.int32(first), np.int32(last), tail, np.int32(depth))
        search(count_blocks(last - first), BLOCK, (G.csr.indptr, G.csr.indices, levels, above, *where))
        first, last, depth = last, int(tail[0]), depth + 1
    return make_answer(levels, above, s.parents)


method = Method(
    runs={"cuda": run},
    idea="a queue filled with atomics",
    source="queueBFS of the CUDA graph slides",
    also=("parents",),
)
