"""Build a CSR matrix in two passes over ranges of rows: count the entries of each row, then fill them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.engine.cpu.entries.pointers import make_pointers
from graphla.engine.cpu.threads import run_over_rows
from graphla.storage import Array, CompressedMatrix
from graphla.storage.formats import choose_index_dtype


def fill_rows(
    kernel: Callable[..., Any], given: tuple[Any, ...], counts: Array, width: int, dtype: str
) -> CompressedMatrix:
    """Allocate rows of `counts` entries and fill them by ``kernel(first, last, *given, indptr, indices, values)``."""
    pointers, entries = make_pointers(counts)
    columns, values = np.empty(entries, choose_index_dtype(width)), np.empty(entries, dtype)
    if entries:
        run_over_rows(kernel, pointers, entries, *given, pointers, columns, values)
    indptr = pointers.astype(choose_index_dtype(entries))
    return CompressedMatrix(counts.shape[0], width, indptr, columns, values)


def count_rows(kernel: Callable[..., Any], split: Array, work: int, *given: Any) -> Array:
    """Call ``kernel(first, last, *given, counts)`` and return the number of entries of each row."""
    counts = np.zeros(split.shape[0] - 1, "int64")
    if work:
        run_over_rows(kernel, split, work, *given, counts)
    return counts
