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


def locate_for_host(engine: Any, matrix: CompressedMatrix, rows: Array, columns: Array) -> tuple[Array, Array]:
    """The same of arcs on the host: one copy there, and one back."""
    count = int(rows.size)
    if not count:
        return np.empty(0, np.int64), np.empty(0, bool)
    places, there = locate(engine, matrix, *engine.asarray(np.stack([rows, columns])))
    return engine.to_host(places), engine.to_host(there)


def move_pointers(engine: Any, indptr: Array, gone: Array, fresh: Array, n: int, dtype: str) -> Array:
    """The pointers of n rows, when arcs have gone from some rows and come to some, which are in order."""
    made = engine.xp.empty(n + 1, dtype)
    kernel = engine.kernel(KERNELS, f"move_pointers<{engine.c_type(indptr)}, {engine.c_type(made)}>")
    given = gone, np.int64(gone.size), fresh, np.int64(fresh.size), np.int64(n + 1), made
    launch_over(kernel, n + 1, (indptr, np.int64(indptr.size - 1), *given))
    return made


def splice(engine: Any, held: Array, out: Array, into: Array, fresh: Array, made: Array) -> None:
    """Leave out the entries at some places, and put new ones where they belong in what is made; both in order."""
    size, (c, kind) = int(made.size), BY_BYTES[made.itemsize]
    if size:
        given = out, np.int64(out.size), into, np.int64(into.size), fresh.view(kind), np.int64(size), made.view(kind)
        engine.kernel(KERNELS, f"splice<{c}>")(-(-size // TILE), THREADS, (held.view(kind), *given))
