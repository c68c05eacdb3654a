"""C[r, i] = ⊕_k F[r, k] ⊗ B[k, i] with F of few rows: each vertex i pulls for up to 32 rows at once."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.few_arrange import FILE as ARRANGE
from graphla.engine.cuda.matmat.few_arrange import arrange, spread, transpose_rows
from graphla.engine.cuda.matmat.few_by_rows import LongRows, deals_rows, find_long_rows, pull_by_rows
from graphla.engine.cuda.matmat.few_full import make_result, name_places
from graphla.engine.cuda.matmat.few_rows import (
    FEW_THREADS,
    FILL_VERTICES,
    LANE_THREADS,
    Operands,
    Piece,
    entry_bounds,
    find_mask,
    find_operands,
    join_pieces,
    mask_policy,
    offsets,
    require_room,
    split_rows,
)
from graphla.engine.cuda.matmat.rows import allocate_padded, make_empty
from graphla.engine.cuda.matvec.pull_even import EVEN_STRETCH, EvenLayout, make_even_layout
from graphla.engine.cuda.records import read_struct
from graphla.planning.few_rows import FEW_AT_ONCE
from graphla.planning.steps import MatMat
from graphla.storage import Array, CompressedMatrix, FullMatrix, MatrixStorage
from graphla.storage.convert import tally
from graphla.storage.formats import choose_index_dtype
from semirings.dtypes import DType

FILE = "matmat/few_pull.cuh"
PACK_BYTES = 16
POINTER_BYTES = 24
"""Bytes per row while row pointers are made: lengths, their sums in 64 bits, and those in the dtype of the result."""
"""The widest load of a lane."""


FewPullParameters = read_struct("matmat/few_walk.cuh", "FewPullParameters")
FewCountParameters = read_struct("matmat/few_arrange.cuh", "FewCountParameters")
FewFillParameters = read_struct("matmat/few_arrange.cuh", "FewFillParameters")


class Batch(NamedTuple):
    """What a pull of a batch of rows leaves: a value and a bit (None: all are entries) per vertex and row."""

    out: Array
    found: Array | None
    rows: int
    stride: int


def few_pull(engine: KernelEngine, step: MatMat) -> MatrixStorage:
    """Pull batch after batch."""
    on = find_operands(step)
    if step.few_on_left:
        matrix = engine.orient(step.right, not step.right_transposed)
    else:
        matrix = engine.orient(step.left, step.left_transposed)
    if matrix.nvals == 0 or on.few.nvals == 0:
        return make_empty(engine, step)
    nvals = 0 if step.mask is None else step.mask.of.nvals
    require_room(engine, on, work_bytes(on, on.width, matrix.ncols, nvals))
    layouts = matrix.cached("even_layouts", lambda _: {})
    layout = layouts.get(0) or layouts.setdefault(0, make_even_layout(engine, matrix, 0))
    plain = isinstance(on.few, FullMatrix) and step.mask is None
    tasks = find_long_rows(engine, step.semiring, step.out, matrix, layout) if plain else None
    if tasks is not None and on.transposed and on.reads_few:
        return make_result(engine, on, matrix, layout, pull_columns(engine, on, matrix, layout, tasks))
    batches = pull_batches(engine, on, matrix, layout, tasks)
    if plain and step.few_on_left:
        return make_result(engine, on, matrix, layout, restore_rows(engine, on, layout, batches))
    if not step.few_on_left:
        return collect_columns(engine, on, matrix, layout, list(batches))
    return join_pieces(engine, [collect_batch(engine, on, layout, batch) for batch in batches], step.shape)


def restore_rows(engine: KernelEngine, on: Operands, layout: EvenLayout, batches: Iterator[Batch]) -> Array:
    """Write the values of each vertex that has arcs to rows, batch after batch."""
    out, first = engine.xp.empty((on.count, layout.filled.shape[0]), on.step.out.numpy), 0
    for batch in batches:
        transpose_rows(engine, out[first:], batch.out, batch.rows, batch.stride, back=True)
        first += batch.rows
    return out


def pull_columns(
    engine: KernelEngine, on: Operands, matrix: CompressedMatrix, layout: EvenLayout, tasks: LongRows
) -> Array:
    """Multiply by full columns where they stand, and write columns, up to 32 at a time; few rows are turned."""
    few: Any = on.few.values
    out = engine.xp.empty((layout.filled.shape[0], on.count), on.step.out.numpy)
    aligned = attrgetter(engine.device.address)(few) % PACK_BYTES == 0
    for rows in split_rows(on.count, FEW_AT_ONCE):
        lanes, pack = choose_team(on, on.few.type, len(rows))
        if not aligned or on.count % pack:
            lanes, pack = lanes * pack, 1
        x, y = (held.reshape(-1)[rows.start :] for held in (few, out))
        pull_by_rows(engine, on, matrix, layout, tasks, rows, (x, on.count), (y, on.count), lanes, pack)
    return engine.xp.ascontiguousarray(out.T) if on.step.few_on_left else out


def pull_batches(
    engine: KernelEngine, on: Operands, matrix: CompressedMatrix, layout: EvenLayout, tasks: LongRows | None
) -> Iterator[Batch]:
    """Pull for up to 32 rows at a time; by rows of the other matrix if the tasks of its long rows are given."""
    few = on.few if isinstance(on.few, FullMatrix) else engine.orient(on.few, on.transposed)
    mask, batches = find_mask(engine, on.step), split_rows(on.count, FEW_AT_ONCE)
    held = entry_bounds(few, batches) if isinstance(few, CompressedMatrix) else [(0, 0)] * len(batches)
    allowed = entry_bounds(mask, batches) if mask is not None else [(0, 0)] * len(batches)
    for rows, of_few, of_mask in zip(batches, held, allowed, strict=True):
        lanes, pack = choose_team(on, few.type, len(rows))
        x, has, x_stride = arrange(engine, on, few, rows, of_few, lanes * pack, pack)
        words = engine.get_unread("uint32")
        if mask is not None:
            words = engine.xp.zeros(on.width, "uint32")
            spread(engine, mask, rows, of_mask, engine.get_unread(mask.dtype), words, 0, values=False)
        if tasks is None:
            yield pull_batch(engine, on, matrix, layout, rows, (x, has, x_stride), words, lanes, pack)
            continue
        stride = lanes * pack
        out = allocate_padded(engine.xp, int(layout.filled.shape[0]) * stride, on.step.out.numpy)
        pull_by_rows(engine, on, matrix, layout, tasks, rows, (x, x_stride), (out, stride), lanes, pack)
        yield Batch(out, None, len(rows), stride)


def choose_team(on: Operands, few: DType, rows: int) -> tuple[int, int]:
    """Choose how many lanes take the rows of a vertex, and how many rows each of them: powers of two."""
    width = 1 << (rows - 1).bit_length()
    item = max(on.step.out.bits // 8, few.bits // 8 if on.reads_few else 1)
    pack = min(width, max(1, PACK_BYTES // item))
    return width // pack, pack


def pull_batch(
    engine: KernelEngine,
    on: Operands,
    matrix: CompressedMatrix,
    layout: EvenLayout,
    rows: range,
    arranged: tuple[Array, Array | None, int],
    mask: Array,
    lanes: int,
    pack: int,
) -> Batch:
    """Launch the pull of a batch of rows."""
    xp, step, vertices = engine.xp, on.step, int(layout.filled.shape[0])
    stride, (x, has, x_stride) = lanes * pack, arranged
    out = allocate_padded(xp, vertices * stride, step.out.numpy)
    engine.lists.fill(out, step.semiring.add.identity(step.out))
    entries, policy, unread = "Full" if has is None else "Words", mask_policy(step), engine.get_unread("uint32")
    found = None if has is None and step.mask is None else xp.zeros(vertices, "uint32")
    name = f"few_pull<S, {on.side}, {entries}, {policy}, {engine.c_type(matrix.indptr)}, {pack}, {lanes}>"
    kernel = engine.get_kernel_over_semiring(FILE, name, step.semiring, *on.types, takes=FewPullParameters)
    given = FewPullParameters(
        filled=layout.filled,
        indptr=layout.indptr,
        first_row=layout.first_row,
        indices=matrix.indices,
        values=matrix.values,
        x=x,
        has=unread if has is None else has,
        mask=mask,
        out=out,
        found=unread if found is None else found,
        arcs=matrix.indptr.dtype.type(matrix.nvals),
        columns=len(rows),
        first_column=rows.start,
        x_stride=x_stride,
        out_stride=stride,
    )
    kernel(-(-matrix.nvals // EVEN_STRETCH), LANE_THREADS if lanes == 1 else FEW_THREADS, given)
    return Batch(out, found, len(rows), stride)


def collect_batch(engine: KernelEngine, on: Operands, layout: EvenLayout, batch: Batch) -> Piece:
    """Write a batch of rows as a compressed matrix, or without columns if every cell is an entry."""
    xp, rows, vertices = engine.xp, batch.rows, int(layout.filled.shape[0])
    parts = -(-vertices // FILL_VERTICES)
    if batch.found is None:
        entries, begins = rows * vertices, engine.get_unread("int64")
        pointers = xp.asarray(np.arange(rows + 1, dtype="int64") * vertices)
    else:
        counts = xp.empty(rows * parts, "int32")
        counting = engine.get_own_kernel(ARRANGE, "few_count", takes=FewCountParameters)
        counting(
            -(-parts * 32 // FEW_THREADS),
            FEW_THREADS,
            FewCountParameters(found=batch.found, counts=counts, vertices=vertices, rows=rows, parts=parts),
        )
        begins, pointers = offsets(engine, counts, rows)
        entries = engine.device.last_number(begins)
    listed = entries < on.count * on.width and not (batch.found is None and vertices == on.width)
    indices = xp.empty(entries, "int32") if listed else engine.get_unread("int32")
    values = xp.empty(entries, batch.out.dtype)
    if entries:
        present = "Full" if batch.found is None else "Words"
        name = f"few_fill<{engine.c_type(values)}, {present}>"
        kernel = engine.get_own_kernel(ARRANGE, name, takes=FewFillParameters)
        found = engine.get_unread("uint32") if batch.found is None else batch.found
        given = FewFillParameters(
            found=found,
            filled=layout.filled,
            out=batch.out,
            begins=begins,
            indices=indices,
            values=values,
            vertices=vertices,
            rows=rows,
            parts=parts,
            stride=batch.stride,
            numbered=vertices < on.width,
            listed=listed,
        )
        kernel(-(-parts * 32 // FEW_THREADS), FEW_THREADS, given)
    return Piece(pointers, indices, values)


def collect_columns(
    engine: KernelEngine, on: Operands, matrix: CompressedMatrix, layout: EvenLayout, batches: list[Batch]
) -> MatrixStorage:
    """Write the result by vertices: the few columns of each lie together already."""
    xp, count, vertices = engine.xp, on.count, int(layout.filled.shape[0])
    parts = [batch.out[: vertices * batch.stride].reshape(vertices, batch.stride)[:, : batch.rows] for batch in batches]
    values = xp.ascontiguousarray(parts[0] if len(parts) == 1 else xp.concatenate(parts, axis=1))
    if batches[0].found is None:
        return make_result(engine, on, matrix, layout, values)
    lengths = xp.zeros(on.width + 1, "int64")
    bits = [(batch.found[:, None] >> xp.arange(batch.rows, dtype="uint32")) & 1 for batch in batches]  # type: ignore
    flags = xp.concatenate(bits, axis=1) != 0
    places = xp.flatnonzero(flags)
    lengths[layout.filled + 1] = tally(places // count, vertices)
    indices, kept = (places % count).astype("int32"), values.reshape(-1)[places]
    pointers = xp.cumsum(lengths).astype(choose_index_dtype(kept.shape[0]))
    return CompressedMatrix(*on.step.shape, pointers, indices, kept)


def work_bytes(on: Operands, vertices: int, inner: int, mask: int) -> int:
    """Bytes of the values and bits of each vertex on both sides, beside the result; few columns are all kept."""
    rows, item = min(on.count, FEW_AT_ONCE), on.few.values.dtype.itemsize
    stride = 1 << (rows - 1).bit_length()
    batches = -(-on.count // FEW_AT_ONCE)
    kept = batches * vertices * (stride * (on.step.out.bits // 8) + np.dtype("uint32").itemsize)
    listed = 0 if on.step.few_on_left else vertices * on.count * (on.step.out.bits // 8 + 26)
    return kept + inner * (stride * item + 8) + 4 * on.width + mask * (4 + item) + listed


def count_full_bytes(on: Operands, vertices: int, inner: int, matrix: CompressedMatrix | None) -> int:
    """Bytes beside the result of a product with full rows or columns, of which `vertices` rows or columns have entries.

    Columns that stand where they are read and written take none. The values of a batch of rows lie side by side while
    the next batch is computed; those of columns until they are joined.
    """
    item, few, batches = on.step.out.bits // 8, on.few.values.dtype.itemsize, split_rows(on.count, FEW_AT_ONCE)
    pointers = count_place_bytes(on, vertices, matrix)
    by_rows = matrix is not None and deals_rows(on.step.semiring, on.step.out, matrix, vertices)
    if by_rows and on.transposed and on.reads_few:
        return pointers + (vertices * on.count * item if on.step.few_on_left else 0)
    strides = [1 << (len(rows) - 1).bit_length() for rows in batches]
    at_once = min(2, len(batches))
    arranged = at_once * inner * strides[0] * few if on.reads_few else 0
    if on.step.few_on_left:
        return pointers + arranged + at_once * vertices * strides[0] * item
    joined = len(batches) > 1 or strides[0] != on.count
    return pointers + arranged + joined * vertices * sum(strides) * item


def count_place_bytes(on: Operands, vertices: int, matrix: CompressedMatrix | None) -> int:
    """Bytes of making row pointers; less than none where the result shares places that are cached with the matrix."""
    if vertices == on.width:
        return 0
    if matrix is not None and matrix.is_cached(name_places(on)):
        return -vertices * on.count * np.dtype("int32").itemsize
    return POINTER_BYTES * (on.width + on.count)
