"""One shortest-path search per source, in batches of sources: about O(n (m + n log n)), best for sparse graphs.

Rows are computed batch by batch and can go to a file, so that n² values need not fit in memory.

P. Harish, P. J. Narayanan, "Accelerating large graph algorithms on the GPU using CUDA", HiPC 2007.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.apsp._towards import reverse_graph
from graphla.algorithms.apsp.batches import sweep
from graphla.algorithms.apsp.distance_file import OUTPUT, PROGRESS
from graphla.algorithms.apsp.initial import is_non_negative
from graphla.algorithms.apsp.settings import Settings
from graphla.algorithms.shared.weights import distance_dtype
from graphla.problem import Method


def run(G: Any, s: Settings, *, output: Any = None, progress: Any = None) -> tuple[Any, Any]:
    """Compute distances, and next hops if requested."""
    chosen = distance_dtype(G.csr.values.dtype)
    over = reverse_graph(G) if s.next_hops else G
    return sweep(G, "sssp_sweep", chosen, s.next_hops, output, progress, over, lambda first, rows: rows)


def refuses(G: Any, request: Any) -> str | None:
    if request.get("dtype") is not None:
        return "its distances have the dtype that the weights ask for; 'blocked_floyd_warshall' takes dtype"
    return None if is_non_negative(G) else f"the smallest weight is {G.min_weight}; 'johnson' takes negative weights"


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="a shortest-path search from every vertex, a batch of them at a time; rows may stream to a file",
    source="Harish, Narayanan, HiPC 2007",
    options={"output": OUTPUT, "progress": PROGRESS},
    refuses=refuses,
    also=("next_hops",),
    rank=20,
)
