"""Build a CSR matrix in two passes over ranges of rows: count the entries of each row, then fill them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.engine.cpu.entries import structure
from graphla.engine.cpu.threads import run_over_rows
from graphla.storage import Array, CompressedMatrix
from graphla.storage.convert import make_pointers, measure_rows
from graphla.storage.formats import choose_index_dtype

MOVED_ROWS = 64
"""Rows that are moved one by one; more are copied by a kernel."""


def fill_rows(
    kernel: Callable[..., Any], split: Array, work: int, given: tuple[Any, ...], counts: Array, width: int, dtype: str
) -> CompressedMatrix:
    """Allocate rows of `counts` entries and fill them by ``kernel(first, last, *given, indptr, indices, values)``.

    `split` are pointers that weigh the rows and `work` is what all of them weigh: the ranges are even in it.
    """
    pointers = make_pointers(np, counts)
    entries = int(pointers[-1])
    columns, values = np.empty(entries, choose_index_dtype(width)), np.empty(entries, dtype)
    if entries:
        run_over_rows(kernel, split, work, *given, pointers, columns, values)
    return CompressedMatrix(counts.shape[0], width, pointers.astype(choose_index_dtype(entries)), columns, values)


def count_rows(kernel: Callable[..., Any], split: Array, work: int, *given: Any) -> Array:
    """Call ``kernel(first, last, *given, counts)`` and return the number of entries of each row."""
    counts = np.zeros(split.shape[0] - 1, "int64")
    if work:
        run_over_rows(kernel, split, work, *given, counts)
    return counts


def count_products(left: CompressedMatrix, right: CompressedMatrix) -> Array:
    """Count the products before each entry of the left operand, and all: the lengths of the rows that they select."""
    products = np.empty(left.nvals + 1, "int64")
    products[0] = 0
    lengths = measure_rows(right.indptr).take(left.indices, mode="clip")  # no check of bounds, which costs as much
    lengths.cumsum(dtype="int64", out=products[1:])
    return products


def pack_rows(matrix: CompressedMatrix, counts: Array) -> CompressedMatrix:
    """Keep the first entries of each row, as many as `counts` says; of few rows they move up if most are kept."""
    if matrix.nrows > MOVED_ROWS:
        given = matrix.indptr[:-1], matrix.indices, matrix.values
        split = make_pointers(np, counts)
        return fill_rows(structure.copy_runs, split, int(split[-1]), given, counts, matrix.ncols, matrix.dtype)
    pointers = make_pointers(np, counts)
    entries = int(pointers[-1])
    arrays = [
        part if 2 * entries >= matrix.nvals else np.empty(entries, part.dtype)
        for part in (matrix.indices, matrix.values)
    ]
    for begin, to, count in zip(matrix.indptr.tolist(), pointers.tolist(), counts.tolist(), strict=False):
        if count and not (begin == to and arrays[0] is matrix.indices):
            arrays[0][to : to + count] = matrix.indices[begin : begin + count]
            arrays[1][to : to + count] = matrix.values[begin : begin + count]
    columns, values = (part[:entries] for part in arrays)
    pointers = pointers.astype(choose_index_dtype(entries), copy=False)
    return CompressedMatrix(matrix.nrows, matrix.ncols, pointers, columns, values)
