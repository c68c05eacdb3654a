"""D @ A and A @ D with a diagonal matrix D: every entry is one product, and the structure of A stays."""

from __future__ import annotations

from typing import Any, NamedTuple

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries.extract import expand_rows
from graphla.planning.steps import MatMat
from graphla.storage import Array, CompressedMatrix

THREADS, EACH = 256, 4


class ScaleParameters(NamedTuple):
    """The struct of scale.cuh."""

    index: Array
    values: Array
    diagonal: Array
    out: Array
    entries: int


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
        given = ScaleParameters(index, matrix.values, diagonal, out, matrix.nvals)
        kernel(-(-matrix.nvals // (EACH * THREADS)), THREADS, given)
    return out


def list_index(engine: KernelEngine, step: MatMat, by_rows: bool, matrix: CompressedMatrix) -> Array:
    """Return the row or the column of each entry, or anything if ⊗ does not read the diagonal."""
    multiply = step.semiring.multiply
    read = multiply.reads_first if by_rows else multiply.reads_second
    return expand_rows(engine, matrix) if by_rows and read else matrix.indices
