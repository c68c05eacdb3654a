"""Entries of a compressed matrix beside a full one: only the cells of the former are read."""

from __future__ import annotations

from typing import Any

from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.arrays.rows import are_rows
from graphla.engine.arrays.write import accumulates_into_full
from graphla.engine.cuda import rendered
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.engine.cuda.source import KERNELS
from graphla.planning.steps import EwiseStep, Plan
from graphla.storage import CompressedMatrix, FullMatrix
from semirings import BinaryOp
from semirings.dtypes import DType

FILE = KERNELS / "entries/full.cuh"
FULL_THREADS, FULL_TILE = 256, 2048
"""Threads of a block, and the entries that it visits."""


BesideFullParameters = read_struct("entries/full.cuh", "BesideFullParameters")


def intersect(engine: KernelEngine, step: EwiseStep) -> CompressedMatrix:
    """op at the entries of the compressed matrix, which keeps its structure."""
    left, right = engine.orient(step.left, step.left_transposed), engine.orient(step.right, step.right_transposed)
    on_left = isinstance(left, FullMatrix)
    full, sparse = (left, right) if on_left else (right, left)
    out = engine.xp.empty(sparse.nvals, step.out.numpy)
    name = f"combine_beside_full<{engine.c_type(sparse.indptr)}, Op, {str(on_left).lower()}>"
    launch(engine, name, step.op, (left.type, right.type, step.out), sparse, full.values, out)
    return replace_values(sparse, out)  # type: ignore[return-value]


def accumulates_rows(engine: Any, plan: Plan, result: Any, part: Any) -> bool:
    """Whether a plan accumulates rows into a full matrix without a mask."""
    return are_rows(result) and accumulates_into_full(engine, plan, result, part)


def accumulate_into_full(engine: KernelEngine, plan: Plan, result: CompressedMatrix, part: Any) -> FullMatrix:
    """C ⊙= T where C has every entry and T has some."""
    values, dtype = engine.device.copy(plan.target.values), plan.dtype  # type: ignore[union-attr]
    held = replace_values(result, engine.cast(result.values, dtype))
    name = f"accumulate_into_full<{engine.c_type(result.indptr)}, Op>"
    launch(engine, name, plan.accum, (dtype, dtype, dtype), held, values, values)  # type: ignore[arg-type]
    return FullMatrix(values)


def launch(
    engine: KernelEngine, name: str, op: BinaryOp, types: tuple[DType, DType, DType], sparse: Any, full: Any, out: Any
) -> None:
    """Launch a kernel over the entries of a compressed matrix, if it has any."""
    if sparse.nvals == 0:
        return
    prelude = rendered.write_operator(op, types[:2], types[2])
    kernel = engine.kernel(FILE, name, prelude, takes=BesideFullParameters)
    rows, columns = sparse.shape
    given = BesideFullParameters(
        indptr=sparse.indptr, indices=sparse.indices, values=sparse.values, full=full, out=out,
        rows=rows, columns=columns, entries=sparse.nvals,
    )  # fmt: skip
    kernel(-(-sparse.nvals // FULL_TILE), FULL_THREADS, given)
