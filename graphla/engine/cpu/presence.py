"""Where entries stand, told by a byte a place: a bit for each vector of a loop."""

from __future__ import annotations

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def places_of(has, bits, listed):  # type: ignore[no-untyped-def]
    """List, in order, the places that hold one of `bits`; eight at a time are passed over. How many there are."""
    words, size = has.view(np.uint64), 0
    any_of_eight = np.uint64(bits) * np.uint64(0x0101010101010101)
    for word in range(words.size):
        if words[word] & any_of_eight:
            for i in range(8 * word, 8 * word + 8):
                if has[i] & bits:
                    listed[size] = i
                    size += 1
    return size
