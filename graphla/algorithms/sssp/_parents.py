"""Find parents from distances, on the device; see `_tree.cuh`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.sorted_rows import TYPES, sort_entering_arcs
from graphla.algorithms.sssp._sizes import BLOCK, WORDS, choose_sizes


def find_parents(G: Any, source: int, distance: Any) -> Any:
    """Find the parent of each vertex on a shortest path; -1 where there is none."""
    xp, dtype = G.engine.xp, distance.dtype
    parent, counts = xp.empty(G.n, xp.int32), xp.zeros(WORDS, xp.uint64)
    kernel = G.engine.kernel(
        Path(__file__).with_suffix(".cuh"),
        f"parents<{TYPES[dtype.name]}, {G.engine.c_type(G.csr.indptr)}, {choose_sizes(G.nvals / max(G.n, 1))}>",
        cooperative=True,
    )
    grid = min(kernel.resident_blocks(BLOCK), max(1, -(-G.n // BLOCK)))
    kernel(grid, BLOCK, (*sort_entering_arcs(G), distance, parent, counts, np.int32(G.n), np.int32(source)))
    return parent
