"""Kernels of a change to a CSR matrix on a GPU: bisection in rows, and one pass over what is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.blocks import launch_over
from graphla.engine.cuda.lists import BY_BYTES
from graphla.storage import CompressedMatrix

KERNELS = Path(__file__).with_name("changes.cuh")
THREADS = 256
TILE = 2048
"""Entries of what is made that a block writes."""

Array = Any


def locate(engine: Any, matrix: CompressedMatrix, rows: Array, columns: Array) -> tuple[Array, Array]:
    """Where each arc stands, or would, among the entries; and whether it is there."""
    count, xp = int(rows.size), engine.xp
    places, there = xp.empty(count, np.int64), xp.empty(count, bool)
    if count:
        kernel = engine.kernel(KERNELS, f"locate<{engine.c_type(matrix.indptr)}>")
        shape = np.int32(matrix.nrows), np.int64(matrix.nvals)
        ends = xp.ascontiguousarray(rows), xp.ascontiguousarray(columns)
        launch_over(kernel, count, (matrix.indptr, matrix.indices, *shape, *ends, np.int64(count), places, there))
    return places, there


def splice(engine: Any, held: Array, out: Array, into: Array, fresh: Array, made: Array) -> None:
    """Leave out the entries at some places, and put new ones where they belong in what is made; both in order."""
    size, (c, kind) = int(made.size), BY_BYTES[made.itemsize]
    if size:
        given = out, np.int64(out.size), into, np.int64(into.size), fresh.view(kind), np.int64(size), made.view(kind)
        engine.kernel(KERNELS, f"splice<{c}>")(-(-size // TILE), THREADS, (held.view(kind), *given))
