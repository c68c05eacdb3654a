"""A round of a ranking on every core in one pass over the entering arcs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.pagerank._settings import Settings
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import run_over_rows

FOUR, ONE = np.uint64(4), np.uint64(1)
TWO, THREE = np.uint64(2), np.uint64(3)


@njit(inline="always")
def _sum_alike(first, last, indices, x):  # type: ignore[no-untyped-def]
    """The sum of x over the columns of a row: four at a time, for an addition waits longer than a load.

    Unsigned numbers, because signed indices could count from the end and Numba looks at each; and no gathers of the
    processor, which take twice as long here.
    """
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    k, end = np.uint64(first), np.uint64(last)
    while k + THREE < end:
        a += x[np.uint32(indices[k])]
        b += x[np.uint32(indices[k + ONE])]
        c += x[np.uint32(indices[k + TWO])]
        d += x[np.uint32(indices[k + THREE])]
        k += FOUR
    while k < end:
        a += x[np.uint32(indices[k])]
        k += ONE
    return (a + b) + (c + d)


@njit(inline="always")
def _sum_weighted(first, last, indices, values, x):  # type: ignore[no-untyped-def]
    """The same by the weights of the arcs."""
    a, b = 0.0, 0.0
    k, end = np.uint64(first), np.uint64(last)
    while k + ONE < end:
        a += np.float64(x[np.uint32(indices[k])]) * values[k]
        b += np.float64(x[np.uint32(indices[k + ONE])]) * values[k + ONE]
        k += TWO
    if k < end:
        a += np.float64(x[np.uint32(indices[k])]) * values[k]
    return a + b


@njit()
def _run_round(
    first, last, indptr, indices, values, contributions, fresh, inverse, ranks, teleport, share, damping, lost
):  # type: ignore[no-untyped-def]
    """New ranks and contributions of a range of vertices; how much they changed, and what their dangling ones hold."""
    residual, dangling = 0.0, 0.0
    here, there = min(1, teleport.size - 1), min(1, share.size - 1)
    for v in range(first, last):
        if values is None:
            total = _sum_alike(indptr[v], indptr[v + 1], indices, contributions)
        else:
            total = _sum_weighted(indptr[v], indptr[v + 1], indices, values, contributions)
        rank = damping * (total + lost * share[v * there]) + (1 - damping) * teleport[v * here]
        residual += abs(rank - ranks[v])
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
    ranks = np.full(rows.nrows, 1 / max(1, n), inverse.dtype)
    np.multiply(ranks, inverse, out=board.own[: rows.nrows])
    (lost,) = board.turn(float(ranks[inverse == 0].sum(dtype=np.float64)))
    rounds, residual = 0, float("inf")
    while rounds < s.rounds and (s.tolerance is None or residual > s.tolerance):
        told = run_over_rows(
            _run_round, rows.indptr, rows.nvals, rows.indptr, rows.indices, values,
            board.now, board.own, inverse, ranks, s.teleport, s.share, s.damping, lost,
        )  # fmt: skip
        residual, lost = board.turn(*(float(part) for part in np.sum(told, axis=0)))
        rounds += 1
    return ranks, rounds, residual


@njit()
def _gather(first, last, indptr, indices, values, x, out):  # type: ignore[no-untyped-def]
    """out[v] = the sum of x over the columns of row v."""
    for v in range(first, last):
        if values is None:
            out[v] = _sum_alike(indptr[v], indptr[v + 1], indices, x)
        else:
            out[v] = _sum_weighted(indptr[v], indptr[v + 1], indices, values, x)


def gather(rows: Any, values: Any, x: Any) -> Any:
    """For each row the sum of the x of its columns, by `values` if these are not None."""
    out = np.empty(rows.nrows, x.dtype)
    run_over_rows(_gather, rows.indptr, rows.nvals, rows.indptr, rows.indices, values, x, out)
    return out
