"""C[i, j] = ⊕_k A[i, k] ⊗ B[k, j] for the entries (i, j) of a mask alone.

The entries of a row of the mask share a hash table of that row of A. How large it is, and how many threads share it,
depends on the length of the row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries import select
from graphla.engine.cuda.matmat import wide_dots
from graphla.engine.cuda.matmat.rows import make_empty, widen
from graphla.engine.cuda.matmat.turned import can_turn, turn
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.rendered import render_over_semiring
from graphla.planning.steps import MatMat
from graphla.storage import Array, CompressedMatrix
from graphla.storage.convert import scatter

FILE, TASKS = "matmat/dots.cuh", "matmat/dot_tasks.cuh"
THREADS, TEAM = 256, 8
SEARCH_COST = 8
"""Looks into a hash table that cost as much as one binary search in a row."""


LONG_WALK, LONGS = 2048, 1024
"""Entries of the mask with a longer walk are computed by all threads of a block; a task has at most so many."""


@dataclass(frozen=True)
class Way:
    """How tasks of rows with more than `above` and at most `most` entries are done."""

    lanes: int
    slots: int
    chunk: int
    above: int
    most: int


WAYS = Way(32, 512, 128, 0, 128), Way(256, 4096, 1024, 128, 1024)
LONGER = Way(256, 0, 128, 1024, 2**31 - 1)
"""Rows that fit no table: where their columns do not fit in few windows of bits either."""


DotsParameters = read_struct("matmat/dots.cuh", "DotsParameters")
CountTasksParameters = read_struct("matmat/dot_tasks.cuh", "CountTasksParameters")
FillTasksParameters = read_struct("matmat/dot_tasks.cuh", "FillTasksParameters")


def multiply_dots(
    engine: KernelEngine, step: MatMat, left: CompressedMatrix, right: CompressedMatrix
) -> CompressedMatrix:
    """A dot product for each entry of the mask; `right` is Bᵀ."""
    found = compute_dots(engine, step, left, right)
    return make_empty(engine, step) if found is None else select.select_flagged(engine, *found)


def compute_dots(
    engine: KernelEngine, step: MatMat, left: CompressedMatrix, right: CompressedMatrix
) -> tuple[CompressedMatrix, Array] | None:
    """Compute a value for each entry of the mask, and a flag where there is one; None if there is none at all."""
    assert step.mask is not None
    mask = engine.list_mask(step.mask)
    if 0 in (mask.nvals, left.nvals, right.nvals):
        return None
    xp, lengths = engine.xp, engine.lists.measure_rows(left.indptr)
    present, out = xp.zeros(mask.nvals, bool), xp.empty(mask.nvals, step.out.numpy)
    turned = turn(engine, mask, lengths) if can_turn(step, mask, left, right) else None
    launch(engine, step, mask if turned is None else turned[0], left, right, lengths, (present, out))
    if turned is not None:
        present, out = (put_back(engine, turned[1], each) for each in (present, out))
    return CompressedMatrix(*step.shape, mask.indptr, mask.indices, out), present


def put_back(engine: KernelEngine, places: Array, found: Array) -> Array:
    """Where the entries of a turned mask come from, what was found for each."""
    out = engine.xp.empty_like(found)
    scatter(out, places, found)
    return out


def begin(engine: KernelEngine, step: MatMat) -> None:
    """Begin to compile what rows of the mask with up to 1024 entries need, and what drops those without a product.

    That is before B is transposed, which compiles kernels, too.
    """
    left, right = step.left, step.right
    if not isinstance(left, CompressedMatrix) or not isinstance(right, CompressedMatrix):
        return
    engine.lists.begin("rows", "scan")
    if step.left_transposed or not step.right_transposed:
        engine.lists.begin("transpose")
    prelude = render_over_semiring(step.semiring, left.type, right.type, step.out)
    for way in WAYS[:2]:
        engine.begin(FILE, name_kernel(way), prelude=prelude)
    pointer = engine.c_type(left.indptr)
    engine.begin(TASKS, f"count_tasks<{pointer}, {pointer}>", "fill_tasks")
    select.begin_rule(engine, pointer, step.out.c, "Flagged")


def name_kernel(way: Way) -> str:
    """Name the kernel for a way."""
    return f"dots<S, {way.lanes}, {way.slots}>"


def launch(
    engine: KernelEngine,
    step: MatMat,
    mask: CompressedMatrix,
    left: CompressedMatrix,
    right: CompressedMatrix,
    lengths: Array,
    results: tuple[Array, Array],
) -> None:
    """Compute the entries of the mask in the rows of A whose length in `lengths` is not 0; `right` is Bᵀ."""
    pointers = widen(engine, left.indptr), widen(engine, right.indptr)
    masked = widen(engine, mask.indptr), mask.indices
    operands = {
        "mask_indptr": masked[0], "mask_indices": masked[1], "present": results[0], "out": results[1],
        "a_indptr": pointers[0], "a_indices": left.indices, "a_values": left.values,
        "b_indptr": pointers[1], "b_indices": right.indices, "b_values": right.values,
    }  # fmt: skip
    windows = wide_dots.divide_columns(engine, step, left.ncols)
    wide = windows.count <= wide_dots.MOST_WINDOWS
    for way in WAYS if wide else (*WAYS, LONGER):
        launch_way(engine, step, way, operands, list_tasks(engine, lengths, mask.indptr, way))
    if wide:
        tasks = list_tasks(engine, lengths, mask.indptr, replace(LONGER, chunk=wide_dots.WIDE_CHUNK))
        if tasks[0].shape[0]:
            wide_dots.launch(engine, step, masked, left, right, pointers, tasks, windows, results)


def launch_way(
    engine: KernelEngine, step: MatMat, way: Way, operands: dict[str, Any], tasks: tuple[Array, Array]
) -> None:
    """Compute the entries of the mask that are on a list of tasks, by tables or by searches."""
    count = int(tasks[0].shape[0])
    if count:
        types = step.left.type, step.right.type, step.out
        kernel = engine.get_kernel_over_semiring(FILE, name_kernel(way), step.semiring, *types, takes=DotsParameters)
        given = DotsParameters(**operands, task_row=tasks[0], task_chunk=tasks[1], tasks=count, chunk=way.chunk)
        kernel(-(-count * way.lanes // THREADS), THREADS, given)


def list_tasks(engine: KernelEngine, lengths: Array, indptr: Array, way: Way) -> tuple[Array, Array]:
    """List the row of each task, and which chunk of the row's entries of the mask it is."""
    xp, count = engine.xp, int(lengths.shape[0])
    parts = xp.empty(count, "int32")
    types = f"{engine.c_type(lengths)}, {engine.c_type(indptr)}"
    counting = engine.get_own_kernel(TASKS, f"count_tasks<{types}>", CountTasksParameters, ("fill_tasks",))
    given = CountTasksParameters(
        lengths=lengths, indptr=indptr, rows=count, above=way.above, most=way.most, chunk=way.chunk, parts=parts
    )
    counting(-(-count // THREADS), THREADS, given)
    upto = engine.lists.make_pointers(parts)
    tasks = engine.device.last_number(upto)
    rows, chunks = xp.empty(tasks, "int32"), xp.empty(tasks, "int32")
    if tasks:
        listing = engine.get_own_kernel(TASKS, "fill_tasks", takes=FillTasksParameters)
        listing(
            -(-tasks // THREADS),
            THREADS,
            FillTasksParameters(upto=upto, rows=count, tasks=tasks, task_row=rows, task_chunk=chunks),
        )
    return rows, chunks


def work_bytes(mask: int, shape: tuple[int, int], item: int) -> int:
    """Bytes of each entry of the mask before those without a product are dropped, and of the lists of tasks."""
    return mask * (2 + 2 * item + 4 + 28) + 64 * (shape[0] + shape[1])
