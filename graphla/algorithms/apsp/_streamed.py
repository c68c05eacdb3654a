"""The blocked Floyd–Warshall over a matrix that stays with the host: in memory, or in a memory-mapped file.

For each pivot block its rows and columns go to the device and are closed there; then panels of rows go there, are
relaxed through the block, and come back. A block of s vertices moves the n² values to and fro n / s times, so s is as
large as the memory allows. Doing a block again changes nothing, which is what lets a stopped run go on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from graphla.algorithms.apsp import _tiles
from graphla.algorithms.apsp._lane import Lane
from graphla.algorithms.apsp._tiles import TILE, Numbers
from graphla.algorithms.sssp._weights import infinity
from graphla.config import config
from graphla.engine.cuda.base import KernelEngine
from graphla.errors import OutOfMemory
from graphla.memory import device_free

LARGEST = 8192
"""Vertices of a pivot block at most: beyond, nothing is won, for the sums of a block take longer than the copies."""
LANES = 3
"""Panels on the device: one arrives, one is at work, one leaves."""
PANEL_BYTES = 1 << 28
"""Of a panel at most: enough blocks of threads to fill a device some times."""
Done = Callable[[int, int], None]


@dataclass(frozen=True)
class Panels:
    """Vertices of a pivot block, rows of a panel, and the padded length of a row."""

    side: int
    rows: int
    stride: int

    def blocks(self, n: int, begin: int) -> list[tuple[int, int]]:
        """The first vertex and the size of each pivot block, from the one that holds vertex `begin` on."""
        firsts = range(begin // self.side * self.side, n, self.side)
        return [(first, min(self.side, self.stride - first)) for first in firsts]


def panels_for(n: int, dtype: np.dtype[Any], per_word: int, xp: Any) -> Panels:
    """The largest pivot block that leaves a third of the memory, or as much as they can use, for panels of the rest."""
    limit, smallest = min(device_free(xp), config.memory_limit or 2**62), TILE * per_word
    n, parts, side, needed = max(n, 1), -(-n // LARGEST), 0, 0
    while side != smallest:
        side = _tiles.padded(-(-n // max(parts, 1)), per_word)
        before_last = (n - 1) // side * side
        stride = before_last + _tiles.padded(n - before_last, per_word)
        panel, block = TILE * stride * dtype.itemsize, block_bytes(side, stride, dtype, per_word)
        enough = min(max(1, PANEL_BYTES // panel), -(-n // TILE))
        tiles = min((limit - block) // (LANES * panel), enough)
        if tiles == enough or (tiles >= 1 and (3 * block <= 2 * limit or side == smallest)):
            return Panels(side, tiles * TILE, stride)
        parts, needed = parts + 1, block + LANES * panel
    raise OutOfMemory(
        f"a pivot block of {smallest} of {n:,} vertices needs {needed:,} bytes, and {limit:,} are there: "
        "'sssp_sweep' with output='file.npy' needs far less"
    )


def block_bytes(side: int, stride: int, dtype: np.dtype[Any], per_word: int) -> int:
    """What a pivot block takes on the device, and the closing of its square."""
    word, inner = max(4, dtype.itemsize), _tiles.side_of(side, per_word)
    panels = 2 * dtype.itemsize * side * stride + word * side * (stride // per_word + stride) + 2 * word * side * side
    closing = 2 * dtype.itemsize * inner * side + 2 * word * inner * (side // per_word + side + inner)
    return panels + closing + dtype.itemsize * side * side


def closed(engine: KernelEngine, D: Any, kind: Numbers, sizes: Panels, begin: int = 0, done: Done | None = None) -> int:
    """Close the host's matrix D in place, from the block with vertex `begin` on; a vertex on a negative cycle, or −1.

    `done` is told how many vertices are pivots already, of all.
    """
    n, width = D.shape[0], sizes.stride
    lanes = [Lane(engine.xp, sizes.rows * width, D.dtype) for _ in range(LANES)]
    block = Block(engine, D.dtype, kind, sizes)
    for first, side in sizes.blocks(n, begin):
        cycle = block.close(D, first, side, lanes)
        if cycle >= 0:
            return cycle
        for turn, row in enumerate(range(0, n, sizes.rows)):
            part, work = D[row : row + sizes.rows], partial(block.relax, row)
            lanes[turn % LANES].carry(part, width, work, multiple=TILE, back=True)
        settled(lanes)
        if done is not None:
            done(min(first + side, n), n)
    return -1


def settled(lanes: list[Lane]) -> None:
    """Wait for all lanes."""
    for lane in lanes:
        lane.wait()


class Block:
    """A pivot block on the device: its rows and columns over its closed square, and what they are made of."""

    def __init__(self, engine: KernelEngine, dtype: np.dtype[Any], kind: Numbers, sizes: Panels) -> None:
        self.engine, self.kind, self.stride = engine, kind, sizes.stride
        self.first = self.side = 0
        word = dtype if kind.per_word == 1 else np.dtype(np.uint32)
        self.before = engine.xp.empty(2 * sizes.side * sizes.stride, dtype)
        self.squares = engine.xp.empty(2 * sizes.side * sizes.side, word)
        self.after = engine.xp.empty(sizes.side * (sizes.stride // kind.per_word + sizes.stride), word)

    def close(self, D: Any, first: int, side: int, lanes: list[Lane]) -> int:
        """Fetch and close the block of `side` vertices from `first` on; a vertex on a negative cycle, or −1."""
        self.first, self.side = first, side
        before = self.before[: 2 * side * self.stride].reshape(2, -1)
        before[:] = infinity(D.dtype)
        rows, columns = (_tiles.operand(part, side, self.kind.per_word, second=True) for part in before)
        self.load(rows, columns, D, lanes)
        here = slice(first // self.kind.per_word, (first + side) // self.kind.per_word)
        square = rows[:, :, here].copy().reshape(side, side)
        inner = _tiles.side_of(side, self.kind.per_word)
        cycle = int(_tiles.closed(self.engine, square, self.kind, inner)[0])
        if cycle < 0:
            self.reach(before, (rows[:, :, here], columns[:, :, here]), square)
        return first + cycle if cycle >= 0 else -1

    def reach(self, before: Any, own: tuple[Any, Any], square: Any) -> None:
        """The rows and the columns over the closed square, to `after`; `own` is where the square is in them."""
        side = self.side
        squares = self.squares[: 2 * side * side].reshape(2, -1)
        for part, place, closed in zip(squares, own, (square, square.T), strict=True):
            place[:] = closed.reshape(place.shape)
            first = _tiles.operand(part, side, 1, second=False)
            first[:] = self.spread(closed.T).reshape(first.shape)
        for cells in (before, squares):
            _tiles.recode(self.engine, cells, self.kind, self.kind.far)
        _tiles.reach(self.engine, before, squares, self.kind, side, self.after)

    def load(self, rows: Any, columns: Any, D: Any, lanes: list[Lane]) -> None:
        """The rows of the block, and its columns turned, as second operands; columns beyond D may hold anything."""
        n, first, last = D.shape[0], self.first, min(self.first + self.side, D.shape[0])
        step = lanes[0].panel.size // self.stride

        def put_rows(at: int, panel: Any) -> None:
            panel[last - first - at :] = infinity(D.dtype)
            part = rows[at // rows.shape[1] :][: panel.shape[0] // rows.shape[1]]
            part[:] = panel.reshape(part.shape)

        def put_columns(at: int, panel: Any) -> None:
            part = columns[:, :, at // self.kind.per_word :][:, :, : panel.shape[0] // self.kind.per_word]
            part[:] = panel.T.reshape(part.shape)

        for turn, at in enumerate(range(first, last, step)):
            part = D[at : min(at + step, last)]
            lanes[turn % LANES].carry(part, self.stride, partial(put_rows, at - first), multiple=2)
        for turn, at in enumerate(range(0, n, step)):
            part, work = D[at : at + step, first:last], partial(put_columns, at)
            lanes[turn % LANES].carry(part, self.side, work, multiple=TILE)
        settled(lanes)

    def relax(self, row: int, panel: Any) -> None:
        """Paths through the block in a panel of whole tiles of rows from `row` on."""
        _tiles.relax(self.engine, panel, self.kind, self.after, self.first, self.side, row=row)
        _tiles.recode(self.engine, panel, self.kind, infinity(panel.dtype))

    def spread(self, square: Any) -> Any:
        """A square in the words of a first operand: pairs have the value twice."""
        return square if self.kind.per_word == 1 else square.astype(np.uint32) * np.uint32(0x10001)
