"""Y = M ⊕.⊗ X with a full X of few columns, by rows of M: where nearly all are short, atomics and a copy are saved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat import dots
from graphla.engine.cuda.matmat.few_rows import FEW_THREADS, Operands
from graphla.engine.cuda.matvec.board import Uncounted
from graphla.engine.cuda.matvec.common import get_product_kernel
from graphla.engine.cuda.matvec.pull_even import EvenLayout, find_layout, pull_even
from graphla.engine.cuda.records import read_struct
from graphla.planning.degrees import stops_early
from graphla.planning.steps import MatVec
from graphla.storage import Array, CompressedMatrix, FullVector, VectorStorage
from graphla.storage.formats import as_flagged
from semirings import Semiring
from semirings.dtypes import DType

FILE = "matmat/few_by_rows.cuh"
FEW_LONG, FEW_CHUNK = 128, 2048
"""Arcs of the longest row that its lanes read alone, and arcs of a longer one that a block reads."""
SHORT_MEAN = 32
"""Mean degree up to which rows are dealt out, not arcs."""
LONG_SHARE = 4
"""At most this part of the arcs may be in tasks of long rows."""
SPLIT_MEAN, SPLIT = 6, 4
"""From this mean degree on so many teams share the arcs of a row."""
VECTOR_MEAN, VECTOR_SPLIT_MEAN, VECTOR_SPLIT = 24, 12, 8
"""With one vector: the mean degree up to which rows are dealt out, and the one from which more lanes share a row.

Of a uniform graph of a million vertices with 16 arcs each 4 lanes take 0.137 ms, 8 lanes 0.128 and equal shares 0.140;
with 32 arcs 0.277, 0.262 and 0.246 (H200)."""


FewByRowsParameters = read_struct("matmat/few_by_rows.cuh", "FewByRowsParameters")


class LongRows(NamedTuple):
    """The row of each task of a long row, and which chunk of its arcs it is."""

    rows: Array
    chunks: Array


def find_long_rows(
    engine: KernelEngine,
    semiring: Semiring,
    out: DType,
    matrix: CompressedMatrix,
    layout: EvenLayout,
    most: int = SHORT_MEAN,
) -> LongRows | None:
    """List the tasks of long rows; None if a product should deal out arcs and not rows, of `most` per row."""
    if stops_early(semiring, out) or matrix.nvals > most * layout.filled.shape[0]:
        return None
    tasks = matrix.cached("few_long_rows", lambda _: list_long_rows(engine, layout))
    return tasks if has_few_long(matrix, tasks) else None


def has_few_long(matrix: CompressedMatrix, tasks: LongRows) -> bool:
    """Whether few arcs are in tasks of long rows."""
    longs = int(tasks.rows.shape[0])
    return not longs or LONG_SHARE * FEW_CHUNK * longs <= matrix.nvals


def deals_rows(semiring: Semiring, out: DType, matrix: CompressedMatrix, vertices: int) -> bool:
    """Whether a product is known to deal out rows; before the first one over a matrix it is not."""
    if stops_early(semiring, out) or matrix.nvals > SHORT_MEAN * vertices or not matrix.is_cached("few_long_rows"):
        return False
    return has_few_long(matrix, matrix.cached("few_long_rows", None))


def list_long_rows(engine: KernelEngine, layout: EvenLayout) -> LongRows:
    """Cut the rows of more than `FEW_LONG` arcs into chunks."""
    way = dots.Way(0, 0, FEW_CHUNK, FEW_LONG, 2**31 - 1)
    return LongRows(*dots.list_tasks(engine, engine.lists.measure_rows(layout.indptr), layout.indptr, way))


def pull_by_rows(
    engine: KernelEngine,
    on: Operands,
    matrix: CompressedMatrix,
    layout: EvenLayout,
    tasks: LongRows,
    rows: range,
    x: tuple[Array, int],
    out: tuple[Array, int],
    lanes: int,
    pack: int,
) -> None:
    """Launch the product with the columns `rows` of X; `x` and `out` are arrays and their strides."""
    vertices = int(layout.filled.shape[0])
    given = FewByRowsParameters(
        filled=layout.filled,
        indptr=layout.indptr,
        indices=matrix.indices,
        values=matrix.values,
        x=x[0],
        out=out[0],
        task_row=tasks.rows,
        task_chunk=tasks.chunks,
        vertices=vertices,
        columns=len(rows),
        first_column=rows.start,
        x_stride=x[1],
        out_stride=out[1],
        numbered=False,
    )
    launch(engine, partial(get_kernel, engine, on), on.side, matrix, given, lanes, pack)


def pull_every_arc(engine: KernelEngine, step: MatVec, matrix: CompressedMatrix) -> VectorStorage | Uncounted:
    """Multiply without a mask: by equal shares of arcs, or by rows if nearly all are short and the vector is full."""
    layout = find_layout(engine, step, matrix) if matrix.nvals and isinstance(step.vector, FullVector) else None
    tasks = None
    if layout is not None and layout.hubs is None:
        tasks = find_long_rows(engine, step.semiring, step.out, matrix, layout, VECTOR_MEAN)
    if layout is None or tasks is None:
        return pull_even(engine, step, matrix)
    size, count = matrix.nrows, int(layout.filled.shape[0])
    values = engine.xp.empty(size, step.out.numpy)
    pull_vector(engine, step, matrix, layout, tasks, values)
    present = values if count == size else engine.lists.copy(layout.present)
    return as_flagged(present, values, count)


def pull_vector(
    engine: KernelEngine, step: MatVec, matrix: CompressedMatrix, layout: EvenLayout, tasks: LongRows, out: Array
) -> None:
    """Launch the product with a full vector; `out` has a place for each row."""
    given = FewByRowsParameters(
        filled=layout.filled,
        indptr=layout.indptr,
        indices=matrix.indices,
        values=matrix.values,
        x=step.vector.values,
        out=out,
        task_row=tasks.rows,
        task_chunk=tasks.chunks,
        vertices=int(layout.filled.shape[0]),
        columns=1,
        first_column=0,
        x_stride=1,
        out_stride=1,
        numbered=True,
    )

    def get(name: str) -> Any:
        pair = matrix, step.vector
        return get_product_kernel(engine, FILE, name, step.semiring, pair, step.out, step.flip, FewByRowsParameters)

    launch(engine, get, "VectorFirst" if step.flip else "MatrixFirst", matrix, given, 1, 1)


def launch(
    engine: KernelEngine,
    get: Callable[[str], Any],
    side: str,
    matrix: CompressedMatrix,
    given: Any,
    lanes: int,
    pack: int,
) -> None:
    """Launch a block for some rows, then one for each task of a long row."""
    vertices, longs = given.vertices, int(given.task_row.shape[0])
    split = choose_split(matrix.nvals, vertices, lanes, pack)
    head = f"S, {side}, {engine.c_type(given.indptr)}, {pack}, {lanes}"
    get(f"few_by_rows<{head}, {split}>")(-(-vertices * lanes * split // FEW_THREADS), FEW_THREADS, given)
    if longs:
        get(f"few_long_rows<{head}>")(longs, FEW_THREADS, given)


def choose_split(arcs: int, vertices: int, lanes: int, pack: int) -> int:
    """Choose how many teams of lanes share the arcs of a row."""
    if lanes == pack == 1 and arcs > VECTOR_SPLIT_MEAN * vertices:
        return VECTOR_SPLIT
    return min(SPLIT, 32 // lanes) if arcs > SPLIT_MEAN * vertices else 1


def get_kernel(engine: KernelEngine, on: Operands, name: str) -> Any:
    """Return a kernel over the semiring of the product."""
    return engine.get_kernel_over_semiring(FILE, name, on.step.semiring, *on.types, takes=FewByRowsParameters)
