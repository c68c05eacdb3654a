"""Several small levels in one launch of a single block; one launch per level for larger ones.

Source: Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", ch. 15.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import BLOCK, count_blocks, get_kernel, start_answer
from graphla.algorithms.bfs.historic._queues import start_list
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Method

THREADS = 1024  # of the single block: levels of up to as many vertices stay in it


def run(G: Any, source: int, s: Settings) -> tuple[Any, None]:
    """Levels alone."""
    levels, _ = start_answer(G, source, parents=False)
    listed, state = start_list(G, source, words=3)
    one = get_kernel(G, "frontier_multi_level", f"one_level<{G.engine.c_type(G.csr.indptr)}>")
    many = get_kernel(G, "frontier_multi_level", f"many_levels<{G.engine.c_type(G.csr.indptr)}>")
    first, last, depth = 0, 1, 0
    while first < last:
        arguments = (G.csr.indptr, G.csr.indices, levels, listed, np.int32(first), np.int32(last), state)
        if last - first <= THREADS:
            many(1, THREADS, (*arguments, np.int32(depth)))
            last, first, depth = state.tolist()
        else:
            one(count_blocks(last - first), BLOCK, (*arguments, np.int32(depth)))
            first, last, depth = last, int(state[0]), depth + 1
    return levels, None


method = Method(
    runs={"cuda": run},
    idea="several small levels in one single-block launch",
    source="Hwu, Kirk, El Hajj, ch. 15",
)
