"""C[i, j] = ∨_k A[i, k] ∧ B[k, j] for full Boolean matrices: each true A[i, k] or-s row k of B into row i of C.

Rows of B and C are packed, 64 columns per word. O(n m k / 64), and only for the k where A is true; on all cores.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import run_over_rows

WORD = 64
"""Columns per word."""


def lor_land(A: Any, B: Any) -> Any:
    """Compute the product as a new Boolean array."""
    packed, out = pack_rows(B), np.zeros((A.shape[0], -(-B.shape[1] // WORD)), np.uint64)
    work = A.shape[1] * out.shape[1]
    pointers = np.arange(A.shape[0] + 1) * max(1, work)
    run_over_rows(join_rows, pointers, A.shape[0] * work, np.ascontiguousarray(A), packed, out)
    return np.unpackbits(out.view(np.uint8), axis=1, count=B.shape[1], bitorder="little").view(bool)


def pack_rows(B: Any) -> Any:
    """Pack the rows of B into words."""
    packed = np.packbits(B, axis=1, bitorder="little")
    whole = np.zeros((B.shape[0], -(-B.shape[1] // WORD) * WORD // 8), np.uint8)
    whole[:, : packed.shape[1]] = packed
    return whole.view(np.uint64)


@njit()
def join_rows(first, last, A, B, C):  # type: ignore[no-untyped-def]
    """Compute the rows `first` to ``last - 1`` of C, which is initially false."""
    for i in range(first, last):
        row = C[i]
        for k in range(A.shape[1]):
            if A[i, k]:
                other = B[k]
                for w in range(row.shape[0]):
                    row[w] |= other[w]
    return 0
