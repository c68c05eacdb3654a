"""Results of products with full rows or columns: full, or with an entry wherever the other matrix has arcs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.blocks import launch_over
from graphla.engine.cuda.matmat.few_rows import Operands
from graphla.engine.cuda.matvec.pull_even import EvenLayout
from graphla.storage import Array, CompressedMatrix, FullMatrix, MatrixStorage
from graphla.storage.convert import make_range
from graphla.storage.formats import choose_index_dtype

CACHED_ROWS = 8
"""Up to so many rows or columns the places of the entries are cached with the matrix: 4 bytes per entry."""


def make_result(
    engine: KernelEngine, on: Operands, matrix: CompressedMatrix, layout: EvenLayout, values: Array
) -> MatrixStorage:
    """Return values that stand by rows, of the vertices that have arcs, as a matrix."""
    if int(layout.filled.shape[0]) == on.width:
        return FullMatrix(values)

    def place(_: CompressedMatrix) -> tuple[Array, Array]:
        return place_entries(engine, on, layout)

    places = matrix.cached(name_places(on), place) if on.count <= CACHED_ROWS else place(matrix)
    return CompressedMatrix(on.step.shape[0], on.step.shape[1], places[0], places[1], values.reshape(-1))


def name_places(on: Operands) -> tuple[str, int]:
    """Name what is cached with the matrix: where the entries of so many rows or columns are."""
    return "full_rows" if on.step.few_on_left else "full_columns", on.count


def place_entries(engine: KernelEngine, on: Operands, layout: EvenLayout) -> tuple[Array, Array]:
    """Return row pointers and columns of a result with an entry for each vertex that has arcs."""
    xp, count, vertices = engine.xp, on.count, int(layout.filled.shape[0])
    entries = count * vertices
    pointer, columns = choose_index_dtype(entries), xp.empty(entries, "int32")
    if on.step.few_on_left:
        launch(engine, "place_in_rows", entries, layout.filled, np.int32(vertices), np.int64(entries), columns)
        return make_range(xp, range(0, entries + 1, vertices), pointer), columns
    before = engine.lists.make_pointers(engine.lists.cast(layout.present, "int32"))
    indptr = xp.empty(before.shape[0], pointer)
    numbers = np.int64(indptr.shape[0]), np.int32(count), np.int64(entries)
    name = f"place_in_columns<{engine.c_type(indptr)}>"
    launch(engine, name, max(entries, indptr.shape[0]), before, *numbers, indptr, columns)
    return indptr, columns


def launch(engine: KernelEngine, name: str, threads: int, *arguments: Any) -> None:
    """Launch a kernel with so many threads, if there are any."""
    if threads:
        launch_over(engine.get_own_kernel("matmat/few_full.cuh", name), threads, arguments)
