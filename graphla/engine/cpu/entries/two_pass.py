"""Build a CSR matrix in two passes over ranges of rows: count the entries of each row, then fill them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.engine.cpu.entries import structure
from graphla.engine.cpu.entries.pointers import make_pointers, move_rows
from graphla.engine.cpu.threads import run_over_rows
from graphla.storage import Array, CompressedMatrix
from graphla.storage.formats import choose_index_dtype

MOVED_ROWS = 64
"""Rows that are moved by one thread, in place if most entries are kept; more are copied by all."""


def fill_rows(
    kernel: Callable[..., Any], split: Array, work: int, given: tuple[Any, ...], counts: Array, width: int, dtype: str
) -> CompressedMatrix:
    """Allocate rows of `counts` entries and fill them by ``kernel(first, last, *given, indptr, indices, values)``.

    `split` are pointers that weigh the rows and `work` is what all of them weigh: the ranges are even in it.
    """
    return fill_at(kernel, split, work, given, *make_pointers(counts), width, dtype)


def fill_at(
    kernel: Callable[..., Any],
    split: Array,
    work: int,
    given: tuple[Any, ...],
    pointers: Array,
    entries: int,
    width: int,
    dtype: str,
) -> CompressedMatrix:
    """Allocate and fill rows that begin at `pointers`."""
    columns, values = np.empty(entries, choose_index_dtype(width)), np.empty(entries, dtype)
    if entries:
        run_over_rows(kernel, split, work, *given, pointers, columns, values)
    indptr = pointers.astype(choose_index_dtype(entries))
    return CompressedMatrix(pointers.shape[0] - 1, width, indptr, columns, values)


def count_rows(kernel: Callable[..., Any], split: Array, work: int, *given: Any) -> Array:
    """Call ``kernel(first, last, *given, counts)`` and return the number of entries of each row."""
    counts = np.zeros(split.shape[0] - 1, "int64")
    if work:
        run_over_rows(kernel, split, work, *given, counts)
    return counts


def pack_rows(matrix: CompressedMatrix, counts: Array) -> CompressedMatrix:
    """Keep the first entries of each row, as many as `counts` says; of few rows they move up if most are kept."""
    pointers, entries = make_pointers(counts)
    if matrix.nrows > MOVED_ROWS:
        given = matrix.indptr[:-1], matrix.indices, matrix.values
        return fill_at(structure.copy_runs, pointers, entries, given, pointers, entries, matrix.ncols, matrix.dtype)
    columns, values = matrix.indices, matrix.values
    if 2 * entries < matrix.nvals:
        columns, values = np.empty(entries, columns.dtype), np.empty(entries, values.dtype)
    move_rows(matrix.indptr, counts, matrix.indices, matrix.values, pointers, columns, values)
    pointers = pointers.astype(choose_index_dtype(entries))
    return CompressedMatrix(matrix.nrows, matrix.ncols, pointers, columns[:entries], values[:entries])
