"""The blocked Floyd–Warshall over a matrix that stays on the host, in memory or in a memory-mapped file.

For each pivot block its rows and columns are copied to the device and closed there; then panels of rows are copied
there, relaxed through the block, and copied back. With s vertices per block the n² values are copied n / s times in
each direction, so s is as large as the memory allows. Repeating a block changes nothing, so a stopped run can resume.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from graphla.algorithms.apsp import tiles
from graphla.algorithms.apsp._lane import Lane
from graphla.algorithms.apsp.tiles import Numbers
from graphla.algorithms.shared.weights import infinity
from graphla.common.config import config
from graphla.common.errors import OutOfMemory
from graphla.common.memory import device_free
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.tropical_operands import TILE_SIDE

LARGEST = 8192
"""Maximum vertices of a pivot block; beyond, computing a block takes longer than the copies, so nothing is gained."""
LANES = 3
"""Panels on the device: one is copied in, one is computed, one is copied out."""
PANEL_BYTES = 1 << 28
"""Maximum bytes of a panel: enough thread blocks to fill a device several times."""
Done = Callable[[int, int], None]


@dataclass(frozen=True)
class Panels:
    """Vertices of a pivot block, rows of a panel, and the padded length of a row."""

    side: int
    rows: int
    stride: int

    def list_blocks(self, n: int, begin: int) -> list[tuple[int, int]]:
        """List the first vertex and the size of each pivot block, from the one that contains vertex `begin` on."""
        firsts = range(begin // self.side * self.side, n, self.side)
        return [(first, min(self.side, self.stride - first)) for first in firsts]


def choose_panels(n: int, dtype: np.dtype[Any], per_word: int, xp: Any) -> Panels:
    """Choose the largest pivot block that leaves a third of the memory, or as much as useful, for the panels."""
    limit, smallest = min(device_free(xp), config.memory_limit or 2**62), TILE_SIDE * per_word
    n, parts, side, needed = max(n, 1), -(-n // LARGEST), 0, 0
    while side != smallest:
        side = tiles.pad_size(-(-n // max(parts, 1)), per_word)
        before_last = (n - 1) // side * side
        stride = before_last + tiles.pad_size(n - before_last, per_word)
        panel, block = TILE_SIDE * stride * dtype.itemsize, count_block_bytes(side, stride, dtype, per_word)
        enough = min(max(1, PANEL_BYTES // panel), -(-n // TILE_SIDE))
        height = min((limit - block) // (LANES * panel), enough)
        if height == enough or (height >= 1 and (3 * block <= 2 * limit or side == smallest)):
            return Panels(side, height * TILE_SIDE, stride)
        parts, needed = parts + 1, block + LANES * panel
    raise OutOfMemory(
        f"a pivot block of {smallest} of {n:,} vertices needs {needed:,} bytes, and {limit:,} are there: "
        "'sssp_sweep' with output='file.npy' needs far less"
    )


def count_block_bytes(side: int, stride: int, dtype: np.dtype[Any], per_word: int) -> int:
    """Count the bytes that a pivot block and the closing of its square take on the device."""
    word, inner = max(4, dtype.itemsize), tiles.choose_side(side, per_word)
    panels = 2 * dtype.itemsize * side * stride + word * side * (stride // per_word + stride) + 2 * word * side * side
    closing = 2 * dtype.itemsize * inner * side + 2 * word * inner * (side // per_word + side + inner)
    return panels + closing + dtype.itemsize * side * side


def close_blocks(
    engine: KernelEngine, D: Any, kind: Numbers, sizes: Panels, begin: int = 0, done: Done | None = None
) -> int:
    """Close the host matrix D in place, starting with the block of vertex `begin`.

    Returns a vertex on a negative cycle, or −1. `done` is called with the number of vertices that have been pivots, and
    the number of all vertices.
    """
    n, width = D.shape[0], sizes.stride
    lanes = [Lane(engine.xp, sizes.rows * width, D.dtype) for _ in range(LANES)]
    block = Block(engine, D.dtype, kind, sizes)
    for first, side in sizes.list_blocks(n, begin):
        cycle = block.close(D, first, side, lanes)
        if cycle >= 0:
            return cycle
        for number, row in enumerate(range(0, n, sizes.rows)):
            part, work = D[row : row + sizes.rows], partial(block.relax, row)
            lanes[number % LANES].carry(part, width, work, multiple=TILE_SIDE, back=True)
        wait_for_all(lanes)
        if done is not None:
            done(min(first + side, n), n)
    return -1


def wait_for_all(lanes: list[Lane]) -> None:
    """Wait for all lanes."""
    for lane in lanes:
        lane.wait()


class Block:
    """A pivot block on the device: its rows and columns, before and after multiplication by its closed square."""

    def __init__(self, engine: KernelEngine, dtype: np.dtype[Any], kind: Numbers, sizes: Panels) -> None:
        self.engine, self.kind, self.stride = engine, kind, sizes.stride
        self.first = self.side = 0
        word = dtype if kind.per_word == 1 else np.dtype(np.uint32)
        self.before = engine.xp.empty(2 * sizes.side * sizes.stride, dtype)
        self.squares = engine.xp.empty(2 * sizes.side * sizes.side, word)
        self.after = engine.xp.empty(sizes.side * (sizes.stride // kind.per_word + sizes.stride), word)

    def close(self, D: Any, first: int, side: int, lanes: list[Lane]) -> int:
        """Load and close the block of `side` vertices from `first` on; return a vertex on a negative cycle, or −1."""
        self.first, self.side = first, side
        before = self.before[: 2 * side * self.stride].reshape(2, -1)
        before[:] = infinity(D.dtype)
        rows, columns = (tiles.view_operand(part, side, self.kind.per_word, second=True) for part in before)
        self.load(rows, columns, D, lanes)
        here = slice(first // self.kind.per_word, (first + side) // self.kind.per_word)
        square = rows[:, :, here].copy().reshape(side, side)
        inner = tiles.choose_side(side, self.kind.per_word)
        cycle = int(tiles.close_blocks(self.engine, square, self.kind, inner)[0])
        if cycle < 0:
            self.close_panels(before, (rows[:, :, here], columns[:, :, here]), square)
        return first + cycle if cycle >= 0 else -1

    def close_panels(self, before: Any, own: tuple[Any, Any], square: Any) -> None:
        """Multiply rows and columns by the closed square, into `after`; `own` are the cells of the square in them."""
        side = self.side
        squares = self.squares[: 2 * side * side].reshape(2, -1)
        for part, cells_of_square, closed in zip(squares, own, (square, square.T), strict=True):
            cells_of_square[:] = closed.reshape(cells_of_square.shape)
            first = tiles.view_operand(part, side, 1, second=False)
            first[:] = self.duplicate_pairs(closed.T).reshape(first.shape)
        for cells in (before, squares):
            tiles.recode(self.engine, cells, self.kind, self.kind.far)
        tiles.close_panels(self.engine, before, squares, self.kind, side, self.after)

    def load(self, rows: Any, columns: Any, D: Any, lanes: list[Lane]) -> None:
        """Load the rows of the block and its transposed columns as second operands; cells beyond D are undefined."""
        n, first, last = D.shape[0], self.first, min(self.first + self.side, D.shape[0])
        step = lanes[0].panel.size // self.stride

        def put_rows(at: int, panel: Any) -> None:
            panel[last - first - at :] = infinity(D.dtype)
            part = rows[at // rows.shape[1] :][: panel.shape[0] // rows.shape[1]]
            part[:] = panel.reshape(part.shape)

        def put_columns(at: int, panel: Any) -> None:
            part = columns[:, :, at // self.kind.per_word :][:, :, : panel.shape[0] // self.kind.per_word]
            part[:] = panel.T.reshape(part.shape)

        for number, at in enumerate(range(first, last, step)):
            part = D[at : min(at + step, last)]
            lanes[number % LANES].carry(part, self.stride, partial(put_rows, at - first), multiple=2)
        for number, at in enumerate(range(0, n, step)):
            part, work = D[at : at + step, first:last], partial(put_columns, at)
            lanes[number % LANES].carry(part, self.side, work, multiple=TILE_SIDE)
        wait_for_all(lanes)

    def relax(self, row: int, panel: Any) -> None:
        """Relax a panel of whole tiles of rows from `row` on by paths through the block."""
        tiles.relax(self.engine, panel, self.kind, self.after, self.first, self.side, row=row)
        tiles.recode(self.engine, panel, self.kind, infinity(panel.dtype))

    def duplicate_pairs(self, square: Any) -> Any:
        """Convert a square to the words of a first operand: in words of two values both are the same."""
        return square if self.kind.per_word == 1 else square.astype(np.uint32) * np.uint32(0x10001)
