"""Running sums of the weights of each row on a GPU: a kernel rounds them, and one parts the sum over all by rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.blocks import make_launch
from graphla.storage import CompressedMatrix
from graphla.storage.convert import expand_pointers

launch = make_launch(Path(__file__).with_name("weight_sums.cuh"))
Array = Any


def add_up_rows(engine: Any, rows: CompressedMatrix, largest: Array) -> Array:
    """For each entry the sum of the values of its row up to it, of which the largest is given: uint64."""
    count, index = rows.nvals, engine.c_type(rows.indptr)
    tails = expand_pointers(engine.xp, rows.indptr, count)
    sums, given = engine.xp.empty(count, "uint64"), (rows.indptr, tails)
    scaling = f"scale_weights<{index}, {engine.c_type(rows.values)}>"
    launch(engine, scaling, count, *given, rows.values, largest, np.int64(count), sums)
    running = engine.xp.cumsum(sums)  # which may exceed 64 bits, and so is unsigned
    launch(engine, f"subtract_begins<{index}>", count, *given, running, np.int64(count), sums)
    return sums
