"""w[i] = ⊕_k M[i, k] ⊗ v[k] over every arc: all blocks take the same number of arcs.

A vector of floats may have gaps: they become holes, NaNs that no entry has, so that no flag is read beside a value.

Where few columns hold a great part of the arcs, their values stand in the shared memory of the blocks. For that the
columns are kept once more, hubs under numbers of their own: four bytes an arc.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from graphla.common.memory import budget
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matvec.board import Uncounted, get_flags, make_board
from graphla.engine.cuda.matvec.common import get_product_kernel, make_empty
from graphla.engine.cuda.parameters import Bound
from graphla.engine.cuda.records import Filler, read_struct
from graphla.planning.plan import HUB_SHARE
from graphla.planning.steps import MatVec
from graphla.storage import Array, BitmapVector, CompressedMatrix, VectorStorage
from graphla.storage.formats import as_flagged
from graphla.storage.frozen import quick

EVEN_THREADS, EVEN_STRETCH = 256, 2048
"""Threads of a block, and the arcs that it takes."""
ENDED = 4 * EVEN_THREADS
"""Rows of a block before and after a product with holes."""
HUB_THREADS, HUB_STRETCH = 1024, 256
"""Threads of a block, and the arcs that a warp takes at a time."""
LAYOUT = "matvec/even_layout.cuh"
TABLE_BYTES = 128 * 1024
"""Room for the values of hubs in shared memory, where a block may have so much (measured on an H200)."""


@dataclass(frozen=True, eq=False)
class Hubs:
    """The columns with the most arcs, in the order of their numbers, and every arc's column: ~h for hub h."""

    hub: Array
    columns: Array


@dataclass(frozen=True, eq=False)
class EvenLayout:
    """Rows that have arcs, where theirs begin, the row at which each stretch begins, and the rows cut there."""

    filled: Array
    indptr: Array
    first_row: Array
    shared_rows: Array
    present: Array
    hubs: Hubs | None


def make_even_layout(engine: KernelEngine, matrix: CompressedMatrix, most_hubs: int) -> EvenLayout:
    """Rows without arcs left out; kept with the matrix."""
    lists, hubs = engine.lists, find_hubs(engine, matrix, most_hubs)
    present, _ = lists.flag_other(lists.measure_rows(matrix.indptr), 0)
    filled = lists.list_true(present, "int32")
    indptr = engine.xp.empty(filled.shape[0] + 1, matrix.indptr.dtype)
    indptr[:-1] = lists.gather(matrix.indptr, filled)
    indptr[-1:] = matrix.indptr[-1:]
    first = find_first_rows(engine, indptr, matrix.nvals, EVEN_STRETCH if hubs is None else HUB_STRETCH)
    return EvenLayout(filled, indptr, first, lists.gather(filled, first), present, hubs)


def find_first_rows(engine: KernelEngine, indptr: Array, entries: int, stretch: int) -> Array:
    """Return the row of the first arc of each stretch, and of the last arc."""
    count = -(-entries // stretch) + 1
    first = engine.xp.empty(count, "int32")
    kernel = engine.get_own_kernel(LAYOUT, f"find_first_rows<{engine.c_type(indptr)}>")
    numbers = np.int64(entries), np.int32(stretch), np.int32(count)
    kernel(-(-count // EVEN_THREADS), EVEN_THREADS, (indptr, np.int32(indptr.shape[0] - 1), *numbers, first))
    return first


def find_hubs(engine: KernelEngine, matrix: CompressedMatrix, most: int) -> Hubs | None:
    """The columns that hold a great part of the arcs, if so few do and there is room for a copy of the columns."""
    xp, lists, arcs = engine.xp, engine.lists, matrix.nvals
    if most == 0 or 4 * matrix.indices.nbytes > budget(xp):
        return None
    falling = count_columns(engine, matrix)
    hub = lists.cast(lists.order(falling)[:most], "int32")
    if -int(engine.to_host(lists.gather(falling, hub)).sum(dtype="int64")) < HUB_SHARE * arcs:
        return None
    numbers, columns, count = xp.zeros(matrix.ncols, "int32"), xp.empty(arcs, "int32"), int(hub.shape[0])
    numbering = engine.get_own_kernel(LAYOUT, "number_hubs")
    numbering(-(-count // EVEN_THREADS), EVEN_THREADS, (hub, np.int32(count), numbers))
    renaming = engine.get_own_kernel(LAYOUT, "rename_hubs")
    renaming(-(-arcs // EVEN_STRETCH), EVEN_THREADS, (matrix.indices, np.int64(arcs), numbers, columns))
    return Hubs(hub, columns)


def count_columns(engine: KernelEngine, matrix: CompressedMatrix) -> Array:
    """Return the number of entries of each column as a negative number: they rise from the longest column on."""
    falling = engine.xp.zeros(matrix.ncols, "int32")
    if matrix.nvals:
        kernel = engine.get_own_kernel(LAYOUT, "count_columns", beside=("number_hubs", "rename_hubs"))
        arguments = matrix.indices, np.int64(matrix.nvals), falling
        kernel(-(-matrix.nvals // EVEN_STRETCH), EVEN_THREADS, arguments)
    return falling


def count_fitting_hubs(engine: KernelEngine, step: MatVec) -> int:
    """How many values fit beside the products of a block; none where the product does not read them."""
    multiply = step.semiring.multiply
    if not (multiply.reads_first if step.flip else multiply.reads_second):
        return 0
    room = engine.device.most_shared() - HUB_THREADS // 32 * HUB_STRETCH * (step.out.bits // 8)
    return max(0, min(TABLE_BYTES, room) // step.vector.values.dtype.itemsize)


def find_layout(engine: KernelEngine, step: MatVec, matrix: CompressedMatrix) -> EvenLayout:
    """Return the layout of a matrix for a product, which is kept with it."""
    most = count_fitting_hubs(engine, step)
    layouts = matrix.cached("even_layouts", lambda _: {})
    if most not in layouts:
        layouts[most] = make_even_layout(engine, matrix, most)
    return layouts[most]


def pull_even(engine: KernelEngine, step: MatVec, matrix: CompressedMatrix) -> VectorStorage | Uncounted:
    """A full vector, or one of floats with gaps, and no mask."""
    xp, size = engine.xp, matrix.nrows
    if size == 0 or matrix.nvals == 0:
        return make_empty(engine, size, step.out)
    layout, values = find_layout(engine, step, matrix), xp.empty(size, step.out.numpy)
    if isinstance(step.vector, BitmapVector):
        board = make_board(engine.device, size)
        flags = get_flags(board, size)
        begun = begin_holes(engine, step, matrix, layout, step.vector, values, flags)
        add_up(engine, step, matrix, layout, begun, flags)
        ending = engine.get_own_kernel("matvec/pull_even.cuh", f"end_holes<{engine.c_type(values)}>")
        ending(-(-size // ENDED), EVEN_THREADS, (values, np.int32(size), board))
        return Uncounted(engine.device, board, values, lambda count: as_flagged(get_flags(board, size), values, count))
    count = int(layout.filled.shape[0])
    present = engine.get_unread("bool") if count == size else xp.empty(size, bool)
    begun = begin(engine, step, matrix, layout, values, present, 0 if count == size else size)
    add_up(engine, step, matrix, layout, begun, None)
    return as_flagged(present, values, count)


EvenParameters = read_struct("matvec/pull_even.cuh", "EvenParameters")
HoleParameters = read_struct("matvec/pull_even.cuh", "HoleParameters")


class Begun(NamedTuple):
    """What a product has when it begins: the vector, the values of its hubs, and the result, ready where rows join."""

    vector: Array
    hubs: Array
    out: Array


@quick()
class Ready:
    """A launch but for the arrays that change from product to product; kept with the matrix."""

    launch: Bound
    blocks: int
    threads: int
    shared: int = 0

    def __call__(self, *arrays: Array) -> None:
        self.launch(self.blocks, self.threads, arrays, self.shared)


def find_ready(
    engine: KernelEngine, step: MatVec, matrix: CompressedMatrix, what: str, prepare: Callable[[Any], Ready]
) -> Ready:
    """Return a launch for products over these dtypes, prepared by the first."""
    key = what, engine, step.semiring, step.out, step.vector.type, step.flip
    return matrix.cached(key, prepare)


def add_up(
    engine: KernelEngine, step: MatVec, matrix: CompressedMatrix, layout: EvenLayout, begun: Begun, flags: Array | None
) -> None:
    """Add up the rows of all stretches; where the vector has holes, with flags of the rows that they share."""
    entries = "Whole" if flags is None else "Holes"
    ready = find_ready(engine, step, matrix, entries, lambda _: prepare_sums(engine, step, matrix, layout, entries))
    ready(begun.vector, begun.hubs, begun.out, engine.get_unread("bool") if flags is None else flags)


def prepare_sums(
    engine: KernelEngine, step: MatVec, matrix: CompressedMatrix, layout: EvenLayout, entries: str
) -> Ready:
    """A launch of the kernel that adds up rows."""
    hubs, none, count = layout.hubs, engine.get_unread("bool"), list_hubs(engine, layout)[1]
    given = EvenParameters(
        filled=layout.filled,
        indptr=layout.indptr,
        first_row=layout.first_row,
        indices=matrix.indices if hubs is None else hubs.columns,
        values=matrix.values,
        vector=none,
        hubs=none,
        hub_count=count,
        out=none,
        flags=none,
        arcs=matrix.indptr.dtype.type(matrix.nvals),
    )
    file = "pull_even" if hubs is None else "pull_hubs"
    name = f"{file}<S, {name_side(step)}, {engine.c_type(matrix.indptr)}, {entries}>"
    kernel = get_kernel(engine, step, matrix, f"matvec/{file}.cuh", name, EvenParameters)
    bound = kernel.bind(given, "vector", "hubs", "out", "flags")
    if hubs is None:
        return Ready(bound, -(-matrix.nvals // EVEN_STRETCH), EVEN_THREADS)
    at_once = HUB_THREADS // 32 * HUB_STRETCH
    shared = count * step.vector.values.dtype.itemsize + at_once * (step.out.bits // 8)
    return Ready(bound, min(engine.device.processors(), -(-matrix.nvals // at_once)), HUB_THREADS, shared)


def begin(
    engine: KernelEngine,
    step: MatVec,
    matrix: CompressedMatrix,
    layout: EvenLayout,
    values: Array,
    present: Array,
    flags: int,
) -> Begun:
    """Prepare a product with a full vector: shared rows, so many flags, and the values of hubs."""
    given, (hub, count), hubs = step.vector.values, list_hubs(engine, layout), make_hubs(engine, layout, step.vector)
    shared = int(layout.shared_rows.shape[0])
    kernel = get_kernel(engine, step, matrix, "matvec/pull_even.cuh", f"begin_even<S, {name_side(step)}>")
    kernel(
        -(-max(shared, count, flags // 16, 1) // EVEN_THREADS),
        EVEN_THREADS,
        (
            layout.shared_rows, np.int32(shared), values, layout.present, np.int32(flags), present, hub,
            np.int32(count), given, hubs,
        ),
    )  # fmt: skip
    return Begun(given, hubs, values)


def begin_holes(
    engine: KernelEngine,
    step: MatVec,
    matrix: CompressedMatrix,
    layout: EvenLayout,
    vector: BitmapVector,
    values: Array,
    flags: Array,
) -> Begun:
    """Prepare a product with a vector that has gaps, which become holes: it, its hubs, and the result."""
    hubs, whole = make_hubs(engine, layout, vector), engine.xp.empty_like(vector.values)
    ready = find_ready(engine, step, matrix, "begin", lambda _: prepare_holes(engine, step, matrix, layout))
    ready(vector.present, vector.values, whole, hubs, values, flags)
    return Begun(whole, hubs, values)


def prepare_holes(engine: KernelEngine, step: MatVec, matrix: CompressedMatrix, layout: EvenLayout) -> Ready:
    """A launch of the kernel that makes holes."""
    (hub, count), none, size = list_hubs(engine, layout), engine.get_unread("bool"), step.vector.size
    shared = engine.xp.zeros(matrix.nrows, bool)
    engine.lists.raise_flags(shared, layout.shared_rows)
    given = HoleParameters(
        has=none,
        vector=none,
        size=size,
        whole=none,
        hub=hub,
        hub_count=count,
        hubs=none,
        shared=shared,
        rows=matrix.nrows,
        out=none,
        flags=none,
    )
    name = f"begin_holes<S, {name_side(step)}>"
    kernel = get_kernel(engine, step, matrix, "matvec/pull_even.cuh", name, HoleParameters)
    bound = kernel.bind(given, "has", "vector", "whole", "hubs", "out", "flags")
    return Ready(bound, -(-max(count, size, matrix.nrows) // ENDED), EVEN_THREADS)


def list_hubs(engine: KernelEngine, layout: EvenLayout) -> tuple[Array, int]:
    """The hubs of a layout, and how many there are."""
    return (engine.get_unread("int32"), 0) if layout.hubs is None else (layout.hubs.hub, int(layout.hubs.hub.shape[0]))


def make_hubs(engine: KernelEngine, layout: EvenLayout, vector: VectorStorage) -> Array:
    """Room for the values of the hubs."""
    return engine.xp.empty(max(1, list_hubs(engine, layout)[1]), vector.values.dtype)


def get_kernel(
    engine: KernelEngine, step: MatVec, matrix: CompressedMatrix, file: str, name: str, takes: Filler | None = None
) -> Any:
    """A kernel of a file over the semiring of the step."""
    return get_product_kernel(engine, file, name, step.semiring, (matrix, step.vector), step.out, step.flip, takes)


def name_side(step: MatVec) -> str:
    """Which operand of ⊗ the matrix is."""
    return "VectorFirst" if step.flip else "MatrixFirst"
