"""D @ A and A @ D with a diagonal matrix D: every entry is one product, and the structure of A stays."""

from __future__ import annotations

from typing import Any

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries.extract import expand_rows
from graphla.engine.cuda.records import read_struct
from graphla.planning.steps import MatMat
from graphla.storage import Array, CompressedMatrix

THREADS, EACH = 256, 4


ScaleParameters = read_struct("matmat/scale.cuh", "ScaleParameters")


def scale(engine: KernelEngine, step: MatMat, by_rows: bool, diagonal: Array, matrix: Any) -> Array:
    """Return the values of the product, in the order of the entries of `matrix`."""
    out = engine.xp.empty(matrix.nvals, step.out.numpy)
    if matrix.nvals:
        side = "VectorFirst" if by_rows else "MatrixFirst"
        types = step.left.type, step.right.type, step.out
        kernel = engine.get_kernel_over_semiring(
            "matmat/scale.cuh", f"scale<S, {side}>", step.semiring, *types, takes=ScaleParameters
        )
        index = list_index(engine, step, by_rows, matrix)
        given = ScaleParameters(index=index, values=matrix.values, diagonal=diagonal, out=out, entries=matrix.nvals)
        kernel(-(-matrix.nvals // (EACH * THREADS)), THREADS, given)
    return out


def list_index(engine: KernelEngine, step: MatMat, by_rows: bool, matrix: CompressedMatrix) -> Array:
    """Return the row or the column of each entry, or anything if ⊗ does not read the diagonal."""
    multiply = step.semiring.multiply
    read = multiply.reads_first if by_rows else multiply.reads_second
    return expand_rows(engine, matrix) if by_rows and read else matrix.indices
