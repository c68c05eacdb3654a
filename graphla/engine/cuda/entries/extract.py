"""C[k, l] = A[rows[k], columns[l]] of a matrix by rows, and its transpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays.extract import is_all, is_rising, to_positions
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries import select
from graphla.engine.cuda.entries.by_rows import Filled
from graphla.storage import Array, CompressedMatrix

FILE = "entries/extract.cuh"
EXTRACT_THREADS, EXTRACT_TILE = 256, 4096  # entries of a block


def extract_part(engine: KernelEngine, of: CompressedMatrix, rows: Any, columns: Any) -> CompressedMatrix:
    """Rows, then columns; columns that do not rise are rows of the transpose."""
    if of.is_cached("transposed") and 2 * len(to_sequence(rows)) >= of.nrows and moves(engine.xp, columns, of.ncols):
        by_columns = extract_rows(engine, engine.transpose(of), columns)
        return extract_part(engine, transpose(engine, by_columns), rows, range(by_columns.nrows))
    begin_part(engine, of, rows, columns)
    if takes_span(rows, columns, of.ncols):
        return select.select_span(engine, find_rows(engine, of, rows), columns)
    if not is_all(rows, of.nrows):
        of = extract_rows(engine, of, rows)
    if is_all(columns, of.ncols):
        return of
    wanted = to_positions(engine.xp, columns)
    if is_rising(columns, wanted):
        return select.select_columns(engine, of, wanted)
    return transpose(engine, extract_rows(engine, transpose(engine, of), columns))


def begin_part(engine: KernelEngine, of: CompressedMatrix, rows: Any, columns: Any) -> None:
    """Begin to compile what taking rows and columns that rise needs."""
    engine.lists.begin("scan", "indices")
    if takes_span(rows, columns, of.ncols):
        select.begin_rule(engine, engine.c_type(of.indptr), engine.c_type(of.values), "Span")
        return
    if not is_all(rows, of.nrows):
        engine.begin(FILE, name_kernel(engine, of))
    if not is_all(columns, of.ncols):
        select.begin_rule(engine, engine.c_type(of.indptr), engine.c_type(of.values), "Mapped")
        engine.begin(select.FILE, "number_columns<long long>")


def is_run(index: Any) -> bool:
    """Whether an index is of neighbours, as they stand, and at least of one."""
    return isinstance(index, range) and index.step == 1 and len(index) > 0


def takes_span(rows: Any, columns: Any, width: int) -> bool:
    """Whether neighbouring rows are taken, and of these neighbouring columns: then no row is copied first."""
    return is_run(rows) and is_run(columns) and not is_all(columns, width)


def find_rows(engine: KernelEngine, of: CompressedMatrix, rows: range) -> CompressedMatrix:
    """Neighbouring rows of a matrix, whose entries stay where they are."""
    if is_all(rows, of.nrows):
        return of
    begin, end = map(int, engine.read_places(0, of.indptr[rows.start :], of.indptr[rows.stop :]))
    pointers = of.indptr[rows.start : rows.stop + 1]
    if begin:
        pointers = engine.lists.blocks.shift(pointers, -begin, 1, pointers.dtype.name)
    return CompressedMatrix(len(rows), of.ncols, pointers, of.indices[begin:end], of.values[begin:end])


def name_kernel(engine: KernelEngine, of: CompressedMatrix) -> str:
    """Name the kernel that copies rows."""
    return f"extract_rows<{engine.c_type(of.indptr)}, {engine.c_type(of.values)}>"


def to_sequence(index: Any) -> Any:
    """An index as a sequence of positions."""
    return (index,) if isinstance(index, int) else index


def moves(xp: Any, columns: Any, width: int) -> bool:
    """Whether columns are taken in another order."""
    return not is_all(columns, width) and not is_rising(columns, to_positions(xp, columns))


def extract_rows(engine: KernelEngine, of: CompressedMatrix, index: Any) -> CompressedMatrix:
    """C[k, :] = A[index[k], :]."""
    xp, rows = engine.xp, to_positions(engine.xp, index)
    begins, lengths = engine.lists.find_spans(of.indptr, rows)
    upto = engine.lists.make_pointers(lengths)
    entries = engine.device.last_number(upto)
    result = Filled(xp, (int(rows.shape[0]), of.ncols), entries, of.dtype)
    result.indptr = upto
    if entries:
        kernel = engine.get_own_kernel(FILE, name_kernel(engine, of))
        kernel(
            -(-entries // EXTRACT_TILE),
            EXTRACT_THREADS,
            (begins, upto, np.int32(rows.shape[0]), of.indices, of.values, np.int64(entries), *result.arrays[1:]),
        )
    return result.matrix()


def transpose(engine: KernelEngine, of: CompressedMatrix) -> CompressedMatrix:
    """The rows of the transpose: entries by column, in the order of the rows where columns are the same."""
    lists = engine.lists
    order = engine.device.order(of.indices)
    pointers = lists.point_rows(lists.gather(of.indices, order), of.ncols)
    rows, values = lists.gather(expand_rows(engine, of), order), lists.gather(of.values, order)
    return CompressedMatrix(of.ncols, of.nrows, pointers, rows, values)


def expand_rows(engine: KernelEngine, of: CompressedMatrix) -> Array:
    """The row of each entry."""
    return engine.lists.number_rows(of.indptr, of.nvals, "int32")
