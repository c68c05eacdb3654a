"""Presence bytes: bit s of byte i is set if vector s of a loop has entry i."""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def list_indices(has, bits, listed):  # type: ignore[no-untyped-def]
    """List, in order, the indices whose byte has one of `bits`; return their number. Skips eight bytes at a time."""
    words, size = has.view(np.uint64), 0
    any_of_eight = np.uint64(bits) * np.uint64(0x0101010101010101)
    for word in range(words.size):
        if words[word] & any_of_eight:
            for i in range(8 * word, 8 * word + 8):
                if has[i] & bits:
                    listed[size] = i
                    size += 1
    return size
