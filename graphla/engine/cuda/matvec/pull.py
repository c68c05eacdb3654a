"""w[i] = ⊕_k M[i, k] ⊗ v[k] by rows: each row gets lanes after its length, and rows outside the mask get none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matvec.board import Uncounted, get_flags, make_board
from graphla.engine.cuda.matvec.common import get_product_kernel, make_empty
from graphla.engine.cuda.parameters import Bound
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.rendered import render_over_semiring
from graphla.planning.degrees import stops_early
from graphla.planning.plan import count_allowed_rows
from graphla.planning.steps import Mask, MatVec
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    VectorStorage,
)
from graphla.storage.formats import as_flagged
from graphla.storage.frozen import quick
from semirings import Semiring
from semirings.dtypes import DType

PULL_THREADS = 256
WARPS = PULL_THREADS // 32
LONGEST_FOR = {1: 4, 8: 64, 32: 2048}
"""The longest row that one, eight or 32 lanes take: four loads a lane, and 64 at most for a warp (measured, H200)."""
CLASSES = [0, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]
"""Rows of one class follow each other, so that the warps of a block end together."""
LIMITS = (*sorted(LONGEST_FOR.values(), reverse=True), 0)
"""Rows longer than the first are for blocks, and so on; rows longer than the last have entries."""
CLASS_COUNT, LIMIT_COUNT = len(CLASSES), len(LIMITS)
LAYOUT = "matvec/pull_layout.cuh"
CHUNK = 4096
"""Entries of a task: a longer row is computed by several blocks. Alone a block took 0.27 ms for 182,000 (H200)."""
LISTED, MOST_SHARE = 128, 5
"""Rows that a warp looks at under a mask, at most; and that a team does, as a power of two."""
WARP_SHARE = 2
"""The same where a warp is a team: of Kronecker 20 with 90 % masked 0.055 ms, of which 5 took 0.086 (H200)."""


class Tasks(NamedTuple):
    """Tasks of the long rows: the place of its row and which chunk it is; and the rows with several of them."""

    place: Array
    chunk: Array
    joined_place: Array
    joined_first: Array

    @property
    def count(self) -> int:
        return int(self.place.shape[0])

    @property
    def joined(self) -> int:
        return int(self.joined_place.shape[0])


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
    tasks: Tasks


ClassifyParameters = read_struct("matvec/pull_layout.cuh", "ClassifyParameters")
ArrangeParameters = read_struct("matvec/pull_layout.cuh", "ArrangeParameters")


def make_row_layout(engine: KernelEngine, matrix: CompressedMatrix) -> RowLayout:
    """Sort the rows by length; kept with the matrix."""
    xp, rows, pointer = engine.xp, matrix.nrows, engine.c_type(matrix.indptr)
    keys, present, longer = xp.empty(rows, "uint8"), xp.empty(rows, bool), engine.device.take_counter()
    arranging = f"arrange_rows<{pointer}>"
    classify = engine.get_own_kernel(LAYOUT, f"classify_rows<{pointer}>", ClassifyParameters, (arranging,))
    given = ClassifyParameters(
        indptr=matrix.indptr,
        rows=rows,
        classes=tuple(CLASSES),
        limits=LIMITS,
        keys=keys,
        present=present,
        longer=longer.array,
    )
    classify(-(-rows // PULL_THREADS), PULL_THREADS, given)
    counts = tuple(engine.device.read_counters(longer)[:LIMIT_COUNT])
    order = engine.device.order(keys)
    arranged, (begins, ends) = xp.empty(counts[-1], "int32"), (xp.empty(counts[-1], matrix.indptr.dtype) for _ in "be")
    if counts[-1]:
        arrange = engine.get_own_kernel(LAYOUT, arranging, ArrangeParameters)
        places = ArrangeParameters(
            indptr=matrix.indptr, order=order, rows=counts[-1], arranged=arranged, begins=begins, ends=ends
        )
        arrange(-(-counts[-1] // PULL_THREADS), PULL_THREADS, places)
    return RowLayout(
        arranged, begins, ends, present, counts, list_tasks(engine, begins[: counts[0]], ends[: counts[0]])
    )


def list_tasks(engine: KernelEngine, begins: Array, ends: Array) -> Tasks:
    """List the tasks of the long rows, which are few, on the host."""
    lengths = engine.to_host(ends).astype("int64") - engine.to_host(begins)
    many = -(-lengths // CHUNK)
    place, first = np.repeat(np.arange(many.size), many), np.cumsum(many) - many
    lists = place, np.arange(place.size) - first[place], np.flatnonzero(many > 1), first[many > 1]
    return Tasks(*(engine.xp.asarray(held.astype("int32")) for held in lists))


def begin_layout(engine: KernelEngine, matrix: CompressedMatrix) -> None:
    """Begin to compile what sorts the rows by length, unless they are sorted."""
    if not matrix.is_cached("row_layout"):
        pointer = engine.c_type(matrix.indptr)
        engine.begin(LAYOUT, f"classify_rows<{pointer}>", f"arrange_rows<{pointer}>")


def begin_product(engine: KernelEngine, pointer: str, semiring: Semiring, a: DType, b: DType, out: DType) -> None:
    """Begin to compile a product of a matrix and a full vector, by the C type of row pointers and the dtypes."""
    engine.begin(LAYOUT, f"classify_rows<{pointer}>", f"arrange_rows<{pointer}>")
    name = name_kernel(False, True, "NoMask", pointer)
    engine.begin("matvec/pull.cuh", name, prelude=render_over_semiring(semiring, a, b, out))


@lru_cache(maxsize=1024)
def choose_grid(counts: tuple[int, ...], share: int | None, tasks: int) -> tuple[int, dict[str, int]]:
    """Return the number of blocks, and the members by which a block finds its rows; `share` is None without a mask."""
    for_blocks, for_warps, for_eights, rows = counts
    blocks = [tasks or -(-for_blocks // (1 if share is None else 1 << share))]
    warp_share = min(share or 0, WARP_SHARE)
    for first, last, teams in zip(counts[:-1], counts[1:], (1, 4, 32), strict=True):
        at_once = warp_share if teams == 1 else share
        looked_at = teams if share is None or at_once is None else min(LISTED, teams << at_once)
        blocks.append(-(-(last - first) // (WARPS * looked_at)))
    members = {
        "long_blocks": blocks[0],
        "warp_blocks": blocks[1],
        "eight_blocks": blocks[2],
        "share": share or 0,
        "warp_share": warp_share,
        "long_end": for_blocks,
        "warp_end": for_warps,
        "eight_end": for_eights,
        "rows": rows,
    }
    return sum(blocks), members


def choose_share(mask: Mask, size: int) -> int:
    """A team looks at 2**share rows, of which the mask allows about one or two."""
    return min(MOST_SHARE, (size // max(1, count_allowed_rows(mask, size))).bit_length())


def name_kernel(flip: bool, full: bool, mask: str, offset: str, kernel: str = "pull") -> str:
    side, entries = "VectorFirst" if flip else "MatrixFirst", "Full" if full else "Bitmap"
    return f"{kernel}<S, {side}, {entries}, {mask}, {offset}>"


def pull(engine: KernelEngine, step: MatVec, matrix: CompressedMatrix) -> VectorStorage | Uncounted:
    """Probe the rows that the mask allows."""
    return reduce_over_rows(engine, matrix, step.vector, step.semiring, step.out, step.flip, step.mask)


def reduce_over_rows(
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
        return make_empty(engine, size, out)
    policy = "NoMask" if mask is None else "Outside" if mask.complement else "Inside"
    key = engine, semiring, out, vector.type, flip, policy, type(vector) is FullVector
    ready = matrix.cached(key, lambda m: prepare(engine, m, vector, semiring, out, flip, policy))
    return ready(engine, vector, mask)


PullParameters = read_struct("matvec/pull.cuh", "PullParameters")


@quick()
class EveryRow:
    """A product in which every row that has entries has a result: nothing is counted, and the flags are copied."""

    launch: Bound
    join: Bound | None
    tasks: Tasks
    blocks: int
    size: int
    count: int
    dtype: str

    def __call__(self, engine: KernelEngine, vector: VectorStorage, mask: None) -> VectorStorage:
        """Launch the kernel; where every row has entries, no flags are written."""
        array, full = engine.xp.ndarray, self.count == self.size  # `cupy.empty`, without a call on the way
        values = array(self.size, self.dtype)
        flags: tuple[Any, ...] = () if full else (array(self.size, bool),)
        if self.join is None:
            self.launch(self.blocks, PULL_THREADS, (vector.values, values, *flags))
        else:
            partial = make_partials(engine, self.tasks, self.dtype)
            self.launch(self.blocks, PULL_THREADS, (vector.values, values, *partial, *flags))
            self.join(self.tasks.joined, PULL_THREADS, (values, *partial))
        return FullVector(values) if full else BitmapVector(flags[0], values, self.count)


@quick()
class SomeRows:
    """A product whose rows are flagged and counted as they come."""

    kernel: Any
    join: Any
    layout: RowLayout
    tasks: int
    matrix: tuple[Array, Array]
    size: int
    dtype: str

    def __call__(self, engine: KernelEngine, vector: VectorStorage, mask: Mask | None) -> Uncounted:
        """Launch it over the rows that the mask allows."""
        size, tasks = self.size, self.layout.tasks
        board, values = make_board(engine.device, size), engine.xp.empty(size, self.dtype)
        share = None if mask is None else choose_share(mask, size)
        blocks, numbers = choose_grid(self.layout.counts, share, self.tasks)
        partial, found = make_partials(engine, tasks if self.join else None, self.dtype)
        has, given = read_entries(engine, vector)
        parameters = PullParameters(
            order=self.layout.order,
            begins=self.layout.begins,
            ends=self.layout.ends,
            indices=self.matrix[0],
            values=self.matrix[1],
            has=has,
            vector=given,
            flags=engine.make_flags(mask, size)[1],
            board=board,
            out=values,
            known=engine.get_unread("bool"),
            known_rows=0,
            known_present=engine.get_unread("bool"),
            tasks=self.tasks,
            task_place=tasks.place,
            task_chunk=tasks.chunk,
            partial=partial,
            partial_found=found,
            joined_place=tasks.joined_place,
            joined_first=tasks.joined_first,
            **numbers,
        )
        self.kernel(blocks, PULL_THREADS, parameters)
        if self.join is not None:
            self.join(tasks.joined, PULL_THREADS, parameters)
        return Uncounted(engine.device, board, values, lambda count: as_flagged(get_flags(board, size), values, count))


def make_partials(engine: KernelEngine, tasks: Tasks | None, dtype: str) -> tuple[Array, Array]:
    """Make room for a sum per task, and whether there is one; none where each row has one task."""
    count = 0 if tasks is None else tasks.count
    return engine.xp.empty(count, dtype), engine.xp.empty(count, bool)


def prepare(
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
    name = name_kernel(flip, full, policy, engine.c_type(matrix.indptr))
    begin_layout(engine, matrix)
    kernel = get_product_kernel(engine, "matvec/pull.cuh", name, semiring, (matrix, vector), out, flip, PullParameters)
    layout = matrix.cached("row_layout", lambda m: make_row_layout(engine, m))
    none, size, columns = engine.get_unread("bool"), matrix.nrows, (matrix.indices, matrix.values)
    tasks = 0 if stops_early(semiring, out) else layout.tasks.count
    join: Any = None
    if tasks and layout.tasks.joined:
        joining = name_kernel(flip, full, policy, engine.c_type(matrix.indptr), "pull_join")
        pair = matrix, vector
        join = get_product_kernel(engine, "matvec/pull.cuh", joining, semiring, pair, out, flip, PullParameters)
    if not full or policy != "NoMask":
        return SomeRows(kernel, join, layout, tasks, columns, size, out.numpy)
    count = layout.counts[-1]
    blocks, numbers = choose_grid(layout.counts, None, tasks)
    every = count == size  # then no flags are copied
    parameters = PullParameters(
        order=layout.order,
        begins=layout.begins,
        ends=layout.ends,
        indices=matrix.indices,
        values=matrix.values,
        has=none,
        vector=none,
        flags=none,
        board=none,
        out=none,
        known=none if every else layout.present,
        known_rows=0 if every else size,
        known_present=none,
        tasks=tasks,
        task_place=layout.tasks.place,
        task_chunk=layout.tasks.chunk,
        partial=none,
        partial_found=none,
        joined_place=layout.tasks.joined_place,
        joined_first=layout.tasks.joined_first,
        **numbers,
    )
    partial = () if join is None else ("partial", "partial_found")
    changing = ("vector", "out", *partial) if every else ("vector", "out", *partial, "known_present")
    bound = None if join is None else join.bind(parameters, "out", *partial)
    return EveryRow(kernel.bind(parameters, *changing), bound, layout.tasks, blocks, size, count, out.numpy)


def read_entries(engine: KernelEngine, vector: VectorStorage) -> tuple[Array, Array]:
    """Presence flags and values."""
    if isinstance(vector, FullVector):
        return engine.get_unread("bool"), vector.values
    if isinstance(vector, BitmapVector):
        return vector.present, vector.values
    return engine.lists.spread(vector.indices, vector.values, vector.size, zeros=False)


def pull_full(engine: KernelEngine, step: MatVec, matrix: FullMatrix) -> VectorStorage | Uncounted:
    """The same over a full matrix."""
    rows, columns = matrix.shape
    if rows == 0 or columns == 0 or step.vector.nvals == 0:
        return make_empty(engine, rows, step.out)
    policy, flags = engine.make_flags(step.mask, rows)
    full = isinstance(step.vector, FullVector)
    side, seen = "VectorFirst" if step.flip else "MatrixFirst", "Full" if full else "Bitmap"
    name = f"pull_full<S, {side}, {seen}, {policy}>"
    kernel = get_product_kernel(
        engine, "matvec/pull_full.cuh", name, step.semiring, (matrix, step.vector), step.out, step.flip
    )
    board, values = make_board(engine.device, rows), engine.xp.empty(rows, step.out.numpy)
    numbers = np.int32(rows), np.int32(columns)
    given = read_entries(engine, step.vector)
    kernel(-(-rows // WARPS), PULL_THREADS, (*numbers, matrix.values, *given, flags, board, values))
    return Uncounted(engine.device, board, values, lambda count: as_flagged(get_flags(board, rows), values, count))
