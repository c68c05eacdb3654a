"""w[i] = ⊕_k M[i, k] ⊗ v[k] by rows: each row gets lanes after its length, and rows outside the mask get none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matvec.board import Uncounted, new_board, present
from graphla.planning.plan import count_allowed_rows
from graphla.planning.steps import Mask, MatVec
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    SparseVector,
    VectorStorage,
)
from graphla.storage.frozen import quick
from semirings import Semiring
from semirings.dtypes import DType

THREADS = 256
WARPS = THREADS // 32
LONGEST_FOR = {1: 4, 8: 64, 32: 2048}
"""The longest row that one, eight or 32 lanes take: four loads a lane, and 64 at most for a warp (measured, H200)."""
CLASSES = [0, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]
"""Rows of one class follow each other, so that the warps of a block end together."""
LISTED, MOST_SHARE = 128, 5
"""Rows that a warp looks at under a mask, at most; and that a team does, as a power of two."""


@dataclass(frozen=True, eq=False)
class RowLayout:
    """Rows that have entries in the order of a pull, the longest first, and where each begins and ends.

    `counts` tells how many are for blocks, how many end with those for warps, with those for eight lanes, and in all.
    """

    order: Array
    begins: Array
    ends: Array
    present: Array
    counts: tuple[int, ...]


def row_layout(xp: Any, matrix: CompressedMatrix) -> RowLayout:
    """Sort the rows by length; kept with the matrix."""
    lengths = xp.diff(matrix.indptr)
    classes = xp.searchsorted(xp.asarray(CLASSES, lengths.dtype), lengths, side="left")
    counts = tuple(int((lengths > least).sum()) for least in (*sorted(LONGEST_FOR.values(), reverse=True), 0))
    order = xp.argsort(-classes, kind="stable").astype("int32")[: counts[-1]]
    return RowLayout(order, matrix.indptr[order], matrix.indptr[order + 1], lengths > 0, counts)


@lru_cache(maxsize=1024)
def grid(counts: tuple[int, ...], share: int | None) -> tuple[int, tuple[np.int32, ...]]:
    """Blocks in all, and the numbers that tell a block what is its own; `share` is None without a mask."""
    for_blocks, for_warps, for_eights, rows = counts
    blocks = [-(-for_blocks // (1 if share is None else 1 << share))]
    for first, last, teams in zip(counts[:-1], counts[1:], (1, 4, 32), strict=True):
        looked_at = teams if share is None else min(LISTED, teams << share)
        blocks.append(-(-(last - first) // (WARPS * looked_at)))
    numbers = blocks[0], for_blocks, blocks[1], for_warps, blocks[2], for_eights, rows, share or 0
    return sum(blocks), tuple(map(np.int32, numbers))


def share_of(mask: Mask, size: int) -> int:
    """A team looks at 2**share rows, of which the mask allows about one or two."""
    return min(MOST_SHARE, (size // max(1, count_allowed_rows(mask, size))).bit_length())


def kernel_name(flip: bool, full: bool, mask: str, offset: str) -> str:
    side, entries = "VectorFirst" if flip else "MatrixFirst", "Full" if full else "Bitmap"
    return f"pull<S, {side}, {entries}, {mask}, {offset}>"


def offset_type(matrix: CompressedMatrix) -> str:
    """The C type of the row pointers."""
    return "int" if matrix.indptr.dtype.itemsize == 4 else "long long"


def product_kernel(
    engine: KernelEngine, file: str, name: str, semiring: Semiring, pair: tuple[Any, Any], out: DType, flip: bool
) -> Any:
    """A kernel over a semiring whose operands are a matrix and a vector."""
    a, b = pair[::-1] if flip else pair
    return engine.over_semiring(file, name, semiring, a.type, b.type, out)


def pull(engine: KernelEngine, step: MatVec, matrix: CompressedMatrix) -> VectorStorage | Uncounted:
    """Probe the rows that the mask allows."""
    return over_rows(engine, matrix, step.vector, step.semiring, step.out, step.flip, step.mask)


def over_rows(
    engine: KernelEngine,
    matrix: CompressedMatrix,
    vector: VectorStorage,
    semiring: Semiring,
    out: DType,
    flip: bool,
    mask: Mask | None,
) -> VectorStorage | Uncounted:
    """⊕ over the rows of a compressed matrix."""
    size = matrix.nrows
    if size == 0 or matrix.nvals == 0 or vector.nvals == 0:
        return no_entries(engine, size, out)
    policy = "NoMask" if mask is None else "Outside" if mask.complement else "Inside"
    key = engine, semiring, out, vector.type, flip, policy, type(vector) is FullVector
    ready = matrix.cached(key, lambda m: prepared(engine, m, vector, semiring, out, flip, policy))
    return ready(engine, vector, mask)


@quick()
class EveryRow:
    """A product in which every row that has entries has a result: nothing is counted, and the flags are copied."""

    kernel: Any
    blocks: int
    before: tuple[Any, ...]
    between: tuple[Any, ...]
    after: tuple[Any, ...]
    size: int
    count: int
    dtype: str

    def __call__(self, engine: KernelEngine, vector: VectorStorage, mask: None) -> VectorStorage:
        """Launch it; where every row has entries, nobody reads flags."""
        array, full = engine.xp.ndarray, self.count == self.size  # `cupy.empty`, without a call on the way
        values = array(self.size, self.dtype)
        flags: tuple[Any, ...] = () if full else (array(self.size, bool),)
        arguments = *self.before, vector.values, *self.between, values, *self.after, *flags
        self.kernel(self.blocks, THREADS, arguments)
        return FullVector(values) if full else BitmapVector(flags[0], values, self.count)


@quick()
class SomeRows:
    """A product whose rows are flagged and counted as they come."""

    kernel: Any
    layout: RowLayout
    rows: tuple[Any, ...]
    matrix: tuple[Any, ...]
    after: tuple[Any, ...]
    size: int
    dtype: str

    def __call__(self, engine: KernelEngine, vector: VectorStorage, mask: Mask | None) -> Uncounted:
        """Launch it over the rows that the mask allows."""
        size = self.size
        board, values = new_board(engine.device, size), engine.xp.empty(size, self.dtype)
        blocks, numbers = grid(self.layout.counts, None if mask is None else share_of(mask, size))
        flags = engine.flags(mask, size)[1]
        operands = *self.matrix, *entries(engine, vector), flags, board, values
        self.kernel(blocks, THREADS, (*self.rows, *numbers, *operands, *self.after))
        return Uncounted(engine.device, board, values, lambda count: written(present(board, size), values, count))


def prepared(
    engine: KernelEngine,
    matrix: CompressedMatrix,
    vector: VectorStorage,
    semiring: Semiring,
    out: DType,
    flip: bool,
    policy: str,
) -> EveryRow | SomeRows:
    """A launch but for what changes from product to product; kept with the matrix."""
    full = isinstance(vector, FullVector)
    name = kernel_name(flip, full, policy, offset_type(matrix))
    kernel = product_kernel(engine, "matvec/pull.cuh", name, semiring, (matrix, vector), out, flip)
    layout = matrix.cached("row_layout", lambda m: row_layout(engine.xp, m))
    fixed, none, size = engine.device.fixed, engine.unread("bool"), matrix.nrows
    rows, columns = fixed(layout.order, layout.begins, layout.ends), fixed(matrix.indices, matrix.values)
    if not full or policy != "NoMask":
        return SomeRows(kernel, layout, rows, columns, fixed(none, np.int32(0), none), size, out.numpy)
    count = layout.counts[-1]
    blocks, numbers = grid(layout.counts, None)
    before, between = (*rows, *fixed(*numbers), *columns, *fixed(none)), fixed(none, none)
    after = fixed(none, np.int32(0), none) if count == size else fixed(layout.present, np.int32(size))
    return EveryRow(kernel, blocks, before, between, after, size, count, out.numpy)


def entries(engine: KernelEngine, vector: VectorStorage) -> tuple[Array, Array]:
    """Presence flags and values."""
    if isinstance(vector, FullVector):
        return engine.unread("bool"), vector.values
    if isinstance(vector, BitmapVector):
        return vector.present, vector.values
    present, values = engine.xp.zeros(vector.size, bool), engine.xp.empty(vector.size, vector.values.dtype)
    kernel = engine.own_kernel("spread.cuh", f"spread<{engine.c_type(values)}>")
    indices = vector.indices.astype("int32", copy=False)
    kernel(-(-vector.nvals // THREADS), THREADS, (indices, vector.values, np.int32(vector.nvals), present, values))
    return present, values


def no_entries(engine: KernelEngine, size: int, out: DType) -> SparseVector:
    """A vector without entries."""
    return SparseVector(size, engine.xp.zeros(0, "int32"), engine.xp.zeros(0, out.numpy))


def written(present: Array, values: Array, count: int) -> VectorStorage:
    """What a kernel wrote, as a vector."""
    return FullVector(values) if count == values.shape[0] else BitmapVector(present, values, count)


def pull_full(engine: KernelEngine, step: MatVec, matrix: FullMatrix) -> VectorStorage | Uncounted:
    """The same over a full matrix."""
    rows, columns = matrix.shape
    if rows == 0 or columns == 0 or step.vector.nvals == 0:
        return no_entries(engine, rows, step.out)
    policy, flags = engine.flags(step.mask, rows)
    full = isinstance(step.vector, FullVector)
    side, seen = "VectorFirst" if step.flip else "MatrixFirst", "Full" if full else "Bitmap"
    name = f"pull_full<S, {side}, {seen}, {policy}>"
    kernel = product_kernel(
        engine, "matvec/pull_full.cuh", name, step.semiring, (matrix, step.vector), step.out, step.flip
    )
    board, values = new_board(engine.device, rows), engine.xp.empty(rows, step.out.numpy)
    numbers = np.int32(rows), np.int32(columns)
    given = entries(engine, step.vector)
    kernel(-(-rows // WARPS), THREADS, (*numbers, matrix.values, *given, flags, board, values))
    return Uncounted(engine.device, board, values, lambda count: written(present(board, rows), values, count))
