"""Random numbers by counters in kernels, and the places in a row that they fall on."""

from __future__ import annotations

import numpy as np

from graphla.algorithms.shared.random_words import FIRST, GOLDEN, SECOND, to_word
from graphla.engine.cpu.jit import inner

GOLDEN_WORD, FIRST_WORD, SECOND_WORD = to_word(GOLDEN), to_word(FIRST), to_word(SECOND)
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


@inner()
def mix(x):  # type: ignore[no-untyped-def]
    """The hash of a number of 64 bits."""
    x += GOLDEN_WORD
    x = (x ^ (x >> np.uint64(30))) * FIRST_WORD
    x = (x ^ (x >> np.uint64(27))) * SECOND_WORD
    return x ^ (x >> np.uint64(31))


@inner()
def draw(key, counter):  # type: ignore[no-untyped-def]
    """The random number of one who draws at a counter."""
    return mix(key ^ mix(counter))


@inner()
def scale(number, size):  # type: ignore[no-untyped-def]
    """A random number as one below a size of at most 32 bits."""
    return np.int64(((number >> HALF) * np.uint64(size)) >> HALF)


@inner()
def multiply_high(a, b):  # type: ignore[no-untyped-def]
    """The upper 64 of the 128 bits of a product, for b below 2**63."""
    upper = (a >> HALF) * (b & LOW) + (((a & LOW) * (b & LOW)) >> HALF)
    lower = (a & LOW) * (b >> HALF) + (upper & LOW)
    return (a >> HALF) * (b >> HALF) + (upper >> HALF) + (lower >> HALF)


@inner()
def find_exceeding(sums, low, high, x):  # type: ignore[no-untyped-def]
    """The first place whose sum exceeds a number."""
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] <= x:
            low = middle + 1
        else:
            high = middle
    return low


@inner()
def choose(number, begin, end, sums):  # type: ignore[no-untyped-def]
    """The place of an arc of a row: by the sums of weights, or evenly if there are none; -1 if all weigh nothing."""
    if sums.size == 0:
        return begin + scale(number, end - begin)
    total = sums[end - 1]
    if total == 0:
        return np.int64(-1)
    return find_exceeding(sums, begin, end, multiply_high(number, total))
