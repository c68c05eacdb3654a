"""Rounds that read the newest ranks, in place, of one ranking or of several side by side: fewer than of others suffice.

A sweep computes x(v) = (1 − d) t(v) + d (P x)(v) from vertex to vertex, Gauss and Seidel's way: an arc from an
earlier vertex brings the rank of this sweep. Such sweeps do not keep the sum of ranks, which would settle as slowly
as d to the power of the sweeps. So the ranks are c y, where c is that number for which the residual r = (1 − d) t + d
P x − x adds up to 0, and the sweeps compute y with teleports of (1 − d) / c.

A bound of the residual, which is what a further round changes: an arc brought at most what its tail has changed by
since, so that r of y is at most d times the change Δ of the sweep, and |r| ≤ d c |Δ| + (1 − d) |1 − c / c'| for the
c' before.

Source: Arasu, Novak, Tomkins, Tomlin, "PageRank Computation and the Structure of the Web", WWW 2002 (Gauss–Seidel);
Stewart, "Introduction to the Numerical Solution of Markov Chains", 1994 (the sum, as an aggregate of one block).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.pagerank._batch_cpu import WIDTH, sum_columns
from graphla.algorithms.pagerank.distribution import Distribution, tabulate
from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.gather_cpu import sum_alike, sum_weighted
from graphla.engine.cpu.jit import compile_packed, inner, njit
from graphla.engine.cpu.threads import WORTH_A_PASS

WIDTHS = 8, WIDTH
"""Rankings that are computed side by side: one or two lines of the cache for a vertex."""


def can_sweep(G: Any, s: Settings) -> bool:
    """Whether sweeps answer: to a tolerance, on a graph that one thread ranks, where teleports let all settle."""
    return s.takes_any and s.damping < 1 and G.n > 0 and G.nvals < WORTH_A_PASS


@inner()
def _judge(scale, change, total, stuck, kept, damping):  # type: ignore[no-untyped-def]
    """The new c, and the bound of the residual, after a sweep that changed y by so much."""
    new = (1 - damping) / ((1 - damping) * total + damping * stuck * (1 - kept))
    return new, damping * new * change + (1 - damping) * abs(1 - new / scale)


@njit()
def _sweep_one(indptr, indices, values, inverse, handed, ranks, teleport, share, kept, damping, tolerance, most):  # type: ignore[no-untyped-def]
    """Sweep one ranking from its ranks on, in place; return c, the sweeps, and the bound."""
    here, there = min(1, teleport.size - 1), min(1, share.size - 1)
    scale, bound, lost, sweeps = 1.0, np.inf, 0.0, 0
    for v in range(ranks.size):
        handed[v] = ranks[v] * inverse[v]
        lost += ranks[v] if inverse[v] == 0 else 0.0
    while sweeps < most and bound > tolerance:
        change, total, stuck = 0.0, 0.0, 0.0
        for v in range(ranks.size):
            if values is None:
                entering = sum_alike(indptr[v], indptr[v + 1], indices, handed)
            else:
                entering = sum_weighted(indptr[v], indptr[v + 1], indices, values, handed)
            rank = damping * (entering + lost * share[v * there]) + (1 - damping) / scale * teleport[v * here]
            change += abs(rank - ranks[v])
            total += rank
            ranks[v] = rank
            handed[v] = rank * inverse[v]
            if inverse[v] == 0:
                stuck += rank
        scale, bound = _judge(scale, change, total, stuck, kept, damping)
        lost, sweeps = stuck, sweeps + 1
    return scale, sweeps, bound


def sweep(rows: Any, values: Any, inverse: Any, s: Settings) -> tuple[Any, int, float]:
    """Ranks, the sweeps that ran, and a bound of what a further round would change."""
    ranks = np.empty_like(inverse)
    ranks[:] = s.teleport if s.start is None else s.start
    arcs, kept = (rows.indptr, rows.indices, values, inverse, np.empty_like(inverse)), float(s.share.any())
    scale, *end = _sweep_one(*arcs, ranks, s.teleport, s.share, kept, s.damping, s.tolerance, s.rounds)
    ranks *= scale
    return ranks, *end


@inner()
def _begin(ranks, handed, inverse, told):  # type: ignore[no-untyped-def]
    """What vertices hand on at first, and what of the ranks dangling ones hold."""
    for v in range(ranks.shape[0]):
        for j in range(ranks.shape[1]):
            handed[v, j] = ranks[v, j] * inverse[v]
            told[3, j] += ranks[v, j] if inverse[v] == 0 else 0.0


@compile_packed()
def _sweep_many(
    indptr,
    indices,
    values,
    inverse,
    handed,
    ranks,
    places,
    table,
    share,
    kept,
    damping,
    tolerance,
    most,
    used,
    told,
    here,
):  # type: ignore[no-untyped-def]
    """Sweep rankings, a column each, from their ranks on, in place; return the sweeps, and the largest bound of any.

    ``table[places[v]]`` are the teleports to a vertex, and there are none where the place is -1. Dangling ranks go
    where teleports go if there is no `share`. The rows of `told`: c, the change, the sum, what dangling vertices hold;
    those of `here`: the sums of the arcs, what a teleport of 1 brings, what a share of 1 brings.
    """
    bound, sweeps, there = np.inf, 0, min(1, share.size - 1)
    _begin(ranks, handed, inverse, told)
    while sweeps < most and bound > tolerance:
        for j in range(ranks.shape[1]):
            lost = damping * told[3, j]
            here[1, j], here[2, j] = (1 - damping) / told[0, j] + (lost if share.size == 0 else 0.0), lost
            told[1, j] = told[2, j] = told[3, j] = 0.0
        for v in range(ranks.shape[0]):
            sum_columns(indptr[v], indptr[v + 1], indices, values, handed, here[0])
            sink, place, hands_on = 0.0 if share.size == 0 else share[v * there], places[v], inverse[v]
            for j in range(ranks.shape[1]):
                rank = damping * here[0, j] + here[2, j] * sink
                rank += here[1, j] * table[place, j] if place >= 0 else 0.0
                told[1, j] += abs(rank - ranks[v, j])
                told[2, j] += rank
                ranks[v, j], handed[v, j] = rank, rank * hands_on
                told[3, j] += rank if hands_on == 0 else 0.0
        bound, sweeps = 0.0, sweeps + 1
        for j in range(used):
            told[0, j], found = _judge(told[0, j], told[1, j], told[2, j], told[3, j], kept, damping)
            bound = max(bound, found)
    return sweeps, bound


def sweep_many(rows: Any, values: Any, inverse: Any, s: Settings, seeds: list[Distribution]) -> tuple[Any, float]:
    """Ranks of shape (n, width) of so many distributions or fewer, and a bound of what a round would change in any."""
    chosen, table = tabulate(seeds, next(width for width in WIDTHS if width >= len(seeds)))
    places = np.full(rows.nrows, -1, np.int32)
    places[chosen] = np.arange(chosen.size, dtype=np.int32)
    ranks = np.zeros((rows.nrows, table.shape[1]), inverse.dtype)
    ranks[chosen] = table
    told, here = np.zeros((4, table.shape[1])), np.empty((3, table.shape[1]))
    told[0] = 1.0
    share, kept = (np.empty(0), 1.0) if s.sinks is s.seeds else (s.share, float(s.share.any()))
    arcs = rows.indptr, rows.indices, values, inverse, np.empty_like(ranks)
    how = s.damping, s.tolerance, s.rounds, len(seeds)
    _, bound = _sweep_many(*arcs, ranks, places, table, share, kept, *how, told, here)
    ranks *= told[0].astype(ranks.dtype)
    return ranks, bound
