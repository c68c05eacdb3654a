"""One pass per round: each vertex sums what its in-neighbours hand on, and takes its new rank at once.

The rank of a vertex is divided by its leaving arcs once, when it is computed, so that a round gathers one number per
arc. The pass also adds up the change of the ranks and the rank of the vertices without leaving arcs. On the CPU sums
are in float64, whatever the dtype of the ranks. On the GPU the sums are the engine's product, with the ranks of hubs in
shared memory, and one kernel after it does the rest; the host reads the change every few rounds only, and rounds beyond
the last one change nothing.

Source: Beamer, Asanović, Patterson, "Reducing Pagerank Communication via Propagation Blocking", IPDPS 2017 (the pull
with precomputed contributions, as in the GAP Benchmark Suite); Sahu, "Efficient GPU Implementation of Static and
Incrementally Expanding DF-P PageRank", 2024 (pull without atomics).
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.pagerank._ranks import run_on_ranks
from graphla.algorithms.pagerank.settings import Settings, refuse_epsilon
from graphla.algorithms.shared.sorted_rows import find_sources_of_arcs
from graphla.problem import Method, Request
from graphla.storage import CompressedMatrix
from graphla.storage.convert import tally

LARGEST = 2**31
"""Places have 32 bits."""


def run_on_cpu(G: Any, s: Settings) -> tuple[Any, int, float]:
    """Ranks, the rounds that ran, and how much the last one changed."""
    from graphla.algorithms.pagerank._fused_cpu import Contributions, iterate
    from graphla.algorithms.pagerank._sweeps_cpu import can_sweep, sweep

    arcs = G.csc, weights_of_entering(G, s), inverse_sums(G, s)
    return sweep(*arcs, s) if can_sweep(G, s) else iterate(*arcs, s, G.n, Contributions(arcs[2]))


def run_on_cuda(G: Any, s: Settings) -> tuple[Any, int, float]:
    """The same; the ranks stay on the device."""
    from graphla.algorithms.pagerank._fused_cuda import begin, iterate

    G.cached(f"pagerank.begun.{s.weighted}.{s.dtype}", lambda g: begin(g, s))
    return iterate(G.engine, weigh_entering(G, s), inverse_sums(G, s), s)


def weigh_entering(G: Any, s: Settings) -> Any:
    """The rows of entering arcs; with weights in the dtype of the ranks, if they count."""
    if not s.weighted or G.csc.values.dtype == s.dtype.numpy:
        return G.csc
    values, csc = weights_of_entering(G, s), G.csc
    make = lambda _: CompressedMatrix(csc.nrows, csc.ncols, csc.indptr, csc.indices, values)  # noqa: E731
    return G.cached(f"pagerank.rows.{s.dtype}", make)


def weights_of_entering(G: Any, s: Settings) -> Any:
    """The weights of the entering arcs in the dtype of the ranks; None if all arcs are alike."""
    if not s.weighted:
        return None
    return G.cached(f"pagerank.weights.{s.dtype}", lambda g: g.csc.values.astype(s.dtype.numpy))


def inverse_sums(G: Any, s: Settings) -> Any:
    """What a vertex hands on for each unit of an arc: 1 over the sum of its leaving arcs, and 0 if it has none."""
    return G.cached(f"pagerank.inverse.{s.weighted}.{s.dtype}", lambda g: _invert_sums(g, s))


def _invert_sums(G: Any, s: Settings) -> Any:
    xp = G.engine.xp
    sums = G.degrees
    if s.weighted:
        sums = tally(find_sources_of_arcs(G), G.n, G.csr.values.astype("float64"))
    if G.engine.name == "cuda":
        from graphla.algorithms.pagerank._fused_cuda import invert_sums

        return invert_sums(G.engine, sums, s.dtype.numpy)
    sums = sums.astype("float64")
    return xp.where(sums > 0, 1 / xp.where(sums > 0, sums, 1), 0).astype(s.dtype.numpy)


def refuse(G: Any, request: Request) -> str | None:
    """Refuse a bound of residuals, and on ranks graphs of so many vertices that places have more than 32 bits."""
    if G.engine.name != "mpi" or G.n < LARGEST // 2:
        return refuse_epsilon(G, request)
    return f"{G.n:,} vertices: places of 32 bits number fewer than {LARGEST // 2:,}; method 'algebraic' takes them"


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="one pass per round over the entering arcs, with ranks divided beforehand",
    source="Beamer, Asanović, Patterson, IPDPS 2017 (GAP); Sahu, 2024",
    refuses=refuse,
    on_ranks=run_on_ranks,
    rank=100,
)
