"""C[r, j] = ⊕_k F[r, k] ⊗ B[k, j] with F of few rows: each product of an entry of F is pushed to its cell."""

from __future__ import annotations

import numpy as np

from graphla.common.config import config
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries.extract import expand_rows
from graphla.engine.cuda.matmat.few_rows import (
    CELLS,
    FEW_THREADS,
    PUSH_PRODUCTS,
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
from graphla.engine.cuda.matmat.rows import allocate_padded
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.rendered import render_over_semiring
from graphla.planning.steps import MatMat
from graphla.storage import Array, CompressedMatrix, MatrixStorage
from graphla.storage.formats import as_compressed

FILE = "matmat/few_push.cuh"
CELL_PACK = 16
"""Cells that a thread reads at once: rows of cells are padded to as many."""
MOST_CELLS = 1 << 28
"""Cells of the rows that are pushed at once."""


FewPushParameters = read_struct("matmat/few_push.cuh", "FewPushParameters")
FewPushSharesParameters = read_struct("matmat/few_push.cuh", "FewPushSharesParameters")
FewCellFlagsParameters = read_struct("matmat/few_push.cuh", "FewCellFlagsParameters")
FewCellCountParameters = read_struct("matmat/few_push.cuh", "FewCellCountParameters")
FewCellFillParameters = read_struct("matmat/few_push.cuh", "FewCellFillParameters")


def few_push(engine: KernelEngine, step: MatMat) -> MatrixStorage:
    """Push all products; of few columns the transpose of the result is computed."""
    on = find_operands(step)
    few = as_compressed(engine.xp, engine.orient(on.few, on.transposed))
    other = (
        engine.orient(step.right, step.right_transposed)
        if step.few_on_left
        else engine.orient(step.left, not step.left_transposed)
    )
    begin(engine, on, other)
    mask, width = find_mask(engine, step), pad_width(on.width)
    require_room(engine, on, work_bytes(on, few.nvals, 0 if mask is None else mask.nvals))
    batches = split_rows(on.count, count_rows_at_once(on))
    entries = entry_bounds(few, batches)
    masked = entry_bounds(mask, batches) if mask is not None else [(0, 0)] * len(batches)
    numbers = expand_rows(engine, few)
    pieces = []
    for rows, held, allowed in zip(batches, entries, masked, strict=True):
        flags = flag_cells(engine, mask, rows, allowed, width)
        present, out = push_rows(engine, on, few, other, numbers, rows, held, flags, width)
        pieces.append(collect_cells(engine, present, out, len(rows), width))
    result = join_pieces(engine, pieces, (on.count, on.width))
    return result if step.few_on_left else engine.orient(result, True)


def begin(engine: KernelEngine, on: Operands, other: CompressedMatrix) -> None:
    """Begin to compile what a push needs."""
    engine.lists.begin("transpose", "rows", "scan", "push")
    prelude = render_over_semiring(on.step.semiring, *on.types)
    engine.begin(FILE, name_push(on), prelude=prelude)
    engine.begin(FILE, *name_shares(engine.c_type(other.indptr), on.step.out.c))


def name_push(on: Operands) -> str:
    """Name the kernel that pushes."""
    return f"few_push<S, {on.side}, {mask_policy(on.step)}>"


def name_shares(pointer: str, value: str) -> tuple[str, str, str]:
    """Name the kernels that share products out, and that list cells."""
    return f"few_push_shares<{pointer}>", "few_cell_count", f"few_cell_fill<{value}>"


def count_rows_at_once(on: Operands) -> int:
    """Return how many rows are pushed at once: their cells take half of the memory limit at most, if there is one."""
    cells = MOST_CELLS
    if config.memory_limit is not None:
        cells = min(cells, config.memory_limit // 2 // (2 + on.step.out.bits // 8))
    return max(1, cells // pad_width(on.width))


def pad_width(width: int) -> int:
    """Return the cells of a row, with those that pad it."""
    return -(-width // CELL_PACK) * CELL_PACK


def flag_cells(
    engine: KernelEngine, mask: CompressedMatrix | None, rows: range, entries: tuple[int, int], width: int
) -> Array:
    """Return a flag for each cell of a batch of rows at which the mask has an entry."""
    if mask is None:
        return engine.get_unread("bool")
    flags, offset = engine.xp.zeros(len(rows) * width, bool), mask.indptr.dtype.type
    if entries[1] > entries[0]:
        name = f"few_cell_flags<{engine.c_type(mask.indptr)}>"
        kernel = engine.get_own_kernel(FILE, name, takes=FewCellFlagsParameters)
        given = FewCellFlagsParameters(
            indptr=mask.indptr[rows.start :], indices=mask.indices, flags=flags, first=offset(entries[0]),
            last=offset(entries[1]), width=width, rows=len(rows),
        )  # fmt: skip
        kernel(-(-(entries[1] - entries[0]) // FEW_THREADS), FEW_THREADS, given)
    return flags


def push_rows(
    engine: KernelEngine,
    on: Operands,
    few: CompressedMatrix,
    other: CompressedMatrix,
    numbers: Array,
    rows: range,
    entries: tuple[int, int],
    flags: Array,
    width: int,
) -> tuple[Array, Array]:
    """Push the products of a batch of rows; return presence and value of each cell."""
    xp, semiring, out_type = engine.xp, on.step.semiring, on.step.out
    present = xp.zeros(len(rows) * width, bool)
    out = allocate_padded(xp, len(rows) * width, out_type.numpy)
    engine.lists.fill(out, semiring.add.identity(out_type))
    part = slice(*entries)
    columns, values, owners = few.indices[part], few.values[part], numbers[part]
    begins, lengths = engine.lists.find_spans(other.indptr, columns)
    upto = engine.lists.make_pointers(lengths)
    products = engine.device.last_number(upto)
    if products == 0:
        return present, out
    shifts, firsts = share_products(engine, begins, upto, products, out)
    kernel = engine.get_kernel_over_semiring(FILE, name_push(on), semiring, *on.types, takes=FewPushParameters)
    given = FewPushParameters(
        rows=owners - rows.start if rows.start else owners,
        few_indices=columns,
        few_values=values,
        ends=upto[1:],
        shifts=shifts,
        firsts=firsts,
        indices=other.indices,
        values=other.values,
        flags=flags,
        present=present,
        out=out,
        products=products,
        width=width,
        first_row=rows.start,
    )
    kernel(-(-products // PUSH_PRODUCTS), FEW_THREADS, given)
    return present, out


def share_products(engine: KernelEngine, begins: Array, upto: Array, products: int, out: Array) -> tuple[Array, Array]:
    """Return the way from the number of a product to its arc, for each entry, and the first entry of each share."""
    entries, shares = int(begins.shape[0]), -(-products // PUSH_PRODUCTS) + 1
    shifts, firsts = engine.xp.empty(entries, "int64"), engine.xp.empty(shares, "int32")
    name, *collecting = name_shares(engine.c_type(begins), engine.c_type(out))
    kernel = engine.get_own_kernel(FILE, name, FewPushSharesParameters, tuple(collecting))
    given = FewPushSharesParameters(
        begins=begins, upto=upto, entries=entries, products=products, shares=shares, shifts=shifts, firsts=firsts
    )
    kernel(-(-max(entries, shares) // FEW_THREADS), FEW_THREADS, given)
    return shifts, firsts


def collect_cells(engine: KernelEngine, present: Array, out: Array, rows: int, width: int) -> Piece:
    """List the cells that hold an entry."""
    xp, parts = engine.xp, -(-width // CELLS)
    counts = xp.empty(rows * parts, "int32")
    counting = engine.get_own_kernel(FILE, "few_cell_count", takes=FewCellCountParameters)
    counting((parts, rows), FEW_THREADS, FewCellCountParameters(present=present, counts=counts, width=width))
    begins, pointers = offsets(engine, counts, rows)
    entries = engine.device.last_number(begins)
    indices, values = xp.empty(entries, "int32"), xp.empty(entries, out.dtype)
    if entries:
        name = f"few_cell_fill<{engine.c_type(out)}>"
        filling = engine.get_own_kernel(FILE, name, takes=FewCellFillParameters)
        filling(
            (parts, rows),
            FEW_THREADS,
            FewCellFillParameters(present=present, out=out, begins=begins, indices=indices, values=values, width=width),
        )
    return Piece(pointers, indices, values)


def work_bytes(on: Operands, entries: int, mask: int) -> int:
    """Bytes of the cells of a batch and of the entries' running counts, beside the result."""
    rows = min(on.count, count_rows_at_once(on))
    cells = rows * pad_width(on.width) * (2 + on.step.out.bits // 8)
    return cells + entries * (4 + 5 * np.dtype("int64").itemsize) + mask * (4 + on.step.out.bits // 8)
