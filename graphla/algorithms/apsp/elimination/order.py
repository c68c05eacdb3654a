"""An order of elimination with little fill: vertices of few neighbours, then nested dissection."""

from __future__ import annotations

from typing import Any

import numpy as np

SMALL = 32
"""Vertices up to which any order will do."""


def compute_order(indptr: Any, indices: Any) -> Any:
    """Return the vertices in an order of elimination, int32[n].

    Parameters
    ----------
    indptr, indices : ndarray
        A symmetric pattern without a diagonal, compressed by rows.
    """
    n = indptr.size - 1
    if n <= SMALL:
        return np.arange(n, dtype=np.int32)
    from scipy.sparse import csr_array

    from graphla.algorithms.apsp.elimination.dissect import dissect  # here, because Numba takes a second
    from graphla.algorithms.apsp.elimination.peel import peel_pattern

    A = csr_array((np.ones(indices.size, np.int8), indices, indptr), shape=(n, n))
    A.sort_indices()
    first, rest, pattern = peel_pattern(A.indptr, A.indices)
    return np.concatenate([first, rest if rest.size <= SMALL else rest[dissect(*pattern)]])
