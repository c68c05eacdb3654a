"""Blocks of rows of a SciPy matrix, so that a product of one fits in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

TERMS = 1 << 24
"""Terms of the products that are computed at a time; each takes about 12 bytes."""


def split_rows(D: Any) -> Iterator[tuple[int, int]]:
    """Ranges of rows whose products have about `TERMS` terms."""
    widest = np.maximum(np.diff(D.indptr), np.bincount(D.indices, minlength=D.shape[0]))
    terms = np.concatenate([[0], np.cumsum(widest[D.indices])])[D.indptr]
    first = 0
    while first < D.shape[0]:
        last = max(first + 1, int(np.searchsorted(terms, terms[first] + TERMS, side="right")) - 1)
        yield first, last
        first = last
