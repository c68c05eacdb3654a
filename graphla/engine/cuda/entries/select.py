"""Select entries of a CSR matrix by a rule, in their order; columns may be renumbered."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cuda import rendered
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries.by_rows import Filled, compute_offsets
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.source import KERNELS
from graphla.language.scalars import thunk_dtype
from graphla.storage import Array, CompressedMatrix
from semirings import IndexUnaryOp
from semirings.dtypes import BOOL, lookup

NAME = "entries/select.cuh"
FILE = KERNELS / NAME
SELECT_THREADS = 256
SELECT_ROUNDS = 16  # of 32 entries, by each warp of a block
SELECT_TILE = SELECT_THREADS * SELECT_ROUNDS
UNREAD = np.int32(0)


SelectParameters = read_struct("entries/select.cuh", "SelectParameters")


def select(engine: KernelEngine, matrix: CompressedMatrix, op: IndexUnaryOp, thunk: Any) -> CompressedMatrix:
    """The entries for which op(value, i, j, thunk) holds."""
    kind = matrix.type
    scalar = engine.cast_scalar(thunk, thunk_dtype(op, kind))
    prelude = rendered.write_operator(op, (kind, lookup(scalar.dtype)), BOOL)
    return select_by(engine, matrix, "Chosen<Op>", (matrix.values, scalar), matrix.ncols, prelude)


def select_flagged(engine: KernelEngine, matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
    """The entries with a flag."""
    return select_by(engine, matrix, "Flagged", (flags, UNREAD), matrix.ncols)


def select_columns(engine: KernelEngine, matrix: CompressedMatrix, wanted: Array) -> CompressedMatrix:
    """C[:, l] = A[:, wanted[l]] for columns that rise."""
    number, count = engine.xp.empty(matrix.ncols, "int32"), int(wanted.shape[0])
    engine.lists.fill(number, -1)
    if count:
        kernel = engine.get_own_kernel(NAME, f"number_columns<{engine.c_type(wanted)}>")
        kernel(-(-count // SELECT_THREADS), SELECT_THREADS, (wanted, np.int32(count), number))
    return select_by(engine, matrix, "Mapped", (number, UNREAD), int(wanted.shape[0]))


def select_span(engine: KernelEngine, matrix: CompressedMatrix, columns: range) -> CompressedMatrix:
    """C[:, l] = A[:, columns[l]] for neighbouring columns."""
    given = np.int32(columns.start), np.int32(len(columns))
    return select_by(engine, matrix, "Span", given, len(columns))


def select_outside(engine: KernelEngine, matrix: CompressedMatrix, rows: Array, columns: Array) -> CompressedMatrix:
    """The entries that are not both in a flagged row and in a flagged column."""
    return select_by(engine, matrix, "OutsidePart", (columns, rows), matrix.ncols)


def name_kernels(pointer: str, value: str, rule: str) -> tuple[str, str, str]:
    """Name the kernels that find the borders of tiles, count and fill, by the C types of row pointers and values."""
    return f"select_borders<{pointer}>", f"select_count<{rule}, {pointer}>", f"select_fill<{rule}, {pointer}, {value}>"


def begin_rule(engine: KernelEngine, pointer: str, value: str, rule: str) -> None:
    """Begin to compile what a rule that needs no operator takes."""
    engine.begin(FILE, *name_kernels(pointer, value, rule))


def select_by(
    engine: KernelEngine, matrix: CompressedMatrix, rule: str, given: tuple[Any, Any], width: int, prelude: str = ""
) -> CompressedMatrix:
    """Count, then fill, by a rule and the two things that it reads."""
    xp, shape = engine.xp, (matrix.nrows, width)
    if matrix.nvals == 0:
        return Filled(xp, shape, 0, matrix.dtype).matrix()
    tiles = -(-matrix.nvals // SELECT_TILE)
    entries, borders, counts = np.int64(matrix.nvals), xp.empty(tiles + 1, "int32"), xp.empty(tiles, "int32")
    names = name_kernels(engine.c_type(matrix.indptr), engine.c_type(matrix.values), rule)
    engine.lists.begin("scan")
    marking = engine.kernel(FILE, names[0], prelude, beside=names)
    marking(
        -(-(tiles + 1) // SELECT_THREADS),
        SELECT_THREADS,
        (matrix.indptr, np.int32(matrix.nrows), np.int32(tiles), entries, borders),
    )
    structure = *given, matrix.indptr, matrix.indices
    counting = engine.kernel(FILE, names[1], prelude, beside=names)
    counting(tiles, SELECT_THREADS, (*structure, entries, borders, counts))
    begins, many = compute_offsets(engine, counts)
    result = Filled(xp, shape, many, matrix.dtype, matrix.indptr.dtype)
    filling = engine.kernel(FILE, names[2], prelude, takes=SelectParameters)
    first, second = given
    parameters = SelectParameters(
        first=first,
        second=second,
        indptr=matrix.indptr,
        indices=matrix.indices,
        values=matrix.values,
        entries=matrix.nvals,
        borders=borders,
        kept_before=begins,
        out_indptr=result.indptr,
        out_indices=result.indices,
        out_values=result.values,
    )
    filling(tiles, SELECT_THREADS, parameters)
    return result.matrix()
