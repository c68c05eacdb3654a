"""Compute the rows of the distance matrix by shortest-path searches from one batch of sources after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.algorithms.apsp.distance_file import ALONE, open_output
from graphla.algorithms.apsp.initial import require_room
from graphla.algorithms.shared.distance_range import require_range
from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp.batched import compute_distances
from graphla.common.errors import NotSupported
from graphla.common.memory import allocate
from graphla.containers.matrix import Matrix
from graphla.engine import get_engine
from graphla.storage import FullMatrix

CELLS = 1 << 24
"""Distances per batch: enough to fill a GPU, with some tens of bytes of work space each."""

Finish = Callable[[int, Any], Any]  # converts the first source of a batch and its raw distances to rows of the result


def sweep(G: Any, name: str, dtype: Any, next_hops: bool, output: Any, progress: Any, of: Any, finish: Finish) -> Any:
    """Search from all sources in the graph `of`; `finish` converts the rows. The result is in memory or in a file.

    With next hops the arcs of `of` are reversed, so that the searches lead towards the columns.
    """
    if output is not None:
        if next_hops:
            raise NotSupported(ALONE)
        return sweep_to_file(G, name, dtype, output, progress, of, finish)
    require_room(G, dtype, next_hops)
    xp, n = G.engine.xp, G.n
    D = allocate((n, n), dtype, "the distances", xp)
    H = allocate((n, n), np.int32, "the next hops", xp) if next_hops else None
    for first, last in make_batches(n):
        rows, parents = compute_distances(of, range(first, last), parents=next_hops)
        require_range(of, rows, reverse=next_hops)
        if H is None:
            D[first:last] = finish(first, rows)
        else:
            columns = D[:, first:last] = finish(first, rows).T
            H[:, first:last] = xp.where(columns == infinity(dtype), np.int32(-1), parents.T)
        report_progress(progress, last, n)
    return D, H


def sweep_to_file(G: Any, name: str, dtype: Any, output: Any, progress: Any, of: Any, finish: Finish) -> Any:
    """Do the same into a memory-mapped file; a stopped run resumes after its last finished batch."""
    with open_output(output, G, dtype, name) as file:
        for first, last in make_batches(G.n, file.begun or 0):
            rows, _ = compute_distances(of, range(first, last))
            require_range(of, rows)
            file.rows[first:last] = G.engine.to_host(finish(first, rows))
            file.record_progress(last)
            report_progress(progress, last, G.n)
        return wrap_rows(file.finish()), None


def wrap_rows(rows: Any) -> Matrix:
    """Wrap a memory map into a matrix on the CPU."""
    return Matrix._from_storage(FullMatrix(rows), get_engine("cpu"))


def make_batches(n: int, begin: int = 0) -> list[tuple[int, int]]:
    """Return ranges of sources."""
    step = max(1, CELLS // max(1, n))
    return [(first, min(first + step, n)) for first in range(begin, n, step)]


def report_progress(progress: Any, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
