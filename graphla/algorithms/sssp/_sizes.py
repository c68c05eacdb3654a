"""Choose the sizes that a kernel is built with; `_sizes.cuh` defines them."""

from __future__ import annotations

BLOCK = 512
WORDS = 64  # of the counts that blocks share: a barrier, then
TALLIES = 8  # where three tallies begin, and
COUNTS = 32  # where the counts begin
SPARSE = 8.0  # the average degree below which rows are short (measured)
ROAD = 4.0  # and below which a thread takes a row by itself


def choose_sizes(degree: float) -> str:
    """Choose the name of the sizes for an average degree."""
    if degree < ROAD:
        return "Road"
    return "Sparse" if degree < SPARSE else "Dense"
