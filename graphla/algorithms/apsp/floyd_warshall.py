"""Textbook Floyd–Warshall: n launches over n² threads; thread (i, j) tests whether vertex k shortens its path.

D[i, j] = min(D[i, j], D[i, k] + D[k, j]) for k = 0 … n − 1. O(n³) work; n² values are read and written n times, which
the blocked form avoids.

R. W. Floyd, "Algorithm 97: Shortest path", CACM 5(6), 1962; P. Harish, P. J. Narayanan, "Accelerating large graph
algorithms on the GPU using CUDA", HiPC 2007.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.apsp.initial import choose_dtype, is_non_negative, refuse_cycle, require_room
from graphla.algorithms.apsp.settings import Settings
from graphla.algorithms.apsp.tiles import choose_numbers, make_first_hops, make_weights
from graphla.algorithms.shared.distance_range import require_range
from graphla.problem import Method

BLOCK = 256
ROWS = 65_535  # blocks in the second dimension of a grid


def run(G: Any, s: Settings) -> tuple[Any, Any]:
    """Compute distances, and next hops if requested."""
    chosen, n = choose_dtype(G, s.dtype), G.n
    require_room(G, chosen, s.next_hops)
    D = make_weights(G, chosen, n)
    H = make_first_hops(G, chosen, n) if s.next_hops else None
    kind, cycle = choose_numbers(chosen, is_non_negative(G)), G.engine.xp.full(1, -1, np.int32)
    expression = f"step<{kind.name}, {'WithHops' if s.next_hops else 'Alone'}>"
    step = G.engine.kernel(Path(__file__).with_suffix(".cuh"), expression, kind.prelude)
    for k in range(n):
        step((-(-n // BLOCK), min(n, ROWS)), BLOCK, (D, H, np.int32(n), np.int32(k), cycle))
    refuse_cycle(G, int(cycle[0]))
    require_range(G, D)
    return D, H


method = Method(
    runs={"cuda": run},
    idea="n launches over n² threads: does vertex k make i and j nearer?",
    source="Floyd, CACM 1962; Harish, Narayanan, HiPC 2007",
    also=("next_hops",),
    rank=5,
)
