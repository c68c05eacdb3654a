"""w[i] = ⊕_k M[i, k] ⊗ v[k] by rows: each row gets lanes after its length, and rows outside the mask get none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.engine.arrays.formats import as_bitmap
from graphla.steps import Mask, MatVec
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    SparseVector,
    VectorStorage,
)
from semirings import Semiring
from semirings.dtypes import DType, lookup

if TYPE_CHECKING:
    from graphla.engine.cuda.engine import CudaEngine

THREADS = 256
WARPS = THREADS // 32
LONGEST_FOR = {1: 4, 8: 64, 32: 2048}
"""The longest row that one, eight or 32 lanes take: four loads a lane, and 64 at most for a warp (measured, H200)."""


@dataclass(frozen=True, eq=False)
class RowLayout:
    """Rows in the order in which a pull takes them, the longest first, and where each kind ends."""

    order: Array
    for_blocks: int
    for_warps: int
    for_eights: int
    rows: int
    nonempty: int


def row_layout(xp: Any, matrix: CompressedMatrix) -> RowLayout:
    """Sort the rows into four kinds by length; kept with the matrix."""
    lengths = xp.diff(matrix.indptr)
    edges = [LONGEST_FOR[32], LONGEST_FOR[8], LONGEST_FOR[1], -1]
    kinds, above = [], None
    for edge in edges:
        chosen = lengths > edge if above is None else (lengths > edge) & (lengths <= above)
        kinds.append(xp.flatnonzero(chosen).astype("int32"))
        above = edge
    ends = np.cumsum([part.shape[0] for part in kinds]).tolist()
    return RowLayout(xp.concatenate(kinds), *ends[:3], matrix.nrows, int((lengths > 0).sum()))


@lru_cache(maxsize=1024)
def kernel_name(flip: bool, full: bool, mask: str, offset: str) -> str:
    side, entries = "VectorFirst" if flip else "MatrixFirst", "Full" if full else "Bitmap"
    return f"pull<S, {side}, {entries}, {mask}, {offset}>"


def offset_type(matrix: CompressedMatrix) -> str:
    """The C type of the row pointers."""
    return "int" if matrix.indptr.dtype.itemsize == 4 else "long long"


def product_kernel(
    engine: CudaEngine, file: str, name: str, semiring: Semiring, pair: tuple[Any, Any], out: DType, flip: bool
) -> Any:
    """A kernel over a semiring whose operands are a matrix and a vector."""
    a, b = (lookup(part.dtype) for part in (pair[::-1] if flip else pair))
    return engine.over_semiring(file, name, semiring, a, b, out)


def pull(engine: CudaEngine, step: MatVec, matrix: CompressedMatrix) -> VectorStorage:
    """Probe the rows that the mask allows."""
    return over_rows(engine, matrix, step.vector, step.semiring, step.out, step.flip, step.mask)


def over_rows(
    engine: CudaEngine,
    matrix: CompressedMatrix,
    vector: VectorStorage,
    semiring: Semiring,
    out: DType,
    flip: bool,
    mask: Mask | None,
) -> VectorStorage:
    """⊕ over the rows of a compressed matrix."""
    xp, size = engine.xp, matrix.nrows
    if size == 0 or matrix.nvals == 0 or vector.nvals == 0:
        return no_entries(engine, size, out)
    layout = matrix.kept("row_layout", lambda m: row_layout(xp, m))
    policy, flags = engine.flags(mask, size)
    full = isinstance(vector, FullVector)
    name = kernel_name(flip, full, policy, offset_type(matrix))
    kernel = product_kernel(engine, "pull.cuh", name, semiring, (matrix, vector), out, flip)
    grid, shape = launch_shape(layout, policy != "NoMask")
    present, values = xp.empty(size, bool), xp.empty(size, out.numpy)
    known = full and mask is None
    counter = engine.device.take_counter()
    kernel(
        grid,
        THREADS,
        (
            layout.order, *shape, matrix.indptr, matrix.indices, matrix.values, *entries(engine, vector), flags,
            present, values, counter.array,
        ),
    )  # fmt: skip
    count = layout.nonempty if known else None
    return written(engine, present, values, counter, count)


def launch_shape(layout: RowLayout, masked: bool) -> tuple[int, tuple[np.int32, ...]]:
    """Blocks in all, and the numbers that tell a block what is its own."""
    ends = layout.for_blocks, layout.for_warps, layout.for_eights, layout.rows
    blocks = [
        -(-(last - first) // (WARPS * (32 if masked else 32 // team)))
        for first, last, team in zip(ends[:-1], ends[1:], (32, 8, 1), strict=True)
    ]
    numbers = layout.for_blocks, blocks[0], layout.for_warps, blocks[1], layout.for_eights, layout.rows
    return layout.for_blocks + sum(blocks), tuple(map(np.int32, numbers))


def entries(engine: CudaEngine, vector: VectorStorage) -> tuple[Array, Array]:
    """Presence flags and values."""
    if isinstance(vector, FullVector):
        return engine.no_flags, vector.values
    bitmap = as_bitmap(engine.xp, vector)
    return bitmap.present, bitmap.values


def no_entries(engine: CudaEngine, size: int, out: DType) -> SparseVector:
    """A vector without entries."""
    return SparseVector(size, engine.xp.zeros(0, "int32"), engine.xp.zeros(0, out.numpy))


def written(engine: CudaEngine, present: Array, values: Array, counter: Any, known: int | None) -> VectorStorage:
    """What a kernel wrote, as a vector; a count that is known beforehand needs no read-back."""
    count = engine.device.read_counter(counter) if known is None else known
    if known is not None:
        engine.device.give_back(counter)
    return FullVector(values) if count == values.shape[0] else BitmapVector(present, values, count)


def pull_full(engine: CudaEngine, step: MatVec, matrix: FullMatrix) -> VectorStorage:
    """The same over a full matrix."""
    rows, columns = matrix.shape
    if rows == 0 or columns == 0 or step.vector.nvals == 0:
        return no_entries(engine, rows, step.out)
    policy, flags = engine.flags(step.mask, rows)
    full = isinstance(step.vector, FullVector)
    side, seen = "VectorFirst" if step.flip else "MatrixFirst", "Full" if full else "Bitmap"
    name = f"pull_full<S, {side}, {seen}, {policy}>"
    kernel = product_kernel(engine, "pull_full.cuh", name, step.semiring, (matrix, step.vector), step.out, step.flip)
    present, values = engine.xp.empty(rows, bool), engine.xp.empty(rows, step.out.numpy)
    present[...] = False
    counter = engine.device.take_counter()
    numbers = np.int32(rows), np.int32(columns)
    given = entries(engine, step.vector)
    kernel(-(-rows // WARPS), THREADS, (*numbers, matrix.values, *given, flags, present, values, counter.array))
    return written(engine, present, values, counter, None)
