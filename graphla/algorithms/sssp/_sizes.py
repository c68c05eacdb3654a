"""Which sizes a kernel is built with; the sizes themselves are in `_sizes.cuh`."""

from __future__ import annotations

BLOCK = 512
SPARSE = 8.0  # the average degree below which rows are short (measured)
ROAD = 4.0  # and below which a thread takes a row by itself


def sizes(degree: float) -> str:
    """The name of the sizes for an average degree."""
    if degree < ROAD:
        return "Road"
    return "Sparse" if degree < SPARSE else "Dense"
