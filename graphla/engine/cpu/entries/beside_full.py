"""op(x, y) of a compressed matrix and a full one: only the cells of the former are read, and it lends its structure."""

from __future__ import annotations

import numpy as np

from graphla.engine.arrays.operations import ArrayOperations
from graphla.engine.cpu.entries import structure
from graphla.engine.cpu.threads import run_over_rows
from graphla.storage import Array, CompressedMatrix, FullMatrix
from semirings import BinaryOp
from semirings.dtypes import DType


def intersect(
    engine: ArrayOperations, left: CompressedMatrix | FullMatrix, right: CompressedMatrix | FullMatrix, op: BinaryOp,
    out: DType,
) -> CompressedMatrix:  # fmt: skip
    """Compute op at each entry of the operand that is compressed."""
    listed = left if isinstance(left, CompressedMatrix) else right
    assert isinstance(listed, CompressedMatrix)
    operands = tuple(held.values if held is listed else read_cells(listed, held.values) for held in (left, right))
    values = engine.apply_operator(op, operands, (left.type, right.type), out)
    return CompressedMatrix(*listed.shape, listed.indptr, listed.indices, values)


def read_cells(listed: CompressedMatrix, full: Array) -> Array:
    """Return the values of a full matrix at the entries of a compressed one."""
    found = np.empty(listed.nvals, full.dtype)
    given = listed.indptr, listed.indices, full, found
    run_over_rows(structure.read_cells, listed.indptr, listed.nvals, *given)
    return found
