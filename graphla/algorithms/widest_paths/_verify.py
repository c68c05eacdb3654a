"""The definition, arc by arc, in NumPy and SciPy on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.widest_paths.values import find_whole
from graphla.common.errors import VerificationError

Array = Any


def verify(csr: Any, source: int, there: Array, values: Array, parents: Array | None) -> None:
    """Assert that no width is too small, that none is too great, and that parents lead along widest paths."""
    n, tails = csr.nrows, np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    width, reached = np.zeros(n, values.dtype), np.zeros(n, bool)
    width[there], reached[there] = values, True
    if not reached[source] or width[source] != find_whole(values.dtype):
        raise VerificationError(f"widest_paths: the source {source} has no path without arcs, or another width")
    offered = np.minimum(width[tails], csr.values.astype(values.dtype))
    lost = np.flatnonzero(reached[tails] & ~(reached[csr.indices] & (width[csr.indices] >= offered)))
    if lost.size:
        k = lost[0]
        raise VerificationError(
            f"widest_paths: {tails[k]} → {csr.indices[k]} gives the width {offered[k]}, which is more"
        )
    tight = reached[tails] & reached[csr.indices] & (offered == width[csr.indices])
    depths = count_arcs(tails[tight], csr.indices[tight], source, n)
    check_reach(depths, reached)
    if parents is not None:
        check_parents(tails[tight], csr.indices[tight], source, depths, parents)


def check_reach(depths: Array, reached: Array) -> None:
    """Assert that the source reaches all that have a width along arcs that give it."""
    wrong = np.flatnonzero(reached & ~np.isfinite(depths))
    if wrong.size:
        raise VerificationError(f"widest_paths: no path has the width of vertex {wrong[0]} ({wrong.size:,} such)")


def count_arcs(tails: Array, heads: Array, source: int, n: int) -> Array:
    """The fewest of some arcs that lead from the source to each vertex; infinity where none do."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    ends = tails.astype(np.int32), heads.astype(np.int32)  # before 1.15 SciPy takes no int64
    A = csr_array((np.ones(tails.size), ends), shape=(n, n))
    return dijkstra(A, indices=source, unweighted=True)


def check_parents(tails: Array, heads: Array, source: int, depths: Array, parents: Array) -> None:
    """Assert that each parent has an arc that gives its vertex the width, and is one arc nearer to the source."""
    n, reached = depths.size, np.isfinite(depths)
    if parents[source] != source or ((parents >= 0) != reached).any():
        raise VerificationError("widest_paths: the source is its own parent, and all that are reached have one")
    others = np.flatnonzero(reached & (np.arange(n) != source))
    wrong = others[~np.isin(parents[others].astype(np.int64) * n + others, tails.astype(np.int64) * n + heads)]
    if wrong.size:
        v = wrong[0]
        raise VerificationError(f"widest_paths: the arc {parents[v]} → {v} does not give the width of {v}")
    far = others[depths[parents[others]] + 1 != depths[others]]
    if far.size:
        v = far[0]
        raise VerificationError(
            f"widest_paths: {v} is {depths[v]:.0f} arcs away, and its parent {parents[v]} no nearer"
        )
