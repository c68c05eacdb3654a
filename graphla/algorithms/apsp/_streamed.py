"""The blocked Floyd–Warshall over a matrix that stays with the host: in memory, or in a memory-mapped file.

For each pivot block its rows and columns go to the device and are closed there; then panels of rows go there, are
relaxed through the block, and come back. A block of s vertices moves the n² values to and fro n / s times, so s is as
large as the memory allows. Doing a block again changes nothing, which is what lets a stopped run go on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.apsp._tiles import CORNER, TILE, WHOLE, Buffers, Numbers, buffers, launcher
from graphla.algorithms.sssp._weights import infinity
from graphla.config import config
from graphla.errors import OutOfMemory
from graphla.memory import device_free

LARGEST = 4096
"""Vertices of a pivot block at most: beyond, the sums of a block take longer than moving the matrix."""
Done = Callable[[int, int], None]


@dataclass(frozen=True)
class Panels:
    """Vertices of a pivot block, rows of a panel, and the padded length of a row."""

    side: int
    rows: int
    stride: int


def panels_for(n: int, dtype: np.dtype[Any], per_word: int, xp: Any) -> Panels:
    """The largest pivot block whose buffers fit into two thirds of what there is, and panels for the rest."""
    limit = min(device_free(xp), config.memory_limit or 2**62)
    step = TILE * per_word
    side = LARGEST
    while side >= step:
        stride = -(-n // side) * side
        block = side * stride * (3 * dtype.itemsize + 4) + 8 * side * side
        rows = min((limit - block) // (stride * dtype.itemsize) // TILE * TILE, -(-n // TILE) * TILE)
        if rows >= TILE and (3 * block <= 2 * limit or side == step) and (side == step or stride < 2 * n):
            return Panels(side, int(rows), stride)
        side //= 2
    raise OutOfMemory(
        f"a pivot block of {step} of {n:,} vertices needs {block:,} bytes, and {limit:,} are there: "
        "'sssp_sweep' with output='file.npy' needs far less"
    )


def closed(engine: Any, D: Any, kind: Numbers, sizes: Panels, begin: int = 0, done: Done | None = None) -> int:
    """Close the host's matrix D in place, from pivot block `begin` on; a vertex on a negative cycle, or −1."""
    xp, n = engine.xp, D.shape[0]
    b = buffers(xp, xp.empty((sizes.rows, sizes.stride), D.dtype), sizes.side, kind.per_word)
    for block in range(begin, sizes.stride // sizes.side):
        first = block * sizes.side
        if first >= n:
            break
        close_block(engine, D, kind, sizes, b, first)
        if int(b.cycle[0]) >= 0:
            return int(b.cycle[0])
        for row in range(0, n, sizes.rows):
            relax_panel(engine, D, kind, sizes, b, first, row)
        if done is not None:
            done(block + 1, -(-n // sizes.side))
    return -1


def close_block(engine: Any, D: Any, kind: Numbers, sizes: Panels, b: Buffers, first: int) -> None:
    """The rows and the columns of a pivot block over its closed square, on the device."""
    n, side, last = D.shape[0], sizes.side, min(first + sizes.side, D.shape[0])
    rows, columns = b.before
    b.before[:] = infinity(D.dtype)
    rows[: last - first, :n] = engine.asarray(np.ascontiguousarray(D[first:last]))
    columns[: last - first, :n] = engine.asarray(np.ascontiguousarray(D[:, first:last])).T
    close = launcher(engine, "_close.cuh", "close_square", kind)
    at, stride = (np.int32(first), np.int32(side)), np.int64(sizes.stride)
    corners = min((side // CORNER) ** 2, close.resident_blocks(256))
    close(corners, 256, (rows.reshape(-1)[first:], stride, *at, b.cycle, b.barrier))
    square = rows[:, first : first + side]
    columns[:, first : first + side] = square.T
    b.squares[0], b.squares[1] = spread(square.T, b), spread(square, b)
    words = sizes.stride // kind.per_word
    grid = words // TILE, side // TILE, 2
    panels = launcher(engine, "_pivot.cuh", "panels", kind)
    panels(grid, 256, (b.before.reshape(-1).view(b.after[0].dtype), b.squares, at[1], np.int64(words), b.after[0]))


def spread(square: Any, b: Buffers) -> Any:
    """A square in the words of a first operand: pairs have the value twice."""
    return square if b.squares.dtype == square.dtype else square.astype(np.uint32) * np.uint32(0x10001)


def relax_panel(engine: Any, D: Any, kind: Numbers, sizes: Panels, b: Buffers, first: int, row: int) -> None:
    """A panel of rows to the device, through the block, and back."""
    n, last = D.shape[0], min(row + sizes.rows, D.shape[0])
    panel = b.D[: -(-(last - row) // TILE) * TILE]
    panel[: last - row, :n] = engine.asarray(np.ascontiguousarray(D[row:last]))
    words = sizes.stride // kind.per_word
    rest = launcher(engine, "_pivot.cuh", "rest", kind)
    at = np.int32(first), np.int32(sizes.side), np.int64(words)
    columns = b.after[0][sizes.side * words :]
    grid = words // TILE, panel.shape[0] // TILE
    rest(grid, 256, (panel.reshape(-1).view(b.after[0].dtype), np.int32(row), *WHOLE, b.after[0], columns, *at))
    D[row:last] = engine.to_host(panel[: last - row, :n])
