"""Build a CSR matrix in two passes over ranges of rows: count the entries of each row, then fill them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.engine.cpu.threads import run_over_rows
from graphla.storage import Array, CompressedMatrix
from graphla.storage.formats import choose_index_dtype


def make_pointers(counts: Array) -> Array:
    """Add up row lengths to row pointers, in int64: one kernel serves matrices of any size."""
    pointers = np.zeros(counts.shape[0] + 1, "int64")
    np.cumsum(counts, out=pointers[1:])
    return pointers


def fill_rows(
    kernel: Callable[..., Any], split: Array, work: int, given: tuple[Any, ...], counts: Array, width: int, dtype: str
) -> CompressedMatrix:
    """Allocate rows of `counts` entries and fill them by ``kernel(first, last, *given, indptr, indices, values)``.

    `split` are pointers that weigh the rows and `work` is what all of them weigh: the ranges are even in it.
    """
    pointers = make_pointers(counts)
    entries = int(pointers[-1])
    columns, values = np.empty(entries, "int32"), np.empty(entries, dtype)
    if entries:
        run_over_rows(without_split(kernel), split, work, *given, pointers, columns, values)
    return CompressedMatrix(counts.shape[0], width, pointers.astype(choose_index_dtype(entries)), columns, values)


def count_rows(kernel: Callable[..., Any], split: Array, work: int, *given: Any) -> Array:
    """Call ``kernel(first, last, *given, counts)`` and return the number of entries of each row."""
    counts = np.zeros(split.shape[0] - 1, "int64")
    if work:
        run_over_rows(without_split(kernel), split, work, *given, counts)
    return counts


def without_split(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel as `run_over_rows` calls it: with the pointers that split the rows, which it does not read."""
    return lambda first, last, _, *given: kernel(first, last, *given)


def match_pointers(*pointers: Array) -> tuple[Array, ...]:
    """Return row pointers in one dtype: the wider, where they differ. Fewer pairs are compiled so."""
    wide = any(array.dtype == "int64" for array in pointers)
    return tuple(array.astype("int64" if wide else "int32", copy=False) for array in pointers)
