"""C[k, l] = A[rows[k], columns[l]] of a matrix by rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.convert import csr_transpose
from graphla.engine.arrays.parts import is_all, positions
from graphla.engine.cuda import keep
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.shares import Filled
from graphla.storage import Array, CompressedMatrix

FILE = "gather.cuh"
THREADS, TILE = 256, 4096  # gather.cuh: GATHER_TILE


def part(engine: KernelEngine, of: CompressedMatrix, rows: Any, columns: Any) -> CompressedMatrix:
    """Rows, then columns; columns that do not rise are rows of the transpose."""
    if not is_all(rows, of.nrows):
        of = some_rows(engine, of, rows)
    if is_all(columns, of.ncols):
        return of
    wanted = positions(engine.xp, columns)
    if rises(columns, wanted):
        return keep.columns(engine, of, wanted)
    return csr_transpose(some_rows(engine, csr_transpose(of), columns))


def rises(index: Any, places: Array) -> bool:
    """Whether positions are in order, none twice."""
    return index.step > 0 if isinstance(index, range) else bool((places[1:] > places[:-1]).all())


def some_rows(engine: KernelEngine, of: CompressedMatrix, index: Any) -> CompressedMatrix:
    """C[k, :] = A[index[k], :]."""
    xp, rows = engine.xp, positions(engine.xp, index)
    begins = of.indptr[rows]
    upto = xp.zeros(rows.shape[0] + 1, "int64")
    xp.cumsum(of.indptr[rows + 1] - begins, dtype="int64", out=upto[1:])
    entries = int(upto[-1])
    result = Filled(xp, (int(rows.shape[0]), of.ncols), entries, of.dtype)
    result.pointers = upto
    if entries:
        kernel = engine.own_kernel(FILE, f"gather_rows<{engine.c_type(of.indptr)}, {engine.c_type(of.values)}>")
        kernel(
            -(-entries // TILE),
            THREADS,
            (begins, upto, np.int32(rows.shape[0]), of.indices, of.values, np.int64(entries), *result.arrays[1:]),
        )
    return result.matrix()
