"""Masked dot products of long rows of A, whose columns stand as bits in shared memory, a window of them at a time."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.planning.steps import MatMat
from graphla.storage import Array, CompressedMatrix

FILE = "matmat/wide_dots.cuh"
WIDE_THREADS, WIDE_TEAM, WIDE_AHEAD = 1024, 8, 4
"""Threads of a block, lanes that share an entry of the mask, and columns that a lane loads before it looks at one."""
WIDE_CHUNK, WIDE_LONG = 4096, 4096
"""Entries of the mask that share the bits of a row; one with a longer walk is computed by all threads of a block."""
SEARCH_COST = 8
"""Looks into bits that cost as much as one binary search in a row."""
OTHER_SHARED = 20 << 10
"""Bytes of shared memory that a block takes beside the bits."""
MOST_WINDOWS = 8
"""With more windows most of them are empty: wider rows are searched instead."""
FIND_THREADS = 256


WideDotsParameters = read_struct("matmat/wide_dots.cuh", "WideDotsParameters")
FindWindowsParameters = read_struct("matmat/wide_dots.cuh", "FindWindowsParameters")


class Windows(NamedTuple):
    """Into how many windows columns are divided, how many columns each has, and the bytes of a word with its rank."""

    count: int
    width: int
    word_bytes: int


def divide_columns(engine: KernelEngine, step: MatMat, columns: int) -> Windows:
    """Divide the columns evenly into the fewest windows whose bits fit in shared memory."""
    word_bytes = 8 if step.semiring.multiply.reads_first else 4
    words, room = max(1, -(-columns // 32)), (engine.device.most_shared() - OTHER_SHARED) // word_bytes
    count = -(-words // room)
    return Windows(count, -(-words // count) * 32, word_bytes)


def launch(
    engine: KernelEngine,
    step: MatMat,
    mask: tuple[Array, Array],
    left: CompressedMatrix,
    right: CompressedMatrix,
    pointers: tuple[Array, Array],
    tasks: tuple[Array, Array],
    windows: Windows,
    results: tuple[Array, Array],
) -> None:
    """Compute the entries of the mask that are on a list of tasks, window after window; `right` is Bᵀ."""
    types = left.type, right.type, step.out
    kernel = engine.get_kernel_over_semiring(FILE, "wide_dots<S>", step.semiring, *types, takes=WideDotsParameters)
    of_a = find_bounds(engine, left, pointers[0], windows)
    of_b = of_a if left.indices is right.indices else find_bounds(engine, right, pointers[1], windows)
    for number, (a, b) in enumerate(zip(of_a, of_b, strict=True)):
        given = WideDotsParameters(
            task_row=tasks[0], task_chunk=tasks[1], mask_indptr=mask[0], mask_indices=mask[1],
            a_begin=a[0], a_end=a[1], a_indices=left.indices, a_values=left.values,
            b_begin=b[0], b_end=b[1], b_indices=right.indices, b_values=right.values,
            present=results[0], out=results[1], first_column=number * windows.width, words=windows.width // 32,
        )  # fmt: skip
        kernel(int(tasks[0].shape[0]), WIDE_THREADS, given, windows.width // 32 * windows.word_bytes)


def find_bounds(
    engine: KernelEngine, matrix: CompressedMatrix, indptr: Array, windows: Windows
) -> list[tuple[Array, Array]]:
    """Return for each window where each row begins and ends in it."""
    if windows.count == 1:
        return [(indptr[:-1], indptr[1:])]
    rows = matrix.nrows
    bounds = engine.xp.empty((windows.count + 1) * rows, "int64")
    kernel = engine.get_own_kernel(FILE, "find_windows", takes=FindWindowsParameters)
    given = FindWindowsParameters(
        indptr=indptr, indices=matrix.indices, rows=rows, windows=windows.count, width=windows.width, bounds=bounds
    )
    kernel(-(-rows // FIND_THREADS), FIND_THREADS, given)
    parts = [bounds[k * rows : (k + 1) * rows] for k in range(windows.count + 1)]
    return list(pairwise(parts))
