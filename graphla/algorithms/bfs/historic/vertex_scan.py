"""Every vertex asks at every level whether it is in the frontier, and if so relaxes its heads.

No queue and no atomics; O(V·L + E) for L levels, so it suits shallow graphs only.

Source: Harish, Narayanan, "Accelerating Large Graph Algorithms on the GPU Using CUDA", HiPC 2007;
"parallelBFS" in the slides "Accelerating large graph algorithms on GPU using CUDA".
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs.historic._sweeps import sweep_vertices
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Method


def run(G: Any, source: int, s: Settings) -> tuple[Any, None]:
    """Levels alone."""
    return sweep_vertices(G, source, "vertex_scan", G.csr)


method = Method(
    runs={"cuda": run},
    idea="every vertex checks whether it is in the frontier",
    source="Harish, Narayanan, HiPC 2007; parallelBFS of the CUDA graph slides",
)
