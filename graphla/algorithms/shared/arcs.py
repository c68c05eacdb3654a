"""Arcs of a matrix by their ends, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def find_arcs(csr: Any, tails: Array, heads: Array) -> Array:
    """The positions of arcs in the rows of a matrix, -1 for those that are not there."""
    if not csr.nvals:
        return np.full(tails.size, -1)
    cells = np.repeat(np.arange(csr.nrows, dtype=np.int64), np.diff(csr.indptr)) * csr.nrows + csr.indices
    wanted = tails.astype(np.int64) * csr.nrows + heads
    places = np.minimum(np.searchsorted(cells, wanted), cells.size - 1)
    return np.where(cells[places] == wanted, places, -1)
