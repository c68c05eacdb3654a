"""The definition, edge by edge, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any


def verify(csr: Any, chosen: Array) -> None:
    """Assert that no two chosen vertices are neighbours, and that each other vertex has a chosen one."""
    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    clash = np.flatnonzero(chosen[tails] & chosen[csr.indices])
    if clash.size:
        raise VerificationError(
            f"independent_set: {tails[clash[0]]} and {csr.indices[clash[0]]} are neighbours, and both are chosen"
        )
    covered = chosen.copy()
    covered[tails[chosen[csr.indices]]] = True
    free = np.flatnonzero(~covered)
    if free.size:
        raise VerificationError(
            f"independent_set: vertex {free[0]} and its neighbours are not chosen ({free.size} such): not maximal"
        )
