"""Many rankings on the CPU: blocks of them, each by a thread of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.pagerank._sweeps_cpu import WIDTHS, sweep_many
from graphla.algorithms.pagerank.distribution import Distribution
from graphla.algorithms.pagerank.fused import inverse_sums, weights_of_entering
from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.weight_range import scale_rows
from graphla.engine.cpu.threads import count_workers, run_for_each


def list_entering(G: Any, s: Settings) -> tuple[Any, Any, Any]:
    """The rows of entering arcs, their weights, and what each vertex hands on; weights are scaled to a safe range."""
    graph = scale_rows(G.plain, s.dtype) if s.weighted else G.plain
    return graph.csc, weights_of_entering(graph, s), inverse_sums(graph, s)


def run_sweeps(G: Any, s: Settings, seeds: list[Distribution]) -> tuple[Any, float]:
    """The ranks of each distribution of teleports, blocks of them by each thread; a bound of what a round changes."""
    arcs = list_entering(G, s)
    width = WIDTHS[len(seeds) > WIDTHS[0] * count_workers()]
    out = np.empty((len(seeds), G.n), s.dtype.numpy)

    def sweep_block(begin: int) -> float:
        block = seeds[begin : begin + width]
        ranks, bound = sweep_many(*arcs, s, block)
        out[begin : begin + width] = ranks[:, : len(block)].T
        return bound

    return out, max(run_for_each(sweep_block, range(0, len(seeds), width)))
