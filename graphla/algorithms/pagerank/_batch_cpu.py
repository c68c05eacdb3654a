"""Rounds of several rankings in one pass over the entering arcs: a row of ranks for each vertex, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.pagerank.settings import Settings
from graphla.engine.cpu.jit import inner, njit
from graphla.engine.cpu.threads import run_for_each, split_rows

WIDTH = 16
"""Rankings that are computed side by side: two lines of the cache for a vertex."""
PIECES = 16
"""Ranges of rows, whose sums are added up in their order: the same on any number of threads."""


@inner()
def _sum_eight(begin, end, indices, values, handed, j):  # type: ignore[no-untyped-def]
    """What the in-neighbours of a vertex hand on in eight columns: sums in registers, not in an array."""
    a = b = c = d = e = f = g = h = 0.0
    for k in range(begin, end):
        u = indices[k]
        w = 1.0 if values is None else values[k]
        a, b, c, d = a + w * handed[u, j], b + w * handed[u, j + 1], c + w * handed[u, j + 2], d + w * handed[u, j + 3]
        e, f, g = e + w * handed[u, j + 4], f + w * handed[u, j + 5], g + w * handed[u, j + 6]
        h += w * handed[u, j + 7]
    return a, b, c, d, e, f, g, h


@njit()
def _run_round(first, last, indptr, indices, values, handed, fresh, inverse, ranks, teleport, share, damping, lost):  # type: ignore[no-untyped-def]
    """New ranks of a range of vertices, and what they hand on; how much they changed, and what dangling ones hold."""
    told = np.zeros((2, WIDTH))
    for v in range(first, last):
        for j in range(0, WIDTH, 8):
            sums = _sum_eight(indptr[v], indptr[v + 1], indices, values, handed, j)
            fresh[v, j], fresh[v, j + 1], fresh[v, j + 2], fresh[v, j + 3] = sums[0], sums[1], sums[2], sums[3]
            fresh[v, j + 4], fresh[v, j + 5], fresh[v, j + 6], fresh[v, j + 7] = sums[4], sums[5], sums[6], sums[7]
        for j in range(WIDTH):
            rank = damping * (fresh[v, j] + lost[j] * share[v, j]) + (1 - damping) * teleport[v, j]
            told[0, j] += abs(rank - ranks[v, j])
            ranks[v, j], fresh[v, j] = rank, rank * inverse[v]
            if inverse[v] == 0:
                told[1, j] += rank
    return told


def iterate(rows: Any, values: Any, inverse: Any, s: Settings, teleport: Any, share: Any) -> tuple[Any, Any]:
    """Ranks of shape (n, WIDTH) in float64, and how much the last round changed each column."""
    n = rows.nrows
    ranks = np.full((n, WIDTH), 1 / max(1, n))
    handed, fresh = ranks * inverse[:, None], np.empty((n, WIDTH))
    lost, residual = ranks[inverse == 0].sum(axis=0), np.full(WIDTH, np.inf)
    rounds, pieces = 0, split_rows(rows.indptr, PIECES)
    while rounds < s.rounds and (s.tolerance is None or residual.max() > s.tolerance):
        given = handed, fresh, inverse, ranks, teleport, share, s.damping, lost
        told = run_for_each(
            lambda piece, given=given: _run_round(*piece, rows.indptr, rows.indices, values, *given), pieces
        )
        residual, lost = np.sum(told, axis=0)
        handed, fresh, rounds = fresh, handed, rounds + 1
    return ranks, residual
