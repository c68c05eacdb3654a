"""Transfers in pieces: MPI before version 4 counts the elements of a message in 31 bits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

PIECE = 1 << 30
"""Bytes that one message carries at most. All ranks must have the same value."""


def iterate_pieces(array: Any) -> Iterator[Any]:
    """Yield views of a one-dimensional array, none larger than PIECE bytes; an empty array has no piece."""
    step = max(1, PIECE // array.dtype.itemsize)
    for start in range(0, array.size, step):
        yield array[start : start + step]


def view_bytes(array: Any) -> Any:
    """Return the bytes of a contiguous array, in one dimension."""
    return array.reshape(-1).view(np.uint8)


def split_parts(joined: Any, sizes: Any) -> list[Any]:
    """Cut an array into parts of these sizes; the parts are views."""
    ends = np.cumsum(sizes)
    return [joined[end - size : end] for size, end in zip(sizes, ends, strict=True)]


def split_evenly(length: int, parts: int) -> list[int]:
    """Return the ``parts + 1`` bounds of ranges of equal length, to one element."""
    return [length * part // parts for part in range(parts + 1)]


def count_bytes(shape: tuple[int, ...], dtype: Any) -> int:
    return math.prod(shape) * np.dtype(dtype).itemsize
