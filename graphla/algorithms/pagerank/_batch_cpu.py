"""Rounds of several rankings in one pass over the entering arcs: a row of ranks for each vertex, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.pagerank.settings import Settings
from graphla.engine.cpu.jit import compile_packed, inner
from graphla.engine.cpu.threads import run_for_each, split_rows

WIDTH = 16
"""Rankings that are computed side by side: two lines of the cache for a vertex."""
PIECES = 16
"""Ranges of rows, whose sums are added up in their order: the same on any number of threads."""
U = np.uint64


@inner()
def sum_eight(begin, end, indices, values, handed, column):  # type: ignore[no-untyped-def]
    """What the in-neighbours of a vertex hand on in eight columns: sums in registers, not in an array.

    Unsigned numbers, because signed indices could count from the end, and neighbours would be none.
    """
    a = b = c = d = e = f = g = h = 0.0
    j, k, last = U(column), U(begin), U(end)
    while k < last:
        u = U(np.uint32(indices[k]))
        w = 1.0 if values is None else values[k]
        a += w * handed[u, j]
        b += w * handed[u, j + U(1)]
        c += w * handed[u, j + U(2)]
        d += w * handed[u, j + U(3)]
        e += w * handed[u, j + U(4)]
        f += w * handed[u, j + U(5)]
        g += w * handed[u, j + U(6)]
        h += w * handed[u, j + U(7)]
        k += U(1)
    return a, b, c, d, e, f, g, h


@inner()
def sum_columns(begin, end, indices, values, handed, sums):  # type: ignore[no-untyped-def]
    """The same in all columns."""
    for j in range(0, sums.size, 8):
        found = sum_eight(begin, end, indices, values, handed, j)
        sums[j], sums[j + 1], sums[j + 2], sums[j + 3] = found[0], found[1], found[2], found[3]
        sums[j + 4], sums[j + 5], sums[j + 6], sums[j + 7] = found[4], found[5], found[6], found[7]


@compile_packed()
def _run_round(
    first, last, indptr, indices, values, handed, fresh, inverse, ranks, teleport, share, damping, lost, told
):  # type: ignore[no-untyped-def]
    """New ranks of a range of vertices, and what they hand on; how much they changed, and what dangling ones hold."""
    for v in range(first, last):
        sum_columns(indptr[v], indptr[v + 1], indices, values, handed, fresh[v])
        for j in range(ranks.shape[1]):
            rank = damping * (fresh[v, j] + lost[j] * share[v, j]) + (1 - damping) * teleport[v, j]
            told[0, j] += abs(rank - ranks[v, j])
            ranks[v, j], fresh[v, j] = rank, rank * inverse[v]
            if inverse[v] == 0:
                told[1, j] += rank


def iterate(rows: Any, values: Any, inverse: Any, s: Settings, teleport: Any, share: Any) -> tuple[Any, Any]:
    """Ranks of shape (n, WIDTH) in float64, and how much the last round changed each column."""
    n = rows.nrows
    ranks = np.full((n, WIDTH), 1 / max(1, n))
    handed, fresh = ranks * inverse[:, None], np.empty((n, WIDTH))
    lost, residual = ranks[inverse == 0].sum(axis=0), np.full(WIDTH, np.inf)
    rounds, pieces = 0, list(enumerate(split_rows(rows.indptr, PIECES)))
    while rounds < s.rounds and (s.tolerance is None or residual.max() > s.tolerance):
        given, told = (handed, fresh, inverse, ranks, teleport, share, s.damping, lost), np.zeros((PIECES, 2, WIDTH))
        run_for_each(
            lambda piece, given=given, told=told: _run_round(
                *piece[1], rows.indptr, rows.indices, values, *given, told[piece[0]]
            ),
            pieces,
        )
        residual, lost = told.sum(axis=0)
        handed, fresh, rounds = fresh, handed, rounds + 1
    return ranks, residual
