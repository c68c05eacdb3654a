"""The Kronecker product of two CSR matrices, whose rows are filled by one kernel, and of two full ones."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.cpu import source
from graphla.engine.cpu.entries.pointers import pair_pointers
from graphla.engine.cpu.threads import run_over_rows
from graphla.storage import Array, CompressedMatrix, FullMatrix
from graphla.storage.convert import choose_index_dtype, match_pointers
from semirings import BinaryOp
from semirings.dtypes import DType
from semirings.python import render_function


@lru_cache(maxsize=1024)
def compile_kronecker(op: Any, left: DType, right: DType, out: DType) -> ModuleType:
    """Compile the kernel for an operator."""
    return source.make_module("kronecker", render_function(op, "apply", (left, right), out))


def multiply(op: BinaryOp, a: CompressedMatrix, b: CompressedMatrix, out: DType) -> CompressedMatrix:
    """Compute op of each entry of A with each entry of B."""
    rows, columns = a.nrows * b.nrows, a.ncols * b.ncols
    a_pointers, b_pointers = match_pointers(a.indptr, b.indptr)
    pointers = np.empty(rows + 1, "int64")
    entries = pair_pointers(a_pointers, b_pointers, pointers)
    indices, values = np.empty(entries, choose_index_dtype(columns)), np.empty(entries, out.numpy)
    kernel = compile_kronecker(op, a.type, b.type, out).multiply
    given = a_pointers, b_pointers, a.indices, a.values, b.indices, b.values, b.nrows, b.ncols
    run_over_rows(kernel, pointers, entries, *given, pointers, indices, values)
    return CompressedMatrix(rows, columns, pointers.astype(choose_index_dtype(entries)), indices, values)


def multiply_full(op: BinaryOp, a: FullMatrix, b: FullMatrix, out: DType) -> FullMatrix:
    """Compute op of each cell of A with each cell of B."""
    rows, columns = a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]
    values = np.empty((rows, columns), out.numpy)
    kernel = compile_kronecker(op, a.type, b.type, out).multiply_full
    run_over_rows(kernel, range_pointers(rows, columns), values.size, a.values, b.values, values)
    return FullMatrix(values)


def range_pointers(rows: int, width: int) -> Array:
    """Return pointers of rows of one width."""
    return np.arange(rows + 1) * width
