"""A thread for every arc; those that leave the last level for an unreached head mark it.

Rows of any length are balanced perfectly, at the price of looking at every arc at every level. The tail
of each arc is kept with the graph (4 bytes an arc).

Source: Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", ch. 15.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import BLOCK, count_blocks, get_kernel
from graphla.algorithms.bfs.historic._sweeps import sweep
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Method


def _list_tails(G: Any) -> Any:
    """The tail of each arc: how many rows have ended before it."""
    xp = G.engine.xp
    arcs = xp.arange(G.nvals, dtype=G.csr.indptr.dtype)
    return (xp.searchsorted(G.csr.indptr, arcs, side="right") - 1).astype(np.int32)


def run(G: Any, source: int, s: Settings) -> tuple[Any, None]:
    """Levels alone."""
    tails = G.cached("tails of arcs", _list_tails)
    search, arcs, grid = get_kernel(G, "edge_centric", "edge_centric"), np.int64(G.nvals), count_blocks(G.nvals)

    def step(levels: Any, newest: Any, depth: np.int32) -> None:
        search(grid, BLOCK, (arcs, tails, G.csr.indices, levels, newest, depth))

    return sweep(G, source, step)


method = Method(
    runs={"cuda": run},
    idea="sweep over arcs: those that leave the last level mark their head",
    source="Hwu, Kirk, El Hajj, ch. 15",
)
