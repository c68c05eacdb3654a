"""One row or one column of a matrix, as a vector."""

from __future__ import annotations

from typing import Any

from graphla.engine.arrays.rows import are_rows
from graphla.engine.arrays.work import find_line
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.planning.steps import ExtractStep
from graphla.storage import BitmapVector, CompressedMatrix, SparseVector, VectorStorage

THREADS = 256


FindColumnParameters = read_struct("entries/line.cuh", "FindColumnParameters")


def extract_line(engine: KernelEngine, step: ExtractStep) -> VectorStorage:
    """Return the row or the column that a step extracts from a compressed matrix."""
    of: Any = step.of
    row, column = step.index[::-1] if step.transposed else step.index
    return extract_row(engine, of, row) if find_line(step) == "row" else extract_column(engine, of, column)


def is_line(step: ExtractStep) -> bool:
    """Whether a step extracts a whole row, or a whole column of a matrix with entries."""
    line = find_line(step) if are_rows(step.of) else None
    return line == "row" or (line == "column" and step.of.nvals > 0)


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
    given = FindColumnParameters(
        indptr=of.indptr, indices=of.indices, values=of.values, present=present, out=out, rows=of.nrows, column=column
    )
    kernel(-(-of.nrows // THREADS), THREADS, given)
    return BitmapVector(present, out, engine.lists.count_true(present))
