"""out[p] = op(x[p], …) by one kernel; a scalar operand travels as an argument of the launch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.storage import Array
from semirings.dtypes import DType

THREADS = 256
MOST_BLOCKS = 4096


def blocks_for(count: int) -> int:
    """Blocks of a grid that strides over `count` places."""
    return min(MOST_BLOCKS, -(-count // THREADS))


def elementwise(
    engine: KernelEngine, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType
) -> Array:
    """op over arrays and scalars of the given dtypes, place by place."""
    shapes = {shape_of(part) for part in operands} - {()}
    shape = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
    count = math.prod(shape)
    result = engine.xp.empty(shape, out.numpy)
    if count:
        parts = [argument(engine, part, shape) for part in operands]
        scalars = tuple(not shape_of(part) for part in operands[: len(dtypes)])
        kernel = engine.over_operator(op, dtypes, scalars, out)
        kernel(blocks_for(count), THREADS, (*parts, result, np.int64(count)))
    return result


def shape_of(part: Any) -> tuple[int, ...]:
    """The shape of an array or a number; `numpy.shape` would ask CuPy in a way that takes longer than a launch."""
    return getattr(part, "shape", ())


def argument(engine: KernelEngine, part: Any, shape: tuple[int, ...]) -> Any:
    """A scalar of NumPy, or an array of the whole shape in C order."""
    if not shape_of(part):
        return part if isinstance(part, np.generic) else engine.to_host(part)[()]
    if part.shape != shape:
        part = engine.xp.broadcast_to(part, shape)
    return part if part.flags.c_contiguous else engine.xp.ascontiguousarray(part)
