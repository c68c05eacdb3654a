"""The sizes that the kernels are built with, as the constants that come before their text."""

from __future__ import annotations

from typing import Any

import numpy as np

SIZES = {
    "BLOCK": 512,
    "RESIDENT": 2,  # blocks on a multiprocessor
    "LEAD": 2,  # arcs at the front of a row that one thread takes
    "WIDE": 2048,  # arcs of the rest that one warp takes
    "STASH": 256,  # longer rows that a block puts aside at a time
    "AHEAD": 2,  # arcs that a thread has in flight
    "NEAR": 3072,  # vertices of a frontier in the shared memory of a block
    "FAR": 1024,  # vertices of the pile that a block stages
    "ALONE_NEAR": 1024,  # a frontier that one block settles by itself
    "ALONE_FAR": 16384,  # a pile that it sorts out by itself
    "NEAR_LEAD": 32,  # LEAD and AHEAD where whole rows are relaxed
    "NEAR_AHEAD": 4,
    "IDLE": 4096,  # vertices a round that are too few: the step grows
}
SIZES_64 = {"RESIDENT": 1}  # distances of 64 bits need the registers
SIZES_SPARSE = {"RESIDENT": 1, "LEAD": 8, "AHEAD": 4}  # short rows, many rounds of one block (measured)
SPARSE = 8.0  # the average degree below which a graph is taken for one of these


def prelude(dtype: np.dtype[Any], degree: float) -> str:
    """The constants for a dtype of distances and an average degree."""
    sizes = SIZES | (SIZES_SPARSE if degree < SPARSE else {}) | (SIZES_64 if dtype.itemsize == 8 else {})
    return "".join(f"constexpr int {name} = {size};\n" for name, size in sizes.items())
