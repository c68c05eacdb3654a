"""Matrices of few rows as words: packed, counted, written, and listed again."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays.words import BitWrite, find_last_rows
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.few_rows import FEW_THREADS, FILL_VERTICES, offsets
from graphla.engine.cuda.records import read_struct
from graphla.storage import Array, CompressedMatrix, FullMatrix, MatrixStorage
from graphla.storage.formats import choose_index_dtype
from graphla.storage.words import WORD_LAYERS, WordMatrix, count_planes

FILE = "matmat/word_parts.cuh"
WORD_THREADS = 128
"""Threads of a block of a pull by words."""
MEASURE_BLOCKS, WRITE_BLOCKS = 1024, 1 << 14
"""The most blocks of a launch that counts, and of one that writes."""


WordSpreadParameters = read_struct("matmat/word_parts.cuh", "WordSpreadParameters")
WordWriteParameters = read_struct("matmat/word_parts.cuh", "WordWriteParameters")
WordMeasureParameters = read_struct("matmat/word_parts.cuh", "WordMeasureParameters")
WordSettleParameters = read_struct("matmat/word_parts.cuh", "WordSettleParameters")
WordCountParameters = read_struct("matmat/word_parts.cuh", "WordCountParameters")
WordFillParameters = read_struct("matmat/word_parts.cuh", "WordFillParameters")


def pack_words(engine: KernelEngine, matrix: CompressedMatrix) -> Array:
    """Return the words of a compressed matrix; a thread for each entry."""
    rows, columns = matrix.shape
    words = engine.xp.zeros((count_planes(rows), columns), "uint64")
    if matrix.nvals:
        name, offset = f"word_spread<{engine.c_type(matrix.indptr)}>", matrix.indptr.dtype.type
        kernel = engine.get_own_kernel(FILE, name, takes=WordSpreadParameters)
        given = WordSpreadParameters(
            indptr=matrix.indptr,
            indices=matrix.indices,
            words=words,
            entries=offset(matrix.nvals),
            rows=rows,
            columns=columns,
        )
        kernel(-(-matrix.nvals // FEW_THREADS), FEW_THREADS, given)
    return words


def measure_words(engine: KernelEngine, held: WordMatrix, along: CompressedMatrix | None) -> tuple[int, int]:
    """Count the entries, and those of the rows of another matrix that they meet; the host waits."""
    counter = engine.device.take_counter()
    indptr = engine.get_unread("int32") if along is None else along.indptr
    kernel = engine.get_own_kernel(FILE, f"word_measure<{engine.c_type(indptr)}>", takes=WordMeasureParameters)
    planes = count_planes(held.nrows)
    given = WordMeasureParameters(
        words=held.words,
        indptr=indptr,
        numbers=counter.array,
        columns=held.ncols,
        planes=planes,
        counts_arcs=along is not None,
    )
    kernel(min(MEASURE_BLOCKS, -(-held.ncols // FEW_THREADS)), FEW_THREADS, given)
    entries, _, arcs = engine.device.read_counters(counter)[:3]
    return entries, arcs


def are_all_true(engine: KernelEngine, matrix: CompressedMatrix) -> bool:
    """Whether a matrix of BOOL holds true in every entry; the host waits."""
    return matrix.dtype == "bool" and engine.lists.count_true(matrix.values) == matrix.nvals


def settle_cells(engine: KernelEngine, held: WordMatrix) -> Array:
    """Return the values at all cells; where there is no entry they are undefined."""
    base, planes = held.base, count_planes(held.nrows)
    if isinstance(base, FullMatrix):
        cells = engine.device.copy(base.values)
    else:
        cells = engine.xp.empty(held.shape, held.type.numpy)
        if base is not None and base.nvals:
            engine.lists.scatter(cells.reshape(-1), engine.number_cells(base), base.values)
    layers, numbers = list_layers(engine, held)
    kernel = engine.get_own_kernel(FILE, f"word_settle<{engine.c_type(cells)}>", takes=WordSettleParameters)
    given = WordSettleParameters(
        words=held.words,
        layers=layers,
        numbers=numbers,
        cells=cells,
        many=len(held.layers),
        columns=held.ncols,
        planes=planes,
    )
    kernel(min(WRITE_BLOCKS, -(-held.ncols // FEW_THREADS)), FEW_THREADS, given)
    return cells


def list_layers(engine: KernelEngine, held: WordMatrix) -> tuple[tuple[Array, ...], Array]:
    """Return the words of the layers, padded, and their numbers."""
    words, values = [layer.words for layer in held.layers], [layer.value for layer in held.layers]
    numbers = engine.xp.asarray(np.asarray(values or [0], held.type.numpy))
    return (*words, *[engine.get_unread("uint64")] * (WORD_LAYERS - len(words))), numbers


def combine_bits(engine: KernelEngine, write: BitWrite) -> tuple[Array, Array]:
    """Return the new words, and those of the cells that are written if these are listed."""
    (rows, columns), xp, unread = write.shape, engine.xp, engine.get_unread("uint64")
    out = xp.empty((count_planes(rows), columns), "uint64")
    listed = xp.empty_like(out) if write.lists else unread
    kept = write.old is not None
    given = WordWriteParameters(
        found=unread if write.found is None else write.found,
        other=unread if write.other is None else write.other,
        mask=unread if write.mask is None else write.mask,
        old=write.old if kept else unread,
        out=out,
        written=listed,
        columns=columns,
        planes=count_planes(rows),
        last=find_last_rows(rows),
        masked=0 if write.mask is None else 2 if write.complement else 1,
        finds=0 if write.found is None else 1 if write.other is None else 2 if write.union else 3,
        keeps_inside=kept and write.keeps_inside,
        keeps_outside=kept and write.keeps_outside,
        lists=write.lists,
    )
    kernel = engine.get_own_kernel(FILE, "word_write", takes=WordWriteParameters)
    kernel(min(WRITE_BLOCKS, -(-out.size // FEW_THREADS)), FEW_THREADS, given)
    return out, listed


def list_words(engine: KernelEngine, held: WordMatrix) -> MatrixStorage:
    """Return the entries as a compressed matrix; one with an entry in every cell as a full one."""
    xp, (rows, columns), kind = engine.xp, held.shape, held.type.numpy
    if held.alike is not None and len(held.layers) == 1:
        values = xp.empty(held.alike.nvals, kind)
        engine.lists.fill(values, held.layers[0].value)
        return CompressedMatrix(rows, columns, held.alike.indptr, held.alike.indices, values)
    parts, groups = -(-columns // FILL_VERTICES), -(-rows // 32)
    counts = xp.empty(rows * parts, "int32")
    grid = -(-parts * 32 // FEW_THREADS), groups
    counting = engine.get_own_kernel(FILE, "word_count", takes=WordCountParameters)
    counting(
        grid, FEW_THREADS, WordCountParameters(words=held.words, counts=counts, columns=columns, rows=rows, parts=parts)
    )
    begins, pointers = offsets(engine, counts, rows)
    entries = engine.device.last_number(begins)
    held.__dict__["nvals"] = entries
    indices, values = xp.empty(entries, "int32"), xp.empty(entries, kind)
    if entries:
        fill_entries(engine, held, grid, begins, indices, values)
    if entries == rows * columns:
        return FullMatrix(values.reshape(held.shape))
    narrow = engine.lists.cast(pointers, choose_index_dtype(entries))
    return CompressedMatrix(rows, columns, narrow, indices, values)


def fill_entries(
    engine: KernelEngine, held: WordMatrix, grid: tuple[int, int], begins: Array, indices: Array, values: Array
) -> None:
    """Write the columns and the values of the entries, row after row."""
    base: Any = held.base
    layers, numbers = list_layers(engine, held)
    unread = engine.get_unread("int32")
    listed = isinstance(base, CompressedMatrix)
    indptr = base.indptr if listed else unread
    given = WordFillParameters(
        words=held.words,
        layers=layers,
        numbers=numbers,
        indptr=indptr,
        base=base.indices if listed else unread,
        base_values=engine.get_unread(values.dtype.name) if base is None else base.values,
        begins=begins,
        indices=indices,
        values=values,
        dense=isinstance(base, FullMatrix),
        many=len(held.layers),
        columns=held.ncols,
        rows=held.nrows,
        parts=-(-held.ncols // FILL_VERTICES),
    )
    name = f"word_fill<{engine.c_type(values)}, {engine.c_type(indptr)}>"
    engine.get_own_kernel(FILE, name, takes=WordFillParameters)(grid, FEW_THREADS, given)
