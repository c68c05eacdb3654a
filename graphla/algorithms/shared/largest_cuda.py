"""The largest scores of each row on a GPU: launches of largest.cuh.

What scores that a product has written cost: 4 bytes each in FP32, read once. On an H200 of 4 TB/s a tile of 268 rows
takes .13 ms for 500,000 vectors, where the product, of 128 numbers a vector, takes .7 ms at 50 TFLOP/s.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.common.memory import budget
from graphla.engine.cuda.records import read_struct

Array = Any
KERNELS = Path(__file__).with_name("largest.cuh")
LargestParameters = read_struct(KERNELS, "LargestParameters")
LARGEST_THREADS = 256
"""Threads of a block."""
MOST_KEPT = 512
"""Scores of a row that are found in a round."""
BLOCKS, PART = 1024, 8192
"""Blocks that keep a GPU busy, and scores that are worth a block of their own."""
MOST_BLOCKS = 1 << 16
TILE = 1 << 27
"""Scores at once at most, in no more than a quarter of what is free."""


def name_kernels(dtype: Any) -> tuple[str, str]:
    """The kernels for scores of a dtype, compiled as one module."""
    kind = "float" if dtype == "float32" else "double"
    return f"keep_largest<{kind}, false>", f"keep_largest<{kind}, true>"


def begin(engine: Any, dtype: Any) -> int:
    """Begin to compile; how many scores are best looked through at once."""
    engine.begin(KERNELS, *name_kernels(dtype))
    return min(TILE, budget(engine.xp) // (4 * np.dtype(dtype).itemsize))


def find_largest(engine: Any, scores: Array, askers: Array | None, found_places: Array, found_scores: Array) -> None:
    """Fill in the places of the largest scores of each row, and the scores."""
    (rows, places), count, names = scores.shape, found_places.shape[1], name_kernels(scores.dtype)
    parts = max(1, min(-(-BLOCKS // rows), places // PART))
    candidates = engine.xp.empty(rows * parts * min(count, MOST_KEPT), "int32")
    for done in range(0, count, MOST_KEPT):
        given = LargestParameters(
            scores=scores, askers=engine.get_unread("int64") if askers is None else askers, asked=askers is not None,
            places=places, rows=rows, parts=parts, wanted=min(MOST_KEPT, count - done), done=done, count=count,
            candidates=candidates, found_places=found_places, found_scores=found_scores,
        )  # fmt: skip
        for name, blocks in zip(names, (rows * parts, rows), strict=True):
            kernel = engine.kernel(KERNELS, name, beside=names, takes=LargestParameters)
            kernel(min(blocks, MOST_BLOCKS), LARGEST_THREADS, given)
