"""Cells of few rows of a matrix replaced: a block assigned, or elements that were set and deleted one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.arrays.rows import are_rows
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.blocks import MOST_BLOCKS
from graphla.engine.cuda.lists import BY_BYTES
from graphla.engine.cuda.records import read_struct
from graphla.planning.steps import AssignStep, Plan, ScalarStep
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    SparseVector,
    VectorStorage,
)
from graphla.storage.formats import choose_index_dtype
from graphla.storage.positions import settle
from semirings.dtypes import DType

FILE = "entries/cells.cuh"
MOVE_THREADS, MOVE_EACH = 256, 8
"""Threads of a block, and entries that a thread moves."""
MOVE_TILE = MOVE_THREADS * MOVE_EACH
MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 1024, 4096, 1 << 20
"""A block with more rows, more columns or more cells is assigned by the walks over all entries of its rows: here a
thread searches each of its cells, 256 at a time in a row."""


MarkParameters = read_struct("entries/cells.cuh", "MarkParameters")
LookUpParameters = read_struct("entries/cells.cuh", "LookUpParameters")
ReplaceParameters = read_struct("entries/cells.cuh", "ReplaceParameters")


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of rows that rise, and what they become.

    Attributes
    ----------
    layout : array of int64
        The rows, where the cells of each begin (one more than rows), and columns in rising order; of a block with the
        columns of all its rows, then the order in which rows and columns stand among the values.
    rows, width, count : int
        The rows; the columns of a block, or 0; the cells.
    present : array of bool or None
        A flag for each cell that becomes an entry; None if all do.
    values : array
        A value per cell, or one for all.
    """

    layout: Array
    rows: int
    width: int
    count: int
    present: Array | None
    values: Array


def is_block(plan: Plan) -> bool:
    """Whether a plan assigns to few rows and columns of a CSR matrix, with no mask and no accumulator."""
    step = plan.step
    if not isinstance(step, AssignStep | ScalarStep) or not step.index or len(step.index) != 2:
        return False
    height, width = (len(part) for part in step.index)
    few = 0 < height <= MOST_ROWS and 0 < width <= MOST_COLUMNS and height * width <= MOST_CELLS
    return few and plan.mask is None and plan.accum is None and are_rows(plan.target)


def has_few_cells(plan: Plan) -> bool:
    """Whether a plan writes under a mask of few entries, and leaves everything else as it is."""
    mask = plan.mask
    if mask is None or mask.complement or plan.replace or plan.accum is not None:
        return False
    return are_rows(mask.of) and 0 < mask.of.nvals <= MOST_ROWS  # type: ignore[union-attr]


def assign_block(engine: KernelEngine, plan: Plan) -> CompressedMatrix:
    """Return the target with a block replaced; `is_block` says that it can be."""
    target: Any = plan.target
    begin_replacing(engine, target)
    step: Any = plan.step
    sides = [list_on_host(engine, part) for part in step.index]
    orders = [np.argsort(side, kind="stable") for side in sides]
    (rows, columns), width = (side[order] for side, order in zip(sides, orders, strict=True)), len(sides[1])
    firsts = np.arange(0, rows.size * width + 1, width)
    layout = engine.xp.asarray(np.concatenate([rows, firsts, columns, *orders]))
    if isinstance(step, ScalarStep):
        present, values = None, engine.xp.asarray([step.value], plan.dtype.numpy)
    else:
        present, values = list_cells(engine, step, width)
        values = engine.cast(values, plan.dtype)
    height = int(rows.size)
    return replace_cells(engine, target, Cells(layout, height, width, height * width, present, values))


def writes_few_cells(engine: Any, plan: Plan, result: Any, part: Any) -> bool:
    """Whether rows are written into rows under a mask of few entries."""
    return part is None and has_few_cells(plan) and are_rows(result, plan.target)


def write_few_cells(engine: KernelEngine, plan: Plan, result: CompressedMatrix, part: Any) -> CompressedMatrix:
    """Write the entries of a result under a mask of few entries."""
    cast: Any = replace_values(result, engine.cast(result.values, plan.dtype))
    mask = engine.list_mask(plan.mask)  # type: ignore[arg-type]
    return write_few(engine, plan.target, cast, mask, plan.dtype)  # type: ignore[arg-type]


def write_few(
    engine: KernelEngine, target: CompressedMatrix, result: CompressedMatrix, mask: CompressedMatrix, dtype: DType
) -> CompressedMatrix:
    """Return the target with the entries of a result wherever a mask of few entries has one, and none elsewhere there.

    With a result of other entries than the mask each cell is looked up in it.
    """
    if not mask.nvals:
        return target
    begin_replacing(engine, target)
    rows = engine.to_host(engine.lists.number_rows(mask.indptr, mask.nvals, "int64"))
    places, firsts = np.unique(rows, return_index=True)
    columns = engine.to_host(mask.indices)
    layout = engine.xp.asarray(np.concatenate([places, firsts, [mask.nvals], columns]))
    same = result.indices is mask.indices
    present, values = (None, result.values) if same else look_up(engine, result, layout, int(places.size), mask.nvals)
    changed = Cells(layout, int(places.size), 0, mask.nvals, present, engine.cast(values, dtype))
    return replace_cells(engine, target, changed)


def look_up(
    engine: KernelEngine, matrix: CompressedMatrix, layout: Array, rows: int, count: int
) -> tuple[Array, Array]:
    """Return a flag and a value for each cell of a layout: whether the matrix has it, and what it is."""
    present, values = engine.xp.empty(count, bool), engine.xp.empty(count, matrix.dtype)
    c, kind = BY_BYTES[values.dtype.itemsize]
    kernel = engine.get_own_kernel(FILE, f"look_up_cells<{engine.c_type(matrix.indptr)}, {c}>", takes=LookUpParameters)
    given = LookUpParameters(
        indptr=matrix.indptr,
        indices=matrix.indices,
        values=matrix.values.view(kind),
        layout=layout,
        rows=rows,
        present=present,
        out=values.view(kind),
    )
    kernel(-(-count // MOVE_THREADS), MOVE_THREADS, given)
    return present, values


def list_on_host(engine: KernelEngine, index: Any) -> Any:
    """Return the positions of an index in int64 on the host."""
    if isinstance(index, range):
        return np.arange(index.start, index.stop, index.step)
    return np.atleast_1d(engine.to_host(settle(index))).astype("int64", copy=False)


def list_cells(engine: KernelEngine, step: AssignStep, width: int) -> tuple[Array | None, Array]:
    """Return a flag (None: all are true) and a value for each cell of what is assigned, row after row."""
    of: Any = step.of
    if isinstance(of, FullVector | BitmapVector | SparseVector):
        return spread_vector(engine, of)
    of = engine.orient(of, step.transposed)
    if isinstance(of, FullMatrix):
        return None, engine.xp.ascontiguousarray(of.values).reshape(-1)
    rows = engine.lists.number_rows(of.indptr, of.nvals, "int64")
    cells = engine.lists.number_cells(rows, engine.lists.cast(of.indices, "int64"), width)
    return engine.lists.spread(cells, of.values, of.nrows * width, zeros=False)


def spread_vector(engine: KernelEngine, of: VectorStorage) -> tuple[Array | None, Array]:
    """Return a flag (None: all are true) and a value for each index of a vector."""
    if isinstance(of, SparseVector):
        return engine.lists.spread(of.indices, of.values, of.size, zeros=False)
    return of.present if isinstance(of, BitmapVector) else None, of.values


def name_kernels(engine: KernelEngine, matrix: CompressedMatrix, out: str) -> tuple[str, str]:
    """Name the kernels for a matrix, and row pointers of the result in the dtype `out`."""
    pointer, c = engine.c_type(matrix.indptr), BY_BYTES[matrix.values.dtype.itemsize][0]
    return f"mark_cells<{pointer}>", f"replace_cells<{pointer}, {POINTERS[out]}, {c}>"


POINTERS = {"int32": "int", "int64": "long long"}


def begin_replacing(engine: KernelEngine, matrix: CompressedMatrix) -> None:
    """Begin to compile what a change of few cells needs."""
    engine.lists.begin("scan")
    engine.begin(FILE, *name_kernels(engine, matrix, matrix.indptr.dtype.name))


def replace_cells(engine: KernelEngine, matrix: CompressedMatrix, cells: Cells) -> CompressedMatrix:
    """Return a matrix with some cells replaced, in one pass over its entries."""
    xp, names = engine.xp, name_kernels(engine, matrix, matrix.indptr.dtype.name)
    begins, ends = xp.empty((2, cells.rows), "int64")
    smaller, before = xp.empty((2, cells.count), "int32")
    grown, unread = xp.empty(cells.rows, "int32"), engine.get_unread("bool")
    present = unread if cells.present is None else cells.present
    marking = engine.get_own_kernel(FILE, names[0], takes=MarkParameters, beside=names)
    both = {
        "indptr": matrix.indptr,
        "indices": matrix.indices,
        "layout": cells.layout,
        "rows": cells.rows,
        "width": cells.width,
        "present": present,
        "all_present": cells.present is None,
        "begins": begins,
        "ends": ends,
        "smaller": smaller,
        "grown_before": before,
    }
    marking(cells.rows, MOVE_THREADS, MarkParameters(**both, grown=grown))
    above = engine.lists.make_pointers(grown)
    entries = matrix.nvals + engine.device.last_number(above)
    pointers = xp.empty(matrix.nrows + 1, choose_index_dtype(entries))
    indices, values = xp.empty(entries, "int32"), xp.empty(entries, matrix.dtype)
    kind = BY_BYTES[values.dtype.itemsize][1]
    name = name_kernels(engine, matrix, pointers.dtype.name)[1]
    given = ReplaceParameters(
        **both,
        values=matrix.values.view(kind),
        height=matrix.nrows,
        entries=matrix.nvals,
        fresh=cells.values.view(kind),
        one_value=cells.values.shape[0] == 1,
        grown_above=above,
        out_indptr=pointers,
        out_indices=indices,
        out_values=values.view(kind),
    )
    replacing = engine.get_own_kernel(FILE, name, takes=ReplaceParameters, beside=names)
    least = min(MOST_BLOCKS, -(-(matrix.nrows + 1) // MOVE_THREADS))
    replacing(max(least, -(-matrix.nvals // MOVE_TILE)), MOVE_THREADS, given)
    return CompressedMatrix(*matrix.shape, pointers, indices, values)
