"""out[p] = op(x[p], …) by one kernel; a scalar operand travels as an argument of the launch."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.device import Device
from graphla.storage import Array
from semirings.dtypes import DType

THREADS = 256
MOST_BLOCKS = 4096


def count_blocks(count: int) -> int:
    """Blocks of a grid that strides over `count` places."""
    return min(MOST_BLOCKS, -(-count // THREADS))


def apply_operator(
    engine: KernelEngine, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType
) -> Array:
    """op over arrays and scalars of the given dtypes, place by place."""
    shapes = [part.shape for part in operands]
    shape = find_common_shape(shapes)
    result = engine.xp.ndarray(shape, out.numpy)  # `cupy.empty`, without a call on the way
    blocks, count = choose_grid(engine.device, shape)
    if blocks:
        parts = [to_argument(engine, part, its, shape) for part, its in zip(operands, shapes, strict=True)]
        scalars = tuple([not its for its in shapes[: len(dtypes)]])
        kernel = engine.get_kernel_over_operator(op, dtypes, scalars, out)
        kernel(blocks, THREADS, (*parts, result, *count))
    return result


@lru_cache(maxsize=1024)
def choose_grid(device: Device, shape: tuple[int, ...]) -> tuple[int, tuple[Any, ...]]:
    """Blocks for an array of that shape, and the number of its elements as an argument."""
    count = math.prod(shape)
    return count_blocks(count), device.wrap_arguments(np.int64(count))


def find_common_shape(shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape to which all are broadcast; `numpy.broadcast_shapes` takes as long as a launch."""
    wide = [shape for shape in shapes if shape]
    return wide[0] if wide and wide.count(wide[0]) == len(wide) else np.broadcast_shapes(*wide)


def to_argument(engine: KernelEngine, part: Any, its: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """A scalar of NumPy, or an array of the whole shape in C order; `its` shape is known."""
    if not its:
        return part if isinstance(part, np.generic) else engine.to_host(part)[()]
    if its != shape:
        part = engine.xp.broadcast_to(part, shape)
    return part if part.flags.c_contiguous else engine.xp.ascontiguousarray(part)
