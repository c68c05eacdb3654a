"""Random bits from a counter, so that NumPy and CuPy, in pieces of any size, draw the same graph.

SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
"""

from __future__ import annotations

from typing import Any

GAMMA = 0x9E3779B97F4A7C15
MASK = 2**64 - 1


def scramble(x: Any, xp: Any) -> Any:
    """The finaliser of SplitMix64 on an array of uint64, in place: a bijection of 64 bits."""
    x ^= x >> xp.uint64(30)
    x *= xp.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> xp.uint64(27)
    x *= xp.uint64(0x94D049BB133111EB)
    x ^= x >> xp.uint64(31)
    return x


def derive_state(seed: int, number: int = 0) -> int:
    """A 64-bit state for the stream of that number: streams of one seed have nothing in common."""
    x = (seed * GAMMA + number * 0xD1B54A32D192ED03 + GAMMA) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def draw_bits(start: int, count: int, state: int, xp: Any) -> Any:
    """The draws `start` … ``start + count - 1`` of a stream, 64 random bits each."""
    return draw_at(xp.arange(start, start + count, dtype=xp.uint64), state, xp)


def draw_at(numbers: Any, state: int, xp: Any) -> Any:
    """The draws of these numbers of a stream, 64 random bits each."""
    x = numbers.astype(xp.uint64)
    x += xp.uint64(1)
    x *= xp.uint64(GAMMA)
    x += xp.uint64(state)
    return scramble(x, xp)


def to_integers_below(bits: Any, bound: Any, xp: Any) -> Any:
    """Random bits to int64 from 0 to ``bound - 1``, for bounds up to 2**32: one, or one each."""
    below = bound.astype(xp.uint64) if hasattr(bound, "astype") else xp.uint64(bound)
    return ((bits >> xp.uint64(32)) * below >> xp.uint64(32)).astype(xp.int64)


def to_unit_interval(bits: Any, xp: Any) -> Any:
    """Random bits to float64 in [0, 1)."""
    return (bits >> xp.uint64(11)).astype(xp.float64) * 2.0**-53
