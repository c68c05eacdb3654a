"""C[i, :] = ⊕_k A[i, k] ⊗ B[k, :] in two passes: count the entries of each row, then fill them in.

Each row is done by the kernel that suits its number of products: a warp, a block with a hash table, or a block with a
bitmap of columns. No product is ever stored, so the work space is a few numbers a row; the memory for the result is
asked for when its size is known. Where memory is short, rows are done block after block, into the same result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.common.config import config
from graphla.common.memory import SMALLER, budget, require
from graphla.engine.arrays.lookup import select_true
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.planning.steps import MatMat
from graphla.storage import Array, CompressedMatrix
from graphla.storage.convert import cast_indices
from graphla.storage.formats import choose_index_dtype

KIND_THREADS, SHORT_THREADS, HASH_THREADS, WIDE_THREADS = 256, 256, 128, 512  # of a block
HASH_MOST = 1024  # products of a row whose hash table fits in shared memory
DENSE_ROWS = 16
"""Rows longer than this on average are looked at by a warp each, shorter ones by eight lanes."""
ASK_FROM = 1 << 24
"""Fewer bytes are asked for without a look at what the device has free, which takes 6 µs."""
PASS_BYTES = 28
"""Work space of a row while it is done: a place on the list of each kind, and its products."""
KEPT_BYTES, WIDE_BYTES = 16, 8
"""What a row keeps from pass to pass: its entries, and where they begin, twice; and a wide pointer of an operand."""
LEAST_ROWS = 256
"""Rows that are done at once, however short memory is."""


@dataclass(frozen=True)
class Way:
    """How rows of one kind are done."""

    kernel: str
    threads: int
    rows_a_block: int
    team: str = ""


WAYS = (
    *(Way("rows_short", SHORT_THREADS, SHORT_THREADS // team, f", {team}") for team in (8, 16, 32)),
    Way("rows_hash", HASH_THREADS, 1),
    Way("rows_wide", WIDE_THREADS, 1),
)
"""In the order of the products that a row has at most: 8, 16, 32, HASH_MOST, any number."""
HASH_BITS = 64
"""The widest entries whose hash table fits the 48 KB of shared memory of a block; the last way does wider ones."""


Parts = list[tuple[Way, Array]]
"""The rows that each way does."""


RowsParameters = read_struct("matmat/row_products.cuh", "RowsParameters")


@dataclass(frozen=True, eq=False)
class Operands:
    """The arguments that all the kernels share."""

    step: MatMat
    left: CompressedMatrix
    right: CompressedMatrix
    columns: str
    arrays: dict[str, Array]


def multiply_rows(
    engine: KernelEngine, step: MatMat, left: CompressedMatrix, right: CompressedMatrix
) -> CompressedMatrix:
    """The product by rows, under the mask if there is one."""
    if 0 in (*step.shape, left.nvals, right.nvals):
        return make_empty(engine, step)
    on, xp, height = find_operands(engine, step, left, right), engine.xp, step.shape[0]
    what = f"a product of {height:,} × {step.shape[1]:,}"
    kept = KEPT_BYTES * height + WIDE_BYTES * (height + right.nrows)
    blocks = row_blocks(xp, height, kept, what)
    counts = xp.zeros(height, "int32")
    unused = engine.get_unread("int64"), xp.zeros(1, "int32"), xp.zeros(1, step.out.numpy)
    parts: Parts = []
    for block in blocks:
        parts = run_pass(engine, on, "Counting", sort_by_kind(engine, on, block), (counts, *unused))
    pointers = engine.lists.make_pointers(counts)
    entries = engine.device.last_number(pointers)
    if entries == 0:
        return make_empty(engine, step)
    again = row_blocks(xp, height, kept + entries * (4 + step.out.bits // 8), f"{what} with {entries:,} entries")
    columns, values = xp.empty(entries, "int32"), allocate_padded(xp, entries, step.out.numpy)
    for block in again:
        parts = parts if len(blocks) == len(again) == 1 else sort_by_kind(engine, on, block)
        run_pass(engine, on, "Filling", parts, (counts, pointers, columns, values))
    return CompressedMatrix(*step.shape, cast_indices(pointers, choose_index_dtype(entries)), columns, values[:entries])


def row_blocks(xp: Any, height: int, nbytes: int, what: str) -> list[range]:
    """The rows in blocks whose work space fits beside `nbytes`; refused where that leaves nothing for a block."""
    if nbytes + PASS_BYTES * height <= ASK_FROM and config.memory_limit is None:
        return [range(height)]
    require(nbytes + PASS_BYTES * min(height, LEAST_ROWS), what, xp, SMALLER)
    rows = max(LEAST_ROWS, (budget(xp) - nbytes) // PASS_BYTES)
    return [range(begin, min(begin + rows, height)) for begin in range(0, height, rows)]


def work_bytes(height: int, inner: int) -> int:
    """Bytes beside the result where all rows are done at once."""
    return (KEPT_BYTES + PASS_BYTES) * height + WIDE_BYTES * (height + inner)


def allocate_padded(xp: Any, count: int, dtype: str) -> Array:
    """An array of whole words: kernels add to a narrow entry by an atomic on the word around it.

    Truths are false at first, because a kernel reads the byte that it replaces.
    """
    size = np.dtype(dtype).itemsize
    make = xp.zeros if np.dtype(dtype).kind == "b" else xp.empty
    return make(-(-count * size // 8) * 8 // size, dtype)


def make_empty(engine: KernelEngine, step: MatMat) -> CompressedMatrix:
    """A matrix without entries."""
    xp = engine.xp
    empty = (
        xp.zeros(step.shape[0] + 1, "int32"),
        xp.zeros(0, choose_index_dtype(step.shape[1])),
        xp.zeros(0, step.out.numpy),
    )
    return CompressedMatrix(*step.shape, *empty)


def find_operands(engine: KernelEngine, step: MatMat, left: CompressedMatrix, right: CompressedMatrix) -> Operands:
    """Wide row pointers for all, and the mask as rows of columns."""
    columns, mask = "EveryColumn", (engine.xp.zeros(1, "int64"), engine.xp.zeros(1, "int32"))
    if step.mask is not None:
        held = select_true(engine.xp, step.mask)
        columns = f"MaskedColumns<{'false' if step.mask.complement else 'true'}>"
        mask = widen(engine, held.indptr), held.indices
    of_left, of_right = widen(engine, left.indptr), widen(engine, right.indptr)
    arrays = {
        "left_indptr": of_left, "left_indices": left.indices, "left_values": left.values,
        "right_indptr": of_right, "right_indices": right.indices, "right_values": right.values,
        "mask_indptr": mask[0], "mask_indices": mask[1],
    }  # fmt: skip
    return Operands(step, left, right, columns, arrays)


def widen(engine: KernelEngine, pointers: Array) -> Array:
    """Return row pointers in int64."""
    return engine.lists.cast(pointers, "int64")


def sort_by_kind(engine: KernelEngine, on: Operands, block: range) -> Parts:
    """The rows of each kind in a block; those with most products first, so that none of them ends last."""
    xp, height = engine.xp, len(block)
    team = 8 if on.left.nvals < DENSE_ROWS * on.step.shape[0] else 32
    lists, falling = xp.empty(len(WAYS) * height, "int32"), xp.empty(height, "int64")
    counter = engine.device.take_counter()
    start, columns, of_right = (on.arrays[name] for name in ("left_indptr", "left_indices", "right_indptr"))
    kernel = engine.get_own_kernel("matmat/row_kinds.cuh", f"row_kinds<{team}>")
    kernel(
        -(-height // KIND_THREADS),
        KIND_THREADS,
        (np.int32(height), start[block.start :], columns, of_right, lists, falling, counter.array),
    )
    found = engine.device.read_counters(counter)
    parts = [(way, lists[k * height : k * height + found[k]]) for k, way in enumerate(WAYS)]
    longest = parts[-1][1]
    if block.start:
        lists += np.int32(block.start)  # the kernel numbers rows from the begin of the block
    if found[-1] > 1:
        parts[-1] = WAYS[-1], engine.lists.gather(longest, engine.lists.order(falling[: found[-1]]))
    if on.step.out.bits > HASH_BITS:
        parts[-2] = WAYS[-1], parts[-2][1]
    return [part for part in reversed(parts) if part[1].shape[0]]


def run_pass(engine: KernelEngine, on: Operands, step: str, parts: Parts, output: tuple[Array, ...]) -> Parts:
    """One pass over the rows of a block."""
    for way, chosen in parts:
        launch(engine, on, way, step, chosen, output)
    return parts


def launch(engine: KernelEngine, on: Operands, way: Way, step: str, chosen: Array, output: tuple[Array, ...]) -> None:
    """One pass over the rows of one kind."""
    types = on.left.type, on.right.type, on.step.out
    name = f"{way.kernel}<S, {on.columns}, {step}{way.team}>"
    kernel = engine.get_kernel_over_semiring(
        f"matmat/{way.kernel}.cuh", name, on.step.semiring, *types, takes=RowsParameters
    )
    count = int(chosen.shape[0])
    counts, indptr, indices, values = output
    parameters = RowsParameters(
        **on.arrays, rows=chosen, count=count, width=on.step.shape[1],
        counts=counts, out_indptr=indptr, out_indices=indices, out_values=values,
    )  # fmt: skip
    kernel(-(-count // way.rows_a_block), way.threads, parameters)
