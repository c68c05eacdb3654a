"""C[i, j] = ⊕_k A[i, k] ⊗ B[k, j] for the entries (i, j) of a mask alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays.lookup import select_true
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.rows import nothing, wide
from graphla.planning.steps import MatMat
from graphla.storage import CompressedMatrix, SparseVector
from graphla.storage.formats import as_cells, from_cells, row_ids

THREADS, TEAM = 256, 8


def dots(engine: KernelEngine, step: MatMat, left: CompressedMatrix, right: CompressedMatrix) -> CompressedMatrix:
    """A dot product for each entry of the mask; B is read by columns, from its cached transpose."""
    assert step.mask is not None
    mask, columns = select_true(engine.xp, step.mask), engine.transpose(right)
    if 0 in (mask.nvals, left.nvals, right.nvals):
        return nothing(engine, step)
    xp, count = engine.xp, mask.nvals
    types = left.type, right.type, step.out
    kernel = engine.over_semiring("matmat/dots.cuh", "dots<S>", step.semiring, *types)
    present, out = xp.empty(count, bool), xp.empty(count, step.out.numpy)
    kernel(
        -(-count * TEAM // THREADS),
        THREADS,
        (
            row_ids(mask), mask.indices, np.int64(count), wide(left.indptr), left.indices, left.values,
            wide(columns.indptr), columns.indices, columns.values, present, out,
        ),
    )  # fmt: skip
    cells: Any = as_cells(xp, CompressedMatrix(*step.shape, mask.indptr, mask.indices, out))
    kept = SparseVector(cells.size, cells.indices[present], out[present])
    return from_cells(xp, kept, step.shape)  # type: ignore[return-value]
