"""One row or one column of a matrix, as a vector."""

from __future__ import annotations

from typing import Any, NamedTuple

from graphla.engine.arrays.extract import is_all
from graphla.engine.cuda.base import KernelEngine
from graphla.planning.steps import ExtractStep
from graphla.storage import Array, BitmapVector, CompressedMatrix, SparseVector, VectorStorage

THREADS = 256


class FindColumnParameters(NamedTuple):
    """The struct of line.cuh."""

    indptr: Array
    indices: Array
    values: Array
    present: Array
    out: Array
    rows: int
    column: int


def extract_line(engine: KernelEngine, step: ExtractStep) -> VectorStorage | None:
    """Return the row or the column that a step extracts from a compressed matrix; None if it extracts another part."""
    of, index = step.of, step.index[::-1] if step.transposed else step.index
    if not isinstance(of, CompressedMatrix) or len(index) != 2 or of.indices.itemsize != 4:
        return None
    if isinstance(index[0], int) and is_all(index[1], of.ncols):
        return extract_row(engine, of, index[0])
    if isinstance(index[1], int) and is_all(index[0], of.nrows) and of.nvals:
        return extract_column(engine, of, index[1])
    return None


def extract_row(engine: KernelEngine, of: CompressedMatrix, row: int) -> SparseVector:
    """Copy a row."""
    first, last = engine.to_host(of.indptr[row : row + 2]).tolist()
    return SparseVector(of.ncols, *(engine.lists.copy(held[first:last]) for held in (of.indices, of.values)))


def extract_column(engine: KernelEngine, of: CompressedMatrix, column: int) -> VectorStorage:
    """Search the column in each row, or copy a row of the transpose if that is cached."""
    if of.is_cached("transposed"):
        return extract_row(engine, engine.transpose(of), column)
    xp: Any = engine.xp
    present, out = xp.empty(of.nrows, bool), xp.zeros(of.nrows, of.dtype)
    name = f"find_column<{engine.c_type(of.values)}, {engine.c_type(of.indptr)}>"
    kernel = engine.get_own_kernel("entries/line.cuh", name, takes=FindColumnParameters)
    given = FindColumnParameters(of.indptr, of.indices, of.values, present, out, of.nrows, column)
    kernel(-(-of.nrows // THREADS), THREADS, given)
    return BitmapVector(present, out, engine.lists.count_true(present))
