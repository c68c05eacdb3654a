"""A matrix with some of its rows replaced by others, in one pass over the entries of the result."""

from __future__ import annotations

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.lists import BY_BYTES
from graphla.engine.cuda.records import read_struct
from graphla.storage import Array, CompressedMatrix
from graphla.storage.formats import choose_index_dtype

FILE = "entries/splice.cuh"
SPLICE_THREADS, SPLICE_EACH = 256, 8
"""Threads of a block, and entries of a thread."""


SpliceParameters = read_struct("entries/splice.cuh", "SpliceParameters")


def name_kernel(engine: KernelEngine, matrix: CompressedMatrix, indptr: Array) -> str:
    """Name the kernel for a matrix, and rows with these pointers."""
    c = BY_BYTES[matrix.values.dtype.itemsize][0]
    return f"splice<{engine.c_type(matrix.indptr)}, {engine.c_type(indptr)}, {c}>"


def splice_rows(
    engine: KernelEngine, matrix: CompressedMatrix, places: Array, rows: CompressedMatrix
) -> CompressedMatrix:
    """Return a matrix with its rows at `places`, which rise in int64, replaced by those of another."""
    xp, lists = engine.xp, engine.lists
    lengths, fresh = lists.measure_rows(matrix.indptr), lists.measure_rows(rows.indptr)
    lists.scatter(lengths, places, lists.cast(fresh, lengths.dtype.name))
    pointers = lists.make_pointers(lengths)
    entries = engine.device.last_number(pointers)
    indices, values = xp.empty(entries, "int32"), xp.empty(entries, matrix.dtype)
    if entries:
        kind = BY_BYTES[values.dtype.itemsize][1]
        kernel = engine.get_own_kernel(FILE, name_kernel(engine, matrix, rows.indptr), takes=SpliceParameters)
        given = SpliceParameters(
            indptr=matrix.indptr,
            indices=matrix.indices,
            values=matrix.values.view(kind),
            row_indptr=rows.indptr,
            row_indices=rows.indices,
            row_values=rows.values.view(kind),
            places=places,
            out_indptr=pointers,
            replaced=int(places.shape[0]),
            entries=entries,
            out_indices=indices,
            out_values=values.view(kind),
        )
        kernel(-(-entries // (SPLICE_THREADS * SPLICE_EACH)), SPLICE_THREADS, given)
    narrow = lists.cast(pointers, choose_index_dtype(entries))
    return CompressedMatrix(*matrix.shape, narrow, indices, values)
