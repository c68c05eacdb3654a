"""C[i, j] = ∨ over k of A[i, k] ∧ B[k, j] over full boolean matrices: where A[i, k], row k of B joins row i of C.

Rows of B and C are packed, 64 columns in a word. O(n m k / 64), and only for the k where A is true; on all cores.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import over_rows

WORD = 64
"""Columns of a word."""


def lor_land(A: Any, B: Any) -> Any:
    """The product as a new array of truths."""
    packed, out = words(B), np.zeros((A.shape[0], -(-B.shape[1] // WORD)), np.uint64)
    work = A.shape[1] * out.shape[1]
    pointers = np.arange(A.shape[0] + 1) * max(1, work)
    over_rows(joined, pointers, A.shape[0] * work, np.ascontiguousarray(A), packed, out)
    return np.unpackbits(out.view(np.uint8), axis=1, count=B.shape[1], bitorder="little").view(bool)


def words(B: Any) -> Any:
    """The rows of B, packed."""
    packed = np.packbits(B, axis=1, bitorder="little")
    whole = np.zeros((B.shape[0], -(-B.shape[1] // WORD) * WORD // 8), np.uint8)
    whole[:, : packed.shape[1]] = packed
    return whole.view(np.uint64)


@njit()
def joined(first, last, indptr, A, B, C):  # type: ignore[no-untyped-def]
    """The rows `first` to `last` of C, which begins as all false."""
    for i in range(first, last):
        row = C[i]
        for k in range(A.shape[1]):
            if A[i, k]:
                other = B[k]
                for w in range(row.shape[0]):
                    row[w] |= other[w]
    return 0
