"""C = A ∪ B, A ∩ B or A ∖ B of matrices by rows, in one walk over the entries of both that blocks share evenly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from graphla.engine.cuda import rendered
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries.by_rows import Filled, compute_offsets
from graphla.engine.cuda.lists import BY_BYTES
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.source import KERNELS
from graphla.storage import Array, CompressedMatrix
from graphla.storage.convert import choose_index_dtype, match_pointers
from semirings import binary
from semirings.dtypes import BOOL, DType, lookup

NAME = "entries/merge.cuh"
FILE = KERNELS / NAME
MERGE_THREADS = 256
MERGE_STEPS = 8  # of the walk, by each thread
MERGE_TILE = MERGE_THREADS * MERGE_STEPS


MergeParameters = read_struct("entries/merge.cuh", "MergeParameters")
MergeCountParameters = read_struct("entries/merge.cuh", "MergeCountParameters")
MergePlacesParameters = read_struct("entries/merge.cuh", "MergePlacesParameters")


@dataclass(frozen=True, eq=False)
class Walk:
    """Two matrices, and where each tile of the walk over their entries begins."""

    pointer: str
    rows: np.int32
    tiles: int
    left: tuple[Array, Array]
    right: tuple[Array, Array]
    borders: tuple[Array, Array, Array]

    def name_members(self) -> dict[str, Any]:
        """What the structs of all kernels after the first have in common."""
        (left, of_left), (right, of_right), (rows, a, b) = self.left, self.right, self.borders
        return {
            "left_indptr": left, "left_indices": of_left, "right_indptr": right, "right_indices": of_right,
            "rows": self.rows, "row_of": rows, "a_of": a, "b_of": b,
        }  # fmt: skip


def unite(
    engine: KernelEngine, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType, fills: Any = None
) -> CompressedMatrix:
    """op where both have an entry; elsewhere the one there is, or op with the fill of the other."""
    return merge(engine, "Either", left, right, right.values, op, out, fills)


def intersect(
    engine: KernelEngine, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType
) -> CompressedMatrix:
    """op where both have an entry."""
    return merge(engine, "Both", left, right, right.values, op, out)


def filter_by_mask(
    engine: KernelEngine, matrix: CompressedMatrix, mask: CompressedMatrix, complement: bool = False
) -> CompressedMatrix:
    """The entries of a matrix where a mask has one, or where it has none."""
    rule = "LeftOutside" if complement else "LeftInside"
    return merge(engine, rule, matrix, mask, engine.get_unread("bool"), binary.first, matrix.type)


def write_under_mask(
    engine: KernelEngine, target: CompressedMatrix, result: CompressedMatrix, mask: CompressedMatrix, out: DType
) -> CompressedMatrix:
    """The entries of a result where a mask has one, and those of a target elsewhere, in two walks.

    The first one leaves a flag and a value at each entry of the mask.
    """
    xp = engine.xp
    flags, values = xp.zeros(mask.nvals, bool), xp.empty(mask.nvals, result.dtype)
    if result.nvals and mask.nvals:
        names = name_places(engine, result, mask, result.type)
        finding = engine.get_own_kernel(NAME, names[0], beside=names)
        placing = engine.get_own_kernel(NAME, names[1], MergePlacesParameters, names)
        walk, kind = walk_over(engine, finding, result, mask), BY_BYTES[values.dtype.itemsize][1]
        given = {"left_values": result.values.view(kind), "flags": flags, "out": values.view(kind)}
        placing(walk.tiles, MERGE_THREADS, MergePlacesParameters(**walk.name_members(), **given))
    return merge(engine, "MaskDecides", target, mask, values, binary.first, out, flags=flags)


def name_places(engine: KernelEngine, result: Any, mask: Any, dtype: DType) -> tuple[str, str]:
    """Name the kernels that find the entries of a mask in a result."""
    pointer = engine.c_type(max(result.indptr, mask.indptr, key=lambda one: one.itemsize))
    return f"merge_borders<{pointer}>", f"merge_places<{pointer}, {BY_BYTES[np.dtype(dtype.numpy).itemsize][0]}>"


def begin_under_mask(engine: KernelEngine, target: CompressedMatrix, mask: Any, dtype: DType) -> None:
    """Begin to compile what `write_under_mask` needs of a result with row pointers as the target has."""
    engine.begin(NAME, *name_places(engine, target, mask, dtype))
    names = name_kernels(engine, "MaskDecides", target, mask, "Passing<Op>")
    engine.begin(NAME, *names, prelude=render_operators(binary.first, target.type, dtype, dtype))


def merge(
    engine: KernelEngine,
    rule: str,
    left: CompressedMatrix,
    right: CompressedMatrix,
    values: Array,
    op: Any,
    out: DType,
    fills: Any = None,
    flags: Array | None = None,
) -> CompressedMatrix:
    """Count, then fill; `values` are used as those of the right matrix, where `flags` are up if they are given."""
    xp, types = engine.xp, (left.type, lookup(values.dtype))
    if left.nvals + right.nvals == 0:
        return Filled(xp, left.shape, 0, out.numpy).matrix()
    alone = "Passing<Op>" if fills is None else "Meeting<Op>"
    engine.lists.begin("scan")
    finding, counting, filling = get_kernels(engine, rule, left, right, alone, render_operators(op, *types, out))
    walk = walk_over(engine, finding, left, right)
    counts = xp.empty(walk.tiles, "int32")
    flags = engine.get_unread("bool") if flags is None else flags
    counting(walk.tiles, MERGE_THREADS, MergeCountParameters(**walk.name_members(), flags=flags, counts=counts))
    begins, entries = compute_offsets(engine, counts)
    result = Filled(xp, left.shape, entries, out.numpy, find_pointer_dtype(left, right))
    fill_left, fill_right = map(engine.fill_value, fills or (0, 0), types)
    parameters = MergeParameters(
        **walk.name_members(),
        left_values=left.values,
        right_values=values,
        flags=flags,
        made_before=begins,
        a_fill=fill_left,
        b_fill=fill_right,
        out_indptr=result.indptr,
        out_indices=result.indices,
        out_values=result.values,
    )
    filling(walk.tiles, MERGE_THREADS, parameters)
    return result.matrix()


def name_kernels(engine: KernelEngine, rule: str, left: Any, right: Any, alone: str) -> tuple[str, str, str]:
    """Name the kernels that find the borders of tiles, count and fill."""
    pointer = engine.c_type(max(left.indptr, right.indptr, key=lambda one: one.itemsize))
    made = lookup(find_pointer_dtype(left, right)).c
    fill = f"merge_fill<{rule}, {pointer}, {made}, Op, FromLeft, FromRight, {alone}>"
    return f"merge_borders<{pointer}>", f"merge_count<{rule}, {pointer}>", fill


def find_pointer_dtype(left: Any, right: Any) -> str:
    """The dtype of row pointers that hold the entries of both."""
    return choose_index_dtype(left.nvals + right.nvals)


def begin_filter(engine: KernelEngine, matrix: CompressedMatrix, mask: Any, dtype: DType, complement: bool) -> None:
    """Begin to compile what `filter_by_mask` needs for matrices like this one, with values of a dtype."""
    rule = "LeftOutside" if complement else "LeftInside"
    names = name_kernels(engine, rule, matrix, mask, "Passing<Op>")
    engine.begin(FILE, *names, prelude=render_operators(binary.first, dtype, BOOL, dtype))


def begin_unite(engine: KernelEngine, left: CompressedMatrix, right: Any, op: Any, dtypes: tuple[DType, ...]) -> None:
    """Begin to compile what `unite` needs for matrices like these, with values of two dtypes, and a result's."""
    names = name_kernels(engine, "Either", left, right, "Passing<Op>")
    engine.begin(FILE, *names, prelude=render_operators(op, *dtypes))


def get_kernels(
    engine: KernelEngine, rule: str, left: CompressedMatrix, right: CompressedMatrix, alone: str, prelude: str
) -> tuple[Any, Any, Any]:
    """Return the kernels that find the borders of tiles, count and fill; they are compiled as one module."""
    names, takes = name_kernels(engine, rule, left, right, alone), (None, MergeCountParameters, MergeParameters)
    return tuple(
        engine.kernel(FILE, name, prelude, takes=record, beside=names)
        for name, record in zip(names, takes, strict=True)
    )  # type: ignore[return-value]


def walk_over(engine: KernelEngine, kernel: Any, left: CompressedMatrix, right: CompressedMatrix) -> Walk:
    """The walk over the entries of two matrices of one shape."""
    xp, tiles = engine.xp, -(-(left.nvals + right.nvals) // MERGE_TILE)
    a, b = match_pointers(left.indptr, right.indptr)
    borders = xp.empty(tiles + 1, "int32"), xp.empty(tiles + 1, "int64"), xp.empty(tiles + 1, "int64")
    walk = Walk(engine.c_type(a), np.int32(left.nrows), tiles, (a, left.indices), (b, right.indices), borders)
    kernel(
        -(-(tiles + 1) // MERGE_THREADS), MERGE_THREADS, (*walk.left, *walk.right, walk.rows, np.int32(tiles), *borders)
    )
    return walk


@lru_cache(maxsize=1024)
def render_operators(op: Any, a: DType, b: DType, out: DType) -> str:
    """The struct of the operator, and those that cast what passes."""
    casts = rendered.render_identity(a, out, "FromLeft") + rendered.render_identity(b, out, "FromRight")
    return rendered.render_over_operator(op, (a, b), out) + casts
