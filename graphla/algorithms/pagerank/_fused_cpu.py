"""A round of a ranking on every core in one pass over the entering arcs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.pagerank._settings import Settings
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import run_over_rows

SUMS = {"reassoc", "nsz", "contract"}  # terms may be added in any order, which lets eight be gathered at once


@njit(fastmath=SUMS)
def _sum_of_tails(first, last, indices, values, contributions):  # type: ignore[no-untyped-def]
    """The contributions of the tails of arcs, by their weights if `values` has any; added in float64."""
    total = 0.0
    if values.size:
        for k in range(first, last):
            total += np.float64(contributions[indices[k]]) * values[k]
    else:
        for k in range(first, last):
            total += contributions[indices[k]]
    return total


@njit()
def _run_round(
    first, last, indptr, indices, values, contributions, fresh, inverse, ranks, teleport, share, damping, lost
):  # type: ignore[no-untyped-def]
    """New ranks and contributions of a range of vertices; how much they changed, and what their dangling ones hold."""
    residual, dangling = 0.0, 0.0
    here, there = min(1, teleport.size - 1), min(1, share.size - 1)
    for v in range(first, last):
        total = _sum_of_tails(indptr[v], indptr[v + 1], indices, values, contributions)
        rank = damping * (total + lost * share[v * there]) + (1 - damping) * teleport[v * here]
        residual += abs(rank - ranks[v])
        ranks[v] = rank
        fresh[v] = rank * inverse[v]
        if inverse[v] == 0:
            dangling += rank
    return residual, dangling


def iterate(rows: Any, values: Any, inverse: Any, s: Settings) -> tuple[Any, int, float]:
    """Ranks of the rows of entering arcs, the rounds that ran, and how much the last one changed."""
    ranks = np.full(rows.nrows, 1 / max(1, rows.nrows), inverse.dtype)
    contributions, fresh = ranks * inverse, np.empty_like(ranks)
    lost, rounds, residual = float(ranks[inverse == 0].sum(dtype=np.float64)), 0, float("inf")
    while rounds < s.rounds and (s.tolerance is None or residual > s.tolerance):
        told = run_over_rows(
            _run_round, rows.indptr, rows.nvals, rows.indices, values, contributions, fresh, inverse, ranks,
            s.teleport, s.share, s.damping, lost,
        )  # fmt: skip
        residual, lost = (float(part) for part in np.sum(told, axis=0))
        contributions, fresh = fresh, contributions
        rounds += 1
    return ranks, rounds, residual


@njit()
def _gather(first, last, indptr, indices, values, x, out):  # type: ignore[no-untyped-def]
    """out[v] = the sum of x over the columns of row v."""
    for v in range(first, last):
        out[v] = _sum_of_tails(indptr[v], indptr[v + 1], indices, values, x)


def gather(rows: Any, values: Any, x: Any) -> Any:
    """For each row the sum of the x of its columns, by `values` if there are any."""
    out = np.empty(rows.nrows, x.dtype)
    run_over_rows(_gather, rows.indptr, rows.nvals, rows.indices, values, x, out)
    return out
