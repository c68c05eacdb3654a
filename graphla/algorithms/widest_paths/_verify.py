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
    check_reach(tails[tight], csr.indices[tight], source, reached)
    if parents is not None:
        check_parents(csr, tails[tight], csr.indices[tight], source, reached, parents)


def check_reach(tails: Array, heads: Array, source: int, reached: Array) -> None:
    """Assert that the source reaches all that have a width along arcs that give it."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    n = reached.size
    A = csr_array((np.ones(tails.size), (tails, heads)), shape=(n, n))
    found = np.zeros(n, bool)
    found[breadth_first_order(A, source, return_predecessors=False)] = True
    wrong = np.flatnonzero(reached & ~found)
    if wrong.size:
        raise VerificationError(f"widest_paths: no path has the width of vertex {wrong[0]} ({wrong.size:,} such)")


def check_parents(csr: Any, tails: Array, heads: Array, source: int, reached: Array, parents: Array) -> None:
    """Assert that each parent has an arc that gives its vertex the width, and that parents lead to the source."""
    n = reached.size
    if parents[source] != source or ((parents >= 0) != reached).any():
        raise VerificationError("widest_paths: the source is its own parent, and all that are reached have one")
    others = np.flatnonzero(reached & (np.arange(n) != source))
    wrong = others[~np.isin(parents[others].astype(np.int64) * n + others, tails.astype(np.int64) * n + heads)]
    if wrong.size:
        v = wrong[0]
        raise VerificationError(f"widest_paths: the arc {parents[v]} → {v} does not give the width of {v}")
    root = np.where(reached, parents, source)
    for _ in range(max(1, n.bit_length())):
        root = root[root]
    if (root != source).any():
        raise VerificationError(f"widest_paths: the parents of {np.flatnonzero(root != source)[0]} lead in a circle")
