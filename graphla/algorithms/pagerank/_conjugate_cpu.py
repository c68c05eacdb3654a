"""Conjugate gradients for ranks of an undirected graph, on every core."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.gather_cpu import sum_alike, sum_weighted
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import cut_for_sums, run_for_each


@njit()
def _multiply(first, last, indptr, indices, values, shares, sums):  # type: ignore[no-untyped-def]
    """What the neighbours of a range of vertices hand on; the sum of that by what these hand on."""
    found = 0.0
    for v in range(first, last):
        if values is None:
            total = sum_alike(indptr[v], indptr[v + 1], indices, shares)
        else:
            total = sum_weighted(indptr[v], indptr[v + 1], indices, values, shares)
        sums[v] = total
        found += shares[v] * total
    return found


@njit()
def _begin(first, last, teleport, share, lost, damping, inverse, sums, ranks, r, shares):  # type: ignore[no-untyped-def]
    """The residual of ranks, and the two sums of it; a vertex without arcs has its rank at once."""
    here, there = min(1, teleport.size - 1), min(1, share.size - 1)
    size, square = 0.0, 0.0
    for v in range(first, last):
        b = (1 - damping) * teleport[v * here] + damping * lost * share[v * there]
        if inverse[v] == 0:
            ranks[v], r[v], shares[v] = b, 0.0, 0.0
            continue
        left = b + damping * sums[v] - ranks[v]
        r[v], shares[v] = left, left * inverse[v]
        size += abs(left)
        square += left * left * inverse[v]
    return size, square


@njit()
def _step(first, last, alpha, beta, damping, inverse, sums, ranks, r, p, s, shares):  # type: ignore[no-untyped-def]
    """Ranks and residuals after a step along p, where s = (I − d P) p; the two sums of the residual."""
    size, square = 0.0, 0.0
    for v in range(first, last):
        along = r[v] + beta * p[v]
        falls = r[v] - damping * sums[v] + beta * s[v]
        left = r[v] - alpha * falls
        p[v], s[v], r[v], shares[v] = along, falls, left, left * inverse[v]
        ranks[v] += alpha * along
        size += abs(left)
        square += left * left * inverse[v]
    return size, square


def descend(rows: Any, values: Any, inverse: Any, s: Settings, part: float) -> tuple[Any, int]:
    """Ranks, none below 0, whose residual is within that part of the tolerance, and the products that it took.

    One round is left for a check; where the products do not suffice, or rounding ends it, the residual is larger.
    """
    d, arcs, pieces = s.damping, (rows.indptr, rows.indices, values), cut_for_sums(rows.indptr)
    add = lambda kernel, *given: np.sum(run_for_each(lambda piece: kernel(*piece, *given), pieces), axis=0)  # noqa: E731
    lost = find_lost(inverse, s)
    ranks = make_start(inverse, s, lost)
    r, sums, (p, f) = np.empty_like(ranks), ranks.copy(), np.zeros((2, ranks.size), ranks.dtype)
    shares, done = ranks * inverse, 0
    if s.start is not None and s.rounds > 1:
        add(_multiply, *arcs, shares, sums)
        done = 1
    size, square = add(_begin, s.teleport, s.share, lost, d, inverse, sums, ranks, r, shares)
    alpha, before, goal = np.inf, np.inf, part * (s.tolerance or 0.0)
    while size > goal and done < s.rounds - 1:
        beta, before = square / before, square
        curvature = square - d * add(_multiply, *arcs, shares, sums) - beta * square / alpha
        done += 1
        if not curvature > 0:  # rounding is all that is left
            break
        alpha = square / curvature
        size, square = add(_step, alpha, beta, d, inverse, sums, ranks, r, p, f, shares)
    return np.maximum(ranks, 0, out=ranks), done


def find_lost(inverse: Any, s: Settings) -> float:
    """The rank of all vertices without arcs."""
    alone = inverse == 0
    teleported, returned = (float((each * alone).sum()) for each in (s.teleport, s.share))
    return (1 - s.damping) * teleported / (1 - s.damping * returned)


def make_start(inverse: Any, s: Settings, lost: float) -> Any:
    """Ranks to begin with: those that are given; or in proportion to `out`, or 0, both of which P keeps."""
    if s.start is not None:
        return s.start.astype(inverse.dtype)
    if s.teleport.size > 1:
        return np.zeros_like(inverse)
    out = np.divide(1.0, inverse, out=np.zeros(inverse.size), where=inverse > 0)
    b = (1 - s.damping) + s.damping * lost * float(s.share.any()) - lost  # of all vertices that have arcs
    return (b / (1 - s.damping) / (out.sum() or 1.0) * out).astype(inverse.dtype)
