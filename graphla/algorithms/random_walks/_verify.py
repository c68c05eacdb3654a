"""Whether walks are walks, in NumPy on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any


def verify(csr: Any, walks: Array, starts: Array, weighted: bool) -> None:
    """Assert that walks begin where they should, go along arcs of some weight, and end only where there is none."""
    wrong = np.flatnonzero(walks[:, 0] != starts)
    if wrong.size:
        i = wrong[0]
        raise VerificationError(f"random_walks: walk {i} begins at {walks[i, 0]} instead of {starts[i]}")
    used = csr.values > 0 if weighted else np.ones(csr.nvals, bool)
    tails, n = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr)), max(1, csr.nrows)
    arcs = tails[used] * n + csr.indices[used]
    leads = np.zeros(csr.nrows, bool)
    leads[tails[used]] = True
    for step in range(walks.shape[1] - 1):
        u, v = walks[:, step].astype(np.int64), walks[:, step + 1].astype(np.int64)
        if ((v >= 0) & (u < 0)).any():
            raise VerificationError(f"random_walks: walk {np.flatnonzero((v >= 0) & (u < 0))[0]} goes on after its end")
        gone = np.flatnonzero((v >= 0) & ~np.isin(u * n + v, arcs))
        if gone.size:
            raise VerificationError(f"random_walks: walk {gone[0]} goes {u[gone[0]]} → {v[gone[0]]}, which is no arc")
        stuck = np.flatnonzero((u >= 0) & (v < 0))
        if leads[u[stuck]].any():
            i = stuck[leads[u[stuck]]][0]
            raise VerificationError(f"random_walks: walk {i} ends at {u[i]}, from which an arc leads on")
