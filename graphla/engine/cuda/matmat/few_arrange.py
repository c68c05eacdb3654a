"""The few rows of a product as the values and the bits of each vertex side by side."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.few_rows import FEW_THREADS, Operands
from graphla.engine.cuda.records import read_struct
from graphla.storage import Array, CompressedMatrix, FullMatrix, MatrixStorage

FILE = "matmat/few_arrange.cuh"
THIN_ROWS = 8
"""So few rows are transposed by a thread for each vertex: of a tile most threads would have nothing to do."""


FewTransposeParameters = read_struct("matmat/few_arrange.cuh", "FewTransposeParameters")
FewSpreadParameters = read_struct("matmat/few_arrange.cuh", "FewSpreadParameters")


def arrange(
    engine: KernelEngine,
    on: Operands,
    few: MatrixStorage,
    rows: range,
    entries: tuple[int, int],
    stride: int,
    pack: int,
) -> tuple[Array, Array | None, int]:
    """Return the values of each vertex side by side, its bits (None: all are entries), and the values' stride."""
    xp = engine.xp
    if isinstance(few, FullMatrix):
        return (*arrange_full(engine, on, few, rows, stride, pack),) if on.reads_few else (few.values, None, 0)
    has = xp.zeros(few.ncols, "uint32")
    x = new_values(xp, few.ncols * stride, few.values.dtype) if on.reads_few else engine.get_unread(few.dtype)
    spread(engine, few, rows, entries, x, has, stride, on.reads_few)
    return x, has, stride


def arrange_full(
    engine: KernelEngine, on: Operands, few: FullMatrix, rows: range, stride: int, pack: int
) -> tuple[Array, None, int]:
    """Transpose full rows, or take full columns as they are if a lane's load of `pack` values is aligned there."""
    xp, values = engine.xp, few.values
    if on.transposed:
        part = values[:, rows.start : rows.stop]
        address = attrgetter(engine.device.address)(part)
        if on.count % pack == 0 and address % (pack * values.itemsize) == 0:
            return values.reshape(-1)[rows.start :], None, on.count
        x = new_values(xp, values.shape[0] * stride, values.dtype).reshape(-1, stride)
        x[:, : len(rows)] = part
        return x, None, stride
    x = new_values(xp, values.shape[1] * stride, values.dtype)
    transpose_rows(engine, values[rows.start :], x, len(rows), stride, back=False)
    return x, None, stride


def transpose_rows(engine: KernelEngine, full: Array, x: Array, rows: int, stride: int, *, back: bool) -> None:
    """Copy the first rows of a full matrix to the values of each vertex side by side, or `back`."""
    width, c = full.shape[1], engine.c_type(full)
    given = FewTransposeParameters(full=full, x=x, width=width, rows=rows, stride=stride)
    if rows <= THIN_ROWS:
        name, vertices = f"few_transpose_thin<{c}, {str(back).lower()}>", FEW_THREADS
    else:
        name, vertices = f"few_restore<{c}>" if back else f"few_transpose<{c}>", 32
    kernel = engine.get_own_kernel(FILE, name, takes=FewTransposeParameters)
    kernel(-(-width // vertices), FEW_THREADS, given)


def new_values(xp: Any, size: int, dtype: Any) -> Array:
    """Values of vertices, undefined where there is no entry; but a truth is always true or false."""
    return xp.zeros(size, dtype) if dtype.kind == "b" else xp.empty(size, dtype)


def spread(
    engine: KernelEngine,
    matrix: CompressedMatrix,
    rows: range,
    entries: tuple[int, int],
    x: Array,
    has: Array,
    stride: int,
    values: bool,
) -> None:
    """Set the bit of each entry of a batch of rows, and its value if `values` is set."""
    if entries[1] == entries[0]:
        return
    name = f"few_spread<{engine.c_type(matrix.values)}, {engine.c_type(matrix.indptr)}, {str(values).lower()}>"
    kernel, offset = engine.get_own_kernel(FILE, name, takes=FewSpreadParameters), matrix.indptr.dtype.type
    kernel(
        -(-(entries[1] - entries[0]) // FEW_THREADS),
        FEW_THREADS,
        FewSpreadParameters(
            indptr=matrix.indptr[rows.start :],
            indices=matrix.indices,
            values=matrix.values,
            x=x,
            has=has,
            first=offset(entries[0]),
            last=offset(entries[1]),
            rows=len(rows),
            stride=stride,
        ),
    )
