"""The entries of a matrix that satisfy a condition on value, row and column, or that have a flag."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.arrays.operations import ArrayOperations
from graphla.engine.cpu import source
from graphla.engine.cpu.entries import structure
from graphla.engine.cpu.entries.one_pass import SELECTED_COST, fill_once
from graphla.engine.cpu.threads import run_over_rows
from graphla.language.scalars import thunk_dtype
from graphla.storage import Array, CompressedMatrix
from semirings import IndexUnaryOp
from semirings.dtypes import BOOL, DType, lookup
from semirings.python import render_function

FAR = 2**62
"""Farther than any window: larger than LARGEST, and small enough to add a row number to."""
LARGEST = 2**60
"""A thunk that is larger is as good as this one: no column is."""
WINDOWS = {"tril": (1, -FAR, 1), "triu": (1, 0, FAR), "diag": (1, 0, 1), "colle": (0, -FAR, 1), "colgt": (0, 1, FAR)}
"""Operators that keep a window of columns of row i: slope, low, high of ``low <= j - (slope * i + thunk) < high``."""
COMPARISONS = {"valueeq": np.equal, "valuene": np.not_equal, "valuegt": np.greater, "valuelt": np.less}
COMPARISONS |= {"valuege": np.greater_equal, "valuele": np.less_equal}
"""Operators that compare values with the thunk."""
SMALL = 1 << 15
"""Entries that NumPy compares in some microseconds: no kernel is compiled for so few."""
PREFIXES = {"rowle": True, "rowgt": False}
"""Operators that keep the rows up to the thunk, or the others."""


def select(engine: ArrayOperations, matrix: CompressedMatrix, op: IndexUnaryOp, thunk: Any) -> CompressedMatrix:
    """Return the entries for which op(value, i, j, thunk) holds."""
    if op.name in WINDOWS:
        return select_window(matrix, *WINDOWS[op.name], int(thunk))
    if op.name == "offdiag":
        return drop_diagonal(matrix, int(thunk))
    if op.name in PREFIXES:
        return select_first_rows(matrix, min(max(int(thunk) + 1, 0), matrix.nrows), PREFIXES[op.name])
    scalar = engine.cast_scalar(thunk, thunk_dtype(op, matrix.type))
    if op.name in COMPARISONS and matrix.nvals <= SMALL and scalar.dtype == matrix.values.dtype:
        return select_flagged(matrix, COMPARISONS[op.name](matrix.values, scalar))
    module = compile_select(op, matrix.type, lookup(scalar.dtype), BOOL)
    given = matrix.indptr, matrix.indices, matrix.values, scalar
    rows = (matrix.indptr,)
    return fill_once(module.fill, rows, rows, given, matrix.ncols, matrix.dtype, SELECTED_COST)


def select_window(matrix: CompressedMatrix, slope: int, low: int, high: int, thunk: int) -> CompressedMatrix:
    """Return a run of columns of each row."""
    offset = clip(thunk)
    low, high = low + offset, high + offset
    rows, given = (matrix.indptr,), (matrix.indptr, matrix.indices, matrix.values, slope, low, high, 0)
    return fill_once(structure.copy_window, rows, rows, given, matrix.ncols, matrix.dtype, SELECTED_COST)


def drop_diagonal(matrix: CompressedMatrix, thunk: int) -> CompressedMatrix:
    """Return the entries that are not on a diagonal."""
    rows, given = (matrix.indptr,), (matrix.indptr, matrix.indices, matrix.values, clip(thunk))
    return fill_once(structure.copy_off_diagonal, rows, rows, given, matrix.ncols, matrix.dtype, SELECTED_COST)


def clip(thunk: int) -> int:
    """Return a thunk that selects the same columns and to which a row number can be added."""
    return max(-LARGEST, min(LARGEST, thunk))


def select_first_rows(matrix: CompressedMatrix, count: int, keep: bool) -> CompressedMatrix:
    """Return the entries of the first rows, or those of the others."""
    cut = int(matrix.indptr[count])
    part = slice(0, cut) if keep else slice(cut, None)
    pointers = np.minimum(matrix.indptr, cut) if keep else np.maximum(matrix.indptr, cut) - cut
    return CompressedMatrix(*matrix.shape, pointers, matrix.indices[part].copy(), matrix.values[part].copy())


def evaluate(engine: ArrayOperations, matrix: CompressedMatrix, op: IndexUnaryOp, thunk: Any, out: DType) -> Array:
    """Compute op(value, i, j, thunk) of every entry."""
    scalar = engine.cast_scalar(thunk, thunk_dtype(op, matrix.type))
    module, values = compile_select(op, matrix.type, lookup(scalar.dtype), out), np.empty(matrix.nvals, out.numpy)
    given = matrix.indptr, matrix.indices, matrix.values, scalar
    run_over_rows(module.evaluate, matrix.indptr, matrix.nvals, *given, values)
    return values


def select_flagged(matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
    """Return the entries with a flag."""
    rows, given = (matrix.indptr,), (matrix.indptr, flags, matrix.indices, matrix.values)
    return fill_once(structure.copy_flagged, rows, rows, given, matrix.ncols, matrix.dtype, SELECTED_COST)


@lru_cache(maxsize=1024)
def compile_select(op: IndexUnaryOp, kind: DType, thunk: DType, out: DType) -> ModuleType:
    """Compile selection by an operator, and the operator over all entries."""
    return source.make_module("select", render_function(op, "apply", (kind, thunk), out))
