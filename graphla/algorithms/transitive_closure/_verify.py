"""What each vertex reaches, by SciPy's breadth-first searches on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError


def verify(csr: Any, pairs: Any, reflexive: bool) -> None:
    """Assert that each row holds what its vertex reaches."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    n = csr.nrows
    A = csr_array((np.ones(csr.nvals), csr.indices, csr.indptr), shape=csr.shape)
    into = A.tocsc()
    rows = np.split(pairs["head"], np.searchsorted(pairs["tail"], np.arange(1, n)))
    for u in range(n):
        right = np.zeros(n, bool)
        right[breadth_first_order(A, u, return_predecessors=False)] = True
        right[u] = reflexive or right[into.indices[into.indptr[u] : into.indptr[u + 1]]].any()
        found = np.zeros(n, bool)
        found[rows[u]] = True
        wrong = np.flatnonzero(found != right)
        if wrong.size:
            v = wrong[0]
            said = f"{u} reaches {v}, and the closure has no entry" if right[v] else f"{u} does not reach {v}"
            raise VerificationError(f"transitive_closure: {said} ({wrong.size:,} differ in this row)")
