"""Matrices of few rows as words on the CPU: products by compiled kernels, the rest by NumPy, 64 rows at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays.words import BitWrite, find_last_rows, write_words
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import run_over_rows
from graphla.planning.steps import Plan
from graphla.storage import Array, CompressedMatrix, FullMatrix, MatrixStorage
from graphla.storage.convert import make_pointers
from graphla.storage.formats import choose_index_dtype
from graphla.storage.words import WORD, WordMatrix, count_planes

NO_MASK, INSIDE, OUTSIDE = 0, 1, 2
"""What a mask allows, as the kernels are told."""


def run_word_product(engine: Any, plan: Plan) -> WordMatrix:
    """Multiply under the mask, and write what is found into the target."""
    step: Any = plan.step
    out = np.zeros((count_planes(step.shape[0]), step.shape[1]), "uint64")
    allowed: Any = None if step.mask is None else step.mask.of
    kind = NO_MASK if step.mask is None else OUTSIDE if step.mask.complement else INSIDE
    mask = out if allowed is None else allowed.words
    last = np.uint64(find_last_rows(step.shape[0]))
    if step.direction == "pull":
        matrix = engine.orient(step.matrix, not step.transposed)
        given = matrix.indptr, matrix.indices, step.words.words, mask, kind, last, out
        run_over_rows(pull_words, matrix.indptr, matrix.nvals * len(out), *given)
    else:
        matrix = engine.orient(step.matrix, step.transposed)
        push_words(matrix.indptr, matrix.indices, step.words.words, mask, kind, last, out)
    overwrites = plan.accum is None and (plan.mask is None or plan.replace)
    return write_words(engine, plan, out, None if overwrites or plan.target is None else plan.mask)


@njit()
def pull_words(first, last, indptr, indices, words, mask, kind, every, out):  # type: ignore[no-untyped-def]
    """Join the words along the rows of the transpose; a row ends when it has every bit that it can get."""
    planes = out.shape[0]
    for i in range(first, last):
        for plane in range(planes):
            want = every if plane == planes - 1 else ~np.uint64(0)
            if kind == 1:
                want &= mask[plane, i]
            elif kind == 2:
                want &= ~mask[plane, i]
            got, q, end = np.uint64(0), indptr[i], indptr[i + 1]
            while q < end and want & ~got:
                got |= words[plane, indices[q]]
                q += 1
            out[plane, i] = got & want
    return 0


@njit()
def push_words(indptr, indices, words, mask, kind, every, out):  # type: ignore[no-untyped-def]
    """Join the words of the columns that have an entry into those that their arcs lead to."""
    planes = out.shape[0]
    for k in range(words.shape[1]):
        for plane in range(planes):
            word = words[plane, k]
            if word:
                for q in range(indptr[k], indptr[k + 1]):
                    i = indices[q]
                    if kind == 0:
                        out[plane, i] |= word
                    elif kind == 1:
                        out[plane, i] |= word & mask[plane, i]
                    else:
                        out[plane, i] |= word & ~mask[plane, i]
    return 0


def pack_words(matrix: CompressedMatrix) -> Array:
    """Return the words of a compressed matrix."""
    words = np.zeros((count_planes(matrix.nrows), matrix.ncols), "uint64")
    for row in np.flatnonzero(np.diff(matrix.indptr)).tolist():
        words[row // WORD, matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]] |= np.uint64(1 << row % WORD)
    return words


def measure_words(held: WordMatrix, along: CompressedMatrix | None) -> tuple[int, int]:
    """Count the entries, and those of the rows of another matrix that they meet."""
    entries = int(np.bitwise_count(held.words).sum(dtype="int64"))
    if along is None or not entries:
        return entries, 0
    columns = np.flatnonzero(held.words.any(axis=0))
    return entries, int((along.indptr[columns + 1] - along.indptr[columns]).sum(dtype="int64"))


def combine_bits(write: BitWrite) -> tuple[Array, Array]:
    """Return the new words, and those of the cells that are written."""
    rows, columns = write.shape
    every = np.full((count_planes(rows), 1), ~np.uint64(0))
    every[-1] = find_last_rows(rows)
    allowed = every if write.mask is None else ~write.mask & every if write.complement else write.mask
    written = find_bits(write, allowed)
    if np.shape(written)[1] != columns:
        written = np.broadcast_to(written, (len(every), columns)).copy()
    if write.old is None:
        return written, written
    kept = write.old
    if not (write.keeps_inside and write.keeps_outside):
        kept = kept & (allowed if write.keeps_inside else ~allowed) if write.keeps_inside or write.keeps_outside else 0
    return written | kept, written


def find_bits(write: BitWrite, allowed: Array) -> Array:
    """Return the words of the cells that are written."""
    if write.found is None:
        return allowed
    found = write.found
    if write.other is not None:
        found = found | write.other if write.union else found & write.other
    return found if write.mask is None else found & allowed


def list_words(held: WordMatrix) -> MatrixStorage:
    """Return the entries as a compressed matrix; one with an entry in every cell as a full one."""
    rows, columns = held.shape
    found = [find_columns(held.words, row, None) for row in range(rows)]
    indices = np.concatenate(found).astype(choose_index_dtype(columns))
    values = np.empty(indices.shape[0], held.type.numpy)
    pointers = make_pointers(np, np.asarray([len(row) for row in found]))
    for row, here in enumerate(found):
        if len(here):
            values[pointers[row] : pointers[row + 1]] = read_row(held, row, here)
    if indices.shape[0] == rows * columns:
        return FullMatrix(values.reshape(held.shape))
    return CompressedMatrix(rows, columns, pointers.astype(choose_index_dtype(indices.shape[0])), indices, values)


def find_columns(words: Array, row: int, among: Array | None) -> Array:
    """Return the columns, or the positions in a list of columns, at which a row has a bit."""
    plane = words[row // WORD]
    held = plane if among is None else plane[among]
    return np.flatnonzero(held & np.uint64(1 << row % WORD))


def read_row(held: WordMatrix, row: int, columns: Array) -> Array:
    """Return the values of a row's entries: those of the base, then those of each layer over them."""
    values, base = np.empty(columns.shape[0], held.type.numpy), held.base
    if isinstance(base, FullMatrix):
        values = base.values[row, columns]
    elif base is not None:
        part = slice(int(base.indptr[row]), int(base.indptr[row + 1]))
        at = np.searchsorted(base.indices[part], columns)
        there = at < part.stop - part.start
        values[there] = base.values[part][at[there]]  # where the base has no entry a layer writes over it
    for layer in held.layers:
        values[find_columns(layer.words, row, columns)] = layer.value
    return values


def settle_cells(engine: Any, held: WordMatrix) -> Array:
    """Return the values at all cells; where there is no entry they are undefined."""
    base = held.base
    if isinstance(base, FullMatrix):
        cells = base.values.copy()
    else:
        cells = np.zeros(held.shape, held.type.numpy)
        if base is not None:
            cells.reshape(-1)[engine.number_cells(base)] = base.values
    for layer in held.layers:
        for plane, words in enumerate(layer.words & held.words):
            columns = np.flatnonzero(words)
            if not len(columns):
                continue
            some = words[columns]
            for row in range(plane * WORD, min(held.nrows, (plane + 1) * WORD)):
                cells[row, columns[(some >> np.uint64(row % WORD) & np.uint64(1)).astype(bool)]] = layer.value
    return cells
