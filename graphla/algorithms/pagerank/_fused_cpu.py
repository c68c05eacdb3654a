"""A round of a ranking on every core in one pass over the entering arcs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.gather_cpu import sum_alike, sum_weighted
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import cut_for_sums, run_for_each


@njit()
def _run_round(
    first, last, indptr, indices, values, contributions, fresh, inverse, ranks, teleport, share, damping, lost, mix
):  # type: ignore[no-untyped-def]
    """New ranks and contributions of a range of vertices; how much they change, and what their dangling ones hold."""
    residual, dangling = 0.0, 0.0
    here, there = min(1, teleport.size - 1), min(1, share.size - 1)
    for v in range(first, last):
        if values is None:
            total = sum_alike(indptr[v], indptr[v + 1], indices, contributions)
        else:
            total = sum_weighted(indptr[v], indptr[v + 1], indices, values, contributions)
        rank = damping * (total + lost * share[v * there]) + (1 - damping) * teleport[v * here]
        residual += abs(rank - ranks[v])
        rank = (rank + mix * ranks[v]) / (1 + mix)
        ranks[v] = rank
        fresh[v] = rank * inverse[v]
        if inverse[v] == 0:
            dangling += rank
    return residual, dangling


class Contributions:
    """What vertices hand on: those of the last round, which all read, and those of the next one."""

    def __init__(self, inverse: Any) -> None:
        self.now, self.own = np.empty_like(inverse), np.empty_like(inverse)

    def turn(self, *sums: float) -> tuple[float, ...]:
        """Let the next ones be those that are read."""
        self.now, self.own = self.own, self.now
        return sums


def iterate(rows: Any, values: Any, inverse: Any, s: Settings, n: int, board: Any) -> tuple[Any, int, float]:
    """Ranks of the rows of entering arcs, the rounds that ran, and how much the last one changed.

    `board` holds the contributions of all n vertices: `now`, `own` for these rows, and ``turn(*sums)``.
    """
    ranks = np.empty(rows.nrows, inverse.dtype)
    ranks[:] = s.begin(n)
    np.multiply(ranks, inverse, out=board.own[: rows.nrows])
    (lost,) = board.turn(float(ranks[inverse == 0].sum(dtype=np.float64)))
    rounds, residual, arcs, pieces = 0, float("inf"), (rows.indptr, rows.indices, values), cut_for_sums(rows.indptr)
    while rounds < s.rounds and (s.tolerance is None or residual > s.tolerance):
        given = board.now, board.own, inverse, ranks, s.teleport, s.share, s.damping, lost, s.mix(rounds)
        told = run_for_each(lambda piece, given=given: _run_round(*piece, *arcs, *given), pieces)
        residual, lost = board.turn(*(float(part) for part in np.sum(told, axis=0)))
        rounds += 1
    return ranks, rounds, residual
