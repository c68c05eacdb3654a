"""Rows of D on the CPU, relaxed by the kernels of the blocked Floyd–Warshall."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphla.algorithms.apsp import tiles
from graphla.algorithms.apsp.blocked_cpu import PARTS, choose_arithmetic, close_pivot, pad, relax_rest, replace_beyond
from graphla.algorithms.apsp.initial import is_non_negative
from graphla.algorithms.shared.weights import infinity
from graphla.engine.cpu.threads import count_workers


class HostPanel:
    """The rows of D from `first` on."""

    def __init__(self, G: Any, rows: Any, first: int, side: int) -> None:
        self.rows, self.first, self.cycle = rows, first, -1
        self.narrow = tiles.choose_narrow_numbers(G, rows.dtype)
        if self.narrow is None:
            self.work, self.infinity, self.limits = choose_arithmetic(rows, is_non_negative(G))
        else:
            replace_beyond(rows, rows.dtype.type(self.narrow.last), rows.dtype.type(self.narrow.far))
            self.work, self.infinity, self.limits = rows, rows.dtype.type(self.narrow.far), None
        self.pivots = [np.empty((pad(side), rows.shape[1]), self.work.dtype) for _ in range(2)]
        self.entered: tuple[Any, int, int] = (None, 0, 0)
        self.pool = ThreadPoolExecutor(count_workers())

    def get_pivot_rows(self, side: int, turn: int) -> Any:
        """Return the buffer of the rows of a pivot block, which are padded with infinity."""
        return self.pivots[turn][: pad(side)]

    def pivot(self, first: int, side: int, turn: int) -> None:
        """Close a pivot block of this rank and its rows."""
        local = first - self.first
        rows, found = close_pivot(self.work, local, local + side, self.infinity, self.limits, first)
        self.get_pivot_rows(side, turn)[:] = rows
        if self.cycle < 0:
            self.cycle = found

    def enter(self, first: int, side: int, turn: int) -> None:
        """Take up a pivot block, whose rows have arrived."""
        self.entered = self.get_pivot_rows(side, turn), first, first + side

    def relax_rows(self, first: int, side: int) -> None:
        """Relax the rows of the next pivot block."""
        self.relax(first - self.first, first - self.first + side)

    def relax_all(self, done: tuple[int, int] | None) -> None:
        """Relax the rows of this rank, without the pivot block, and without the next one if it is `done`."""
        _, low, high = self.entered
        end, begin, tasks = self.first + len(self.rows), 0, []
        left_out = [(low, high), *([(done[0], done[0] + done[1])] if done else []), (end, end)]
        for first, last in sorted(left_out, key=lambda rows: rows[0]):
            end = min(max(first - self.first, begin), len(self.rows))
            tasks += [self.pool.submit(self.relax, *part) for part in cut(begin, end)]
            begin = min(max(last - self.first, begin), len(self.rows))
        for task in tasks:
            task.result()

    def relax(self, first: int, last: int) -> None:
        pivots, low, high = self.entered
        relax_rest(first, last, self.work, pivots, low, high, self.infinity, self.limits)

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Run in order: there is no second stream."""
        yield

    def join(self) -> None:
        """Do nothing: there is no second stream."""

    def finish(self) -> int:
        """Give infinity its value in the result; return a vertex on a negative cycle, or −1."""
        self.pool.shutdown()
        if self.narrow is not None:
            replace_beyond(self.rows, self.rows.dtype.type(self.narrow.last), infinity(self.rows.dtype))
        return self.cycle


def cut(begin: int, end: int) -> list[tuple[int, int]]:
    """Cut a range of rows for the threads."""
    step = max(8, -(-(end - begin) // (PARTS * count_workers())))
    return [(first, min(first + step, end)) for first in range(begin, end, step)]
