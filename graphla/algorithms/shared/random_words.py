"""Random numbers by counters: each is a hash of the seed, of who draws, the step and the draw, whatever the order.

The hash is the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
2014). The same lines stand in random_words_cpu.py and _random_words.cuh.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
GOLDEN, FIRST, SECOND = -0x61C8864680B583EB, -0x40A7B892E31B1A47, -0x6B2FB644ECCEEE15
"""Words of 64 bits, as signed numbers."""


def to_word(number: int) -> np.uint64:
    """The 64 bits of a signed number."""
    return np.uint64(number & 0xFFFFFFFFFFFFFFFF)


def mix(x: Array) -> Array:
    """The hash of numbers of 64 bits."""
    x = x + to_word(GOLDEN)
    x = (x ^ (x >> np.uint64(30))) * to_word(FIRST)
    x = (x ^ (x >> np.uint64(27))) * to_word(SECOND)
    return x ^ (x >> np.uint64(31))


def draw(keys: Array, counter: int) -> Array:
    """The number of each who draws at a counter: 64 bits."""
    return mix(keys ^ mix(np.full(1, counter, np.uint64))[0])


def make_keys(seed: int, numbers: Array) -> Array:
    """What tells those apart who draw, by their numbers of 64 bits: 64 bits each."""
    return mix(numbers ^ hash_seed(seed))


def hash_seed(seed: int) -> np.uint64:
    """The hash of a seed, of which 64 bits count."""
    return mix(np.full(1, seed & 0xFFFFFFFFFFFFFFFF, np.uint64))[0]


def multiply_high(a: Array, b: Array) -> Array:
    """The upper 64 of the 128 bits of products, for b below 2**63."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    upper = (a >> half) * (b & low) + (((a & low) * (b & low)) >> half)
    lower = (a & low) * (b >> half) + (upper & low)
    return (a >> half) * (b >> half) + (upper >> half) + (lower >> half)
