"""One element of a matrix, by one launch and one read of a few bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.storage import CompressedMatrix

FindElementParameters = read_struct("entries/element.cuh", "FindElementParameters")


def read_element(engine: KernelEngine, matrix: CompressedMatrix, cell: tuple[int, int]) -> Any:
    """Return the value at (row, column), or None if there is no entry."""
    name = f"find_element<{engine.c_type(matrix.values)}, {engine.c_type(matrix.indptr)}>"
    kernel = engine.get_own_kernel("entries/element.cuh", name, takes=FindElementParameters)
    counter = engine.device.take_counter(clear=False)
    given = FindElementParameters(
        indptr=matrix.indptr, indices=matrix.indices, values=matrix.values,
        out=counter.array, row=cell[0], column=cell[1],
    )  # fmt: skip
    kernel(1, 32, given)
    numbers = engine.device.read_counters(counter)
    return np.asarray(numbers[2:4], "uint64").view(matrix.dtype)[0] if numbers[0] else None
