"""Shortest paths from one batch of sources after another, as rows of the matrix of distances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.algorithms.apsp._file import ALONE, opened
from graphla.algorithms.apsp._start import require_room
from graphla.algorithms.sssp._batched import compute_distances
from graphla.algorithms.sssp._range import require_range
from graphla.algorithms.sssp._weights import infinity
from graphla.containers.matrix import Matrix
from graphla.engine import get_engine
from graphla.errors import NotSupported
from graphla.storage import FullMatrix

CELLS = 1 << 24
"""Distances that a batch makes together: enough to fill a GPU, at some tens of bytes of work space each."""

Finish = Callable[[int, Any], Any]  # from the first source of a batch and its raw distances to the rows of the result


def swept(G: Any, name: str, dtype: Any, next_hops: bool, output: Any, progress: Any, of: Any, finish: Finish) -> Any:
    """Rows of all sources over the graph `of`, made into the result's rows by `finish`: in memory, or in a file.

    With next hops `of` has the arcs turned round, and the searches are towards the columns.
    """
    if output is not None:
        if next_hops:
            raise NotSupported(ALONE)
        return in_file(G, name, dtype, output, progress, of, finish)
    require_room(G, dtype, next_hops)
    xp, n = G.engine.xp, G.n
    D = xp.empty((n, n), dtype)
    H = xp.empty((n, n), np.int32) if next_hops else None
    for first, last in batches(n):
        rows, parents = compute_distances(of, range(first, last), parents=next_hops)
        require_range(of, rows, reverse=next_hops)
        if H is None:
            D[first:last] = finish(first, rows)
        else:
            columns = D[:, first:last] = finish(first, rows).T
            H[:, first:last] = xp.where(columns == infinity(dtype), np.int32(-1), parents.T)
        told(progress, last, n)
    return D, H


def in_file(G: Any, name: str, dtype: Any, output: Any, progress: Any, of: Any, finish: Finish) -> Any:
    """The same to a memory-mapped file; a run that was stopped goes on after its last finished batch."""
    file = opened(output, G, dtype, name)
    with file.dropped_by_overflow():
        for first, last in batches(G.n, file.begun or 0):
            rows, _ = compute_distances(of, range(first, last))
            require_range(of, rows)
            file.rows[first:last] = G.engine.to_host(finish(first, rows))
            file.done(last)
            told(progress, last, G.n)
    return held(file.finish()), None


def held(rows: Any) -> Matrix:
    """A matrix on the CPU over a memory map."""
    return Matrix._from_storage(FullMatrix(rows), get_engine("cpu"))


def batches(n: int, begin: int = 0) -> list[tuple[int, int]]:
    """Ranges of sources."""
    step = max(1, CELLS // max(1, n))
    return [(first, min(first + step, n)) for first in range(begin, n, step)]


def told(progress: Any, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
