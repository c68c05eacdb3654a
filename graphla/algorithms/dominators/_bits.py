"""The steps of `algebraic` by arrays of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
ONE = np.uint64(1)
SHIFTS = np.arange(64, dtype=np.uint64)
CELLS = 1 << 22
"""Bits that are looked at together."""


def join_own(engine: Any, bits: Array, before: Array, source: int) -> bool:
    """Give each vertex its own bit, and the source no other one, in place; whether that differs from before."""
    vertices = np.arange(bits.shape[0])
    bits[source] = 0
    bits[vertices, vertices // 64] |= ONE << (vertices % 64).astype(np.uint64)
    return not np.array_equal(bits, before)


def find_last(engine: Any, bits: Array, n: int, source: int) -> Array:
    """For each vertex the dominator that has one dominator less, -1 of what is not reached: int32."""
    there = np.flatnonzero((bits[:, n // 64] >> SHIFTS[n % 64] & ONE) == 0)
    step = max(1, CELLS // n)
    sizes, found = np.zeros(n, np.int64), np.full(n, -1, np.int32)
    for rows in (there[k : k + step] for k in range(0, there.size, step)):
        sizes[rows] = unpack(bits[rows], n).sum(axis=1)
    for rows in (there[k : k + step] for k in range(0, there.size, step)):
        found[rows] = (unpack(bits[rows], n) & (sizes == sizes[rows][:, None] - 1)).argmax(axis=1)
    found[source] = source
    return found


def unpack(words: Array, n: int) -> Array:
    """The bits of words as truths."""
    bits = (words[:, :, None] >> SHIFTS) & ONE
    return bits.reshape(words.shape[0], -1)[:, :n] != 0
