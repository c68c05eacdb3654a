"""Two phases per round: marked vertices offer costs to their neighbours, then every vertex takes its best offer.

The arrays are the cost C, the updating cost U and a mask. U keeps the first phase from reading what it writes, but two
vertices can lower the same U[v] at once. In the first publication the first phase compared and wrote in two steps; then
the smaller cost can be lost, and because it is not offered again the distances become too large. `variant="racy"` is
that version, kept to demonstrate the lost update: its result can be wrong, it is never chosen by default, and `verify`
detects a wrong result. The default lowers U by an atomic minimum.

P. Harish, P. J. Narayanan, "Accelerating large graph algorithms on the GPU using CUDA", HiPC 2007;
P. J. Martín, R. Torres, A. Gavilanes, "CUDA solutions for the SSSP problem", ICCS 2009 (the correction).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.search_settings import Settings
from graphla.algorithms.shared.sorted_rows import TYPES
from graphla.algorithms.shared.weights import distance_dtype, get_weights, infinity, refuses_negative
from graphla.algorithms.sssp._parents import find_parents
from graphla.problem import Choice, Method

BLOCK = 256
FILE = Path(__file__).with_suffix(".cuh")


def compute_distances(G: Any, source: int, update: str, factor: int) -> Any:
    """Run rounds of the two phases until no cost changes; each thread has `factor` vertices."""
    xp, n = G.engine.xp, G.n
    dtype = distance_dtype(G.csr.values.dtype)
    w, count = TYPES[dtype.name], (np.int32(n), np.int32(factor))
    relax = G.engine.kernel(FILE, f"relax<{w}, {G.engine.c_type(G.csr.indptr)}, {update}>")
    settle = G.engine.kernel(FILE, f"settle<{w}>")
    cost = xp.full(n, infinity(dtype))
    cost[source] = 0
    updating, mask, changed = cost.copy(), xp.zeros(n, xp.uint8), xp.ones(1, xp.int32)
    mask[source] = 1
    grid = max(1, -(-n // (BLOCK * factor)))
    while int(changed[0]):
        changed[0] = 0
        relax(grid, BLOCK, (G.csr.indptr, G.csr.indices, get_weights(G), cost, updating, mask, *count))
        settle(grid, BLOCK, (cost, updating, mask, changed, *count))
    return cost


def run(G: Any, source: int, s: Settings, *, variant: str = "atomic") -> tuple[Any, Any]:
    """Compute distances, and parents if requested."""
    cost = compute_distances(G, source, variant.capitalize(), 1)
    return cost, find_parents(G, source, cost) if s.parents else None


method = Method(
    runs={"cuda": run},
    idea="one thread per vertex: marked vertices offer costs, then every vertex takes its best offer",
    source="Harish and Narayanan, HiPC 2007; Martín, Torres and Gavilanes, ICCS 2009",
    options={"variant": Choice("atomic", "racy", text="'racy' loses updates, as the first publication did")},
    refuses=refuses_negative,
    also=("parents",),
)
