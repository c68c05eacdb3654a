"""out[p] = op(x[p], …) by one kernel; a scalar operand travels as an argument of the launch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.storage import Array
from semirings import BinaryOp, IndexUnaryOp, UnaryOp
from semirings.cuda import render_binary, render_indexunary, render_unary
from semirings.dtypes import DType

if TYPE_CHECKING:
    from graphla.engine.cuda.engine import CudaEngine

THREADS = 256
MOST_BLOCKS = 4096


def rendered(op: UnaryOp | BinaryOp | IndexUnaryOp, dtypes: tuple[DType, ...], out: DType) -> str:
    """The struct `Op`."""
    render: Any = render_binary
    if isinstance(op, UnaryOp | IndexUnaryOp):
        render = render_unary if isinstance(op, UnaryOp) else render_indexunary
    title = f"// Op = {op.name} of {' and '.join(t.name for t in dtypes)} in {out.name}\n"
    return title + render(op, *dtypes, out, "Op")


def named(op: Any, dtypes: tuple[DType, ...], scalars: tuple[bool, ...], out: DType) -> str:
    """The kernel for operands of which some are scalars."""
    kinds = [f"{'One' if one else 'Each'}<{t.c}>" for one, t in zip(scalars, dtypes, strict=False)]
    if isinstance(op, IndexUnaryOp):
        return f"indexed<Op, {kinds[0]}, {dtypes[1].c}, {out.c}>"
    return f"{'one' if len(kinds) == 1 else 'two'}<Op, {', '.join(kinds)}, {out.c}>"


def blocks_for(count: int) -> int:
    """Blocks of a grid that strides over `count` places."""
    return min(MOST_BLOCKS, -(-count // THREADS))


def elementwise(engine: CudaEngine, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
    """op over arrays and scalars of the given dtypes, place by place."""
    shape = np.broadcast_shapes(*(np.shape(part) for part in operands))
    count = math.prod(shape)
    result = engine.xp.empty(shape, out.numpy)
    if count:
        parts = [argument(engine, part, shape) for part in operands]
        scalars = tuple(not np.shape(part) for part in operands[: len(dtypes)])
        kernel = engine.over_operator(op, dtypes, scalars, out)
        kernel(blocks_for(count), THREADS, (*parts, result, np.int64(count)))
    return result


def argument(engine: CudaEngine, part: Any, shape: tuple[int, ...]) -> Any:
    """A scalar of NumPy, or an array of the whole shape in C order."""
    if not np.shape(part):
        return part if isinstance(part, np.generic) else engine.to_host(part)[()]
    if part.shape != shape:
        part = engine.xp.broadcast_to(part, shape)
    return engine.xp.ascontiguousarray(part)
