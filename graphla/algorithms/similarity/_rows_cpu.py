"""Common neighbours of pairs on every core; see `rows`. Pairs of one tail stand together."""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.atomic import fetch_and_add
from graphla.engine.cpu.entries.structure import find
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import WORTH_A_THREAD, count_workers, run_for_each

TAKEN = 1024
"""Pairs that a thread takes at a time."""
UNEVEN = 16
"""How much longer a row must be for each entry of the shorter one to be searched in it."""


@inner()
def _search_rows(a, a_end, b, b_end, indices, weights):  # type: ignore[no-untyped-def]
    """Each entry of the first row is searched in what is left of the second."""
    total, position, last = 0.0, np.uint64(b), np.uint64(b_end)
    for k in range(a, a_end):
        x = indices[k]
        position = find(indices, position, last, x)
        if position < last and indices[position] == x:
            total += weights[x] if len(weights) else 1.0
    return total


def measure(taken: Any, order: Any, tails: Any, heads: Any, indptr: Any, *_: Any) -> float:
    """The microseconds, about, that Python takes for pairs."""
    return 0.5 * len(order) + 0.05 * float(np.diff(indptr)[heads].sum())


@compile_late(0.6, measure, views=True)
def _add_up(taken, order, tails, heads, indptr, indices, weights, sums):  # type: ignore[no-untyped-def]
    """Sum up the pairs that this thread takes. The neighbours of the tail are marked with its number."""
    marks, marked = np.full(len(indptr) - 1, -1, np.int32), np.int32(-1)
    while True:
        start = fetch_and_add(taken, 0, TAKEN)
        if start >= len(order):
            return
        for i in range(start, min(len(order), start + TAKEN)):
            p = order[i]
            u, v = tails[p], heads[p]
            a, a_end, b, b_end = indptr[u], indptr[u + 1], indptr[v], indptr[v + 1]
            if (a_end - a) * UNEVEN < b_end - b:
                sums[p] = _search_rows(a, a_end, b, b_end, indices, weights)
                continue
            if (b_end - b) * UNEVEN < a_end - a and marked != u:
                sums[p] = _search_rows(b, b_end, a, a_end, indices, weights)
                continue
            if marked != u:
                marked = u
                for k in range(a, a_end):
                    marks[indices[k]] = u
            total = 0.0
            for k in range(b, b_end):
                if marks[indices[k]] == u:
                    total += weights[indices[k]] if len(weights) else 1.0
            sums[p] = total


def add_up(csr: Any, tails: Any, heads: Any, weights: Any) -> Any:
    """The sum over the common neighbours of each pair: float64."""
    sorted_already = bool((tails[1:] >= tails[:-1]).all())
    order = np.arange(tails.size) if sorted_already else np.argsort(tails, kind="stable")
    weights, sums = np.zeros(0) if weights is None else weights, np.empty(tails.size)
    taken, workers = np.zeros(1, np.int64), count_workers() if tails.size >= WORTH_A_THREAD // 16 else 1
    arrays = order, tails, heads, csr.indptr, csr.indices, weights, sums
    run_for_each(lambda _: _add_up(taken, *arrays), range(workers))
    return sums
