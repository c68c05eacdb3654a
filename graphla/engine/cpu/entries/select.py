"""The entries of a matrix that satisfy a condition on value, row and column, or that have a flag."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.arrays.operations import ArrayOperations
from graphla.engine.cpu import source
from graphla.engine.cpu.entries import structure
from graphla.engine.cpu.entries.two_pass import count_rows, fill_rows
from graphla.engine.cpu.threads import run_over_rows
from graphla.language.scalars import thunk_dtype
from graphla.storage import Array, CompressedMatrix
from semirings import IndexUnaryOp
from semirings.dtypes import BOOL, DType, lookup
from semirings.python import render_function

NEVER = 2**62
"""More than any column, and small enough to add a row number to."""
PREFIXES = {"tril": (1, 0, True), "triu": (1, -1, False), "colle": (0, 0, True), "colgt": (0, 0, False)}
"""Operators that keep, or leave out, the columns up to ``slope * i + thunk + shift``: slope, shift, whether to keep."""


def select(engine: ArrayOperations, matrix: CompressedMatrix, op: IndexUnaryOp, thunk: Any) -> CompressedMatrix:
    """Return the entries for which op(value, i, j, thunk) holds."""
    if op.name in PREFIXES:
        return select_run(matrix, *PREFIXES[op.name], int(thunk))
    scalar = engine.cast_scalar(thunk, thunk_dtype(op, matrix.type))
    module = compile_select(op, matrix.type, lookup(scalar.dtype), BOOL)
    given = matrix.indptr, matrix.indices, matrix.values, scalar
    counts = count_rows(module.count, matrix.indptr, matrix.nvals, *given)
    return fill_rows(module.fill, matrix.indptr, matrix.nvals, given, counts, matrix.ncols, matrix.dtype)


def select_run(matrix: CompressedMatrix, slope: int, shift: int, keep: bool, thunk: int) -> CompressedMatrix:
    """Return the first columns of each row, or the others: a run of entries, found by bisection."""
    offset = max(-NEVER, min(NEVER, thunk + shift))
    given = matrix.indptr, matrix.indices, slope, offset
    lengths = count_rows(structure.count_prefix, matrix.indptr, matrix.nvals, *given)
    begins = matrix.indptr[:-1] if keep else matrix.indptr[:-1] + lengths
    counts = lengths if keep else np.diff(matrix.indptr) - lengths
    given = begins, matrix.indices, matrix.values
    return fill_rows(structure.copy_runs, matrix.indptr, matrix.nvals, given, counts, matrix.ncols, matrix.dtype)


def evaluate(engine: ArrayOperations, matrix: CompressedMatrix, op: IndexUnaryOp, thunk: Any, out: DType) -> Array:
    """Compute op(value, i, j, thunk) of every entry."""
    scalar = engine.cast_scalar(thunk, thunk_dtype(op, matrix.type))
    module, values = compile_select(op, matrix.type, lookup(scalar.dtype), out), np.empty(matrix.nvals, out.numpy)
    given = matrix.indptr, matrix.indices, matrix.values, scalar
    run_over_rows(module.evaluate, matrix.indptr, matrix.nvals, *given, values)
    return values


def select_flagged(matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
    """Return the entries with a flag."""
    counts = count_rows(structure.count_flagged, matrix.indptr, matrix.nvals, matrix.indptr, flags)
    given = matrix.indptr, flags, matrix.indices, matrix.values
    return fill_rows(structure.copy_flagged, matrix.indptr, matrix.nvals, given, counts, matrix.ncols, matrix.dtype)


@lru_cache(maxsize=1024)
def compile_select(op: IndexUnaryOp, kind: DType, thunk: DType, out: DType) -> ModuleType:
    """Compile selection by an operator, and the operator over all entries."""
    return source.make_module("select", render_function(op, "apply", (kind, thunk), out))
