"""Build a CSR matrix in two passes over ranges of rows: count the entries of each row, then fill them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.engine.cpu.threads import run_over_rows
from graphla.storage import Array, CompressedMatrix
from graphla.storage.convert import make_pointers
from graphla.storage.formats import choose_index_dtype


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


def bound_entries(left: CompressedMatrix, right: CompressedMatrix) -> Array:
    """Bound the entries of each row of a product: at most one per product, and one per column."""
    products = np.concatenate([[0], np.cumsum(np.diff(right.indptr)[left.indices], dtype="int64")])
    return np.minimum(np.diff(products[left.indptr]), right.ncols)


def pack_rows(matrix: CompressedMatrix, counts: Array) -> CompressedMatrix:
    """Keep the first entries of each row, as many as `counts` says."""
    pointers = make_pointers(np, counts)
    columns = np.empty(int(pointers[-1]), matrix.indices.dtype)
    values = np.empty(columns.shape[0], matrix.values.dtype)
    for begin, to, count in zip(matrix.indptr.tolist(), pointers.tolist(), counts.tolist(), strict=False):
        columns[to : to + count] = matrix.indices[begin : begin + count]
        values[to : to + count] = matrix.values[begin : begin + count]
    pointers = pointers.astype(choose_index_dtype(columns.shape[0]))
    return CompressedMatrix(matrix.nrows, matrix.ncols, pointers, columns, values)
