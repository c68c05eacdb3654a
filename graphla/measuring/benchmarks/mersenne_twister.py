"""The Mersenne Twister of 64 bits (`std::mt19937_64`), which NumPy does not have: GAP draws its sources with it.

Source: Nishimura, "Tables of 64-bit Mersenne Twisters", ACM TOMACS 10(4), 2000.
"""

from __future__ import annotations

from collections.abc import Iterator

SIZE, MIDDLE = 312, 156
BITS = (1 << 64) - 1
HIGH, LOW = BITS ^ ((1 << 31) - 1), (1 << 31) - 1
TWIST = 0xB5026F5AA96619E9
SEEDING = 6364136223846793005


def draw_words(seed: int) -> Iterator[int]:
    """The numbers of 64 bits that follow a seed, without end."""
    state = [seed & BITS]
    for k in range(1, SIZE):
        state.append((SEEDING * (state[-1] ^ state[-1] >> 62) + k) & BITS)
    while True:
        twist(state)
        yield from map(temper, state)


def twist(state: list[int]) -> None:
    """The next state, in place."""
    for k in range(SIZE):
        word = (state[k] & HIGH) | (state[(k + 1) % SIZE] & LOW)
        state[k] = state[(k + MIDDLE) % SIZE] ^ word >> 1 ^ (TWIST if word & 1 else 0)


def temper(word: int) -> int:
    """The number that a word of the state stands for."""
    word ^= word >> 29 & 0x5555555555555555
    word ^= word << 17 & 0x71D67FFFEDA60000
    word ^= word << 37 & 0xFFF7EEE000000000
    return word ^ word >> 43
