"""Push while the frontier is small, pull while it is large.

A frontier that touches a large part of the remaining arcs is cheaper to meet from the other side:
each unreached vertex looks for one in-neighbour in the frontier and stops at the first. On the CPU the
frontier is a queue while pushed and a bitmap while pulled, and small levels stay on one core. On the GPU
each level is a sweep over all vertices, pushed at first and pulled from the first large frontier on.

Source: Beamer, Asanović, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012; the
whole-array sweeps follow Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", ch. 15.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import BLOCK, count_blocks, get_kernel, start_answer
from graphla.algorithms.bfs.ranks.run import run_on_ranks
from graphla.algorithms.shared.limits import Limits
from graphla.problem import Method

LARGE_FRONTIER = 1 / 20  # of the vertices: beyond it an unreached vertex soon meets a tail in the frontier


def run_on_cpu(G: Any, source: int, s: Limits) -> tuple[Any, Any]:
    """Levels and parents with Numba on every core."""
    from graphla.algorithms.bfs._direction_optimized_cpu import search

    ends = () if s.limit is None else (int(s.find_last(np.int32)),)
    return search(G.csr, G.csc, source, s.parents, *ends)


def run_on_cuda(G: Any, source: int, s: Limits) -> tuple[Any, None]:
    """Levels alone: sweeps of push, then of pull."""
    levels, _ = start_answer(G, source, parents=False)
    total = G.engine.xp.zeros(1, np.int32)
    depth, before, found, direction, rows = 0, 0, 1, "push", G.csr
    last = s.find_last(np.int32)
    while found and depth < last:
        if direction == "push" and found > LARGE_FRONTIER * G.n:
            direction, rows = "pull", G.csc
        search = get_kernel(G, "direction_optimized", f"{direction}_sweep<{G.engine.c_type(rows.indptr)}>")
        search(count_blocks(G.n), BLOCK, (np.int32(G.n), rows.indptr, rows.indices, levels, total, np.int32(depth)))
        now = int(total[0])
        found, before, depth = now - before, now, depth + 1
    return levels, None


def _refuses(G: Any, request: Any) -> str | None:
    if G.engine.name == "cuda" and request.get("parents"):
        return "on the GPU its sweeps give levels alone; method='fused' gives parents"
    return None


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    on_ranks=run_on_ranks,
    idea="push small frontiers, pull large ones",
    source="Beamer, Asanović, Patterson, SC 2012; Hwu, Kirk, El Hajj, ch. 15",
    refuses=_refuses,
    also=("parents",),
    rank=50,
)
