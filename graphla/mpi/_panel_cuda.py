"""Rows of D on a GPU, relaxed by the kernels of the blocked Floyd–Warshall."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphla.algorithms.apsp import tiles
from graphla.algorithms.apsp.lanes import make_lanes
from graphla.algorithms.shared.weights import infinity
from graphla.engine.cuda.matmat.tropical_operands import TILE_SIDE


class DevicePanel:
    """The rows of D from `first` on, whole pivot blocks of `side` rows."""

    def __init__(self, G: Any, rows: Any, first: int, side: int) -> None:
        self.engine, self.rows, self.first, self.side = G.engine, rows, first, side
        self.kind = kind = tiles.choose_exact_numbers(G, rows.dtype)
        xp, stride = G.engine.xp, rows.shape[1]
        word = rows.dtype if kind.per_word == 1 else np.dtype(np.uint32)
        self.before = xp.empty((2, side * stride), rows.dtype)
        self.squares = xp.empty((2, side * side), word)
        self.pivots = xp.empty((2, side * stride // kind.per_word), word)
        self.columns = xp.empty(side * stride, word)
        self.cycle, self.barrier = xp.full(1, -1, np.int32), xp.zeros(1, np.uint32)
        self.lanes = make_lanes(xp)
        self.entered = (self.pivots[0], 0)
        tiles.recode(self.engine, rows, kind, kind.far)

    def get_pivot_rows(self, side: int, turn: int) -> Any:
        """Return the buffer of the rows of a pivot block, as the second operand of a product."""
        return self.pivots[turn]

    def pivot(self, first: int, side: int, turn: int) -> None:
        """Close a pivot block of this rank and its rows."""
        local, stride = first - self.first, self.rows.shape[1]
        square = self.rows.reshape(-1)[local * stride + first :]
        tiles.close_square(self.engine, square, self.kind, (stride, first, side), self.rows.dtype.type(0), self)
        rows = self.rows[local : local + side]
        operand = tiles.view_operand(self.before[0], side, self.kind.per_word, second=True)
        operand[:] = rows.reshape(operand.shape)
        self.put_square(self.squares[0], rows[:, first : first + side])
        into = self.pivots[turn]
        tiles.close_panel(self.engine, self.before[0], self.squares[0], self.kind, side, into, 0, (0, stride))

    def enter(self, first: int, side: int, turn: int) -> None:
        """Take up a pivot block, whose rows have arrived: multiply the columns of this rank by its closed square."""
        pivots, kind = self.pivots[turn], self.kind
        own = slice(self.first // kind.per_word, (self.first + len(self.rows)) // kind.per_word)
        operand = tiles.view_operand(self.before[1], side, kind.per_word, second=True)[:, :, own]
        operand[:] = self.rows[:, first : first + side].T.reshape(operand.shape)
        there = slice(first // kind.per_word, (first + side) // kind.per_word)
        closed = tiles.view_operand(pivots.view(self.rows.dtype), side, kind.per_word, second=True)[:, :, there]
        self.put_square(self.squares[1], closed.reshape(side, side).T)
        vertices = self.first, self.first + len(self.rows)
        tiles.close_panel(self.engine, self.before[1], self.squares[1], kind, side, self.columns, 1, vertices)
        self.entered = pivots, first

    def put_square(self, into: Any, square: Any) -> None:
        """Write a square as the first operand of a product from the left: it is read transposed."""
        operand = tiles.view_operand(into, self.side, 1, second=False)
        words = square if self.kind.per_word == 1 else square.astype(np.uint32) * np.uint32(0x10001)
        operand[:] = words.T.reshape(operand.shape)

    def relax_rows(self, first: int, side: int) -> None:
        """Relax the rows of the next pivot block."""
        self.relax(first - self.first, first - self.first + side)

    def relax_all(self, done: tuple[int, int] | None) -> None:
        """Relax the rows of this rank, but for those of the next pivot block if they are `done`."""
        if done is None:
            self.relax(0, len(self.rows))
            return
        begin = done[0] - self.first
        self.relax(0, begin)
        self.relax(begin + done[1], len(self.rows))

    def relax(self, begin: int, end: int) -> None:
        pivots, first = self.entered
        if begin == end:
            return
        words = self.rows.shape[1] // self.kind.per_word
        rest = tiles.get_kernel(self.engine, "_pivot.cuh", "rest", self.kind)
        cells = self.rows[begin:end].reshape(-1).view(pivots.dtype), np.int32(self.first + begin), np.int32(-1)
        block = np.int32(first), np.int32(self.side), np.int64(words)
        grid = words // TILE_SIDE, (end - begin) // TILE_SIDE
        rest(grid, tiles.TILE_WORKERS, (*cells, np.bool_(False), pivots, self.columns, *block))

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Run on a second stream, whose few blocks are scheduled first."""
        with self.lanes.use_side_stream():
            yield

    def join(self) -> None:
        """Let what follows wait for the second stream."""
        self.lanes.join()

    def finish(self) -> int:
        """Give infinity its value in the result; return a vertex on a negative cycle, or −1."""
        tiles.recode(self.engine, self.rows, self.kind, infinity(self.rows.dtype))
        return int(self.cycle[0])
