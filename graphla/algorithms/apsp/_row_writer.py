"""Move rows of distances to a file or to host memory while the next rows are computed.

A block of rows goes through a slot: a stream of its own copies it to page-locked memory, and a thread writes it from
there. Blocks are written one after another in their order, so that all rows before the last one written are whole.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol, Self

import numpy as np

from graphla.algorithms.apsp import _host, batches
from graphla.algorithms.apsp._keep import SparingNote
from graphla.algorithms.apsp._lane import DeviceStream, HostStream
from graphla.algorithms.apsp.batches import report_progress
from graphla.algorithms.apsp.distance_file import Unfinished
from graphla.algorithms.shared.distance_range import require_range

SLOTS = 3
"""Blocks in flight: one is computed, one is copied, one is written."""


class Sink(Protocol):
    """Where rows go."""

    def write(self, first: int, rows: Any) -> None:
        """Write a block of rows, beginning with row `first`."""

    def close(self) -> None:
        """Make sure that what was written stays."""


class MemorySink:
    """Rows of a matrix in host memory."""

    def __init__(self, D: Any) -> None:
        self.D = D

    def write(self, first: int, rows: Any) -> None:
        _host.copy(self.D[first : first + rows.shape[0]], rows)

    def close(self) -> None:
        """Do nothing: the rows are there."""


class FileSink:
    """Rows of a mapped file of distances."""

    def __init__(self, file: Unfinished) -> None:
        self.file, self.note = file, SparingNote(file)
        self.written = self.recorded = file.begun or 0

    def write(self, first: int, rows: Any) -> None:
        last = first + rows.shape[0]
        _host.copy(self.file.rows[first:last], rows)
        self.written = last
        if self.note.is_due():
            self.close()

    def close(self) -> None:
        """Record the rows that are written."""
        if self.written > self.recorded:
            self.note.write(self.written)
            self.recorded = self.written


class Slot:
    """Page-locked memory for a block of rows, and the stream that fills it."""

    def __init__(self, xp: Any, cells: int, dtype: np.dtype[Any]) -> None:
        self.stream = DeviceStream(xp) if xp.__name__ == "cupy" else HostStream()
        self.locked = self.stream.allocate_locked(cells, dtype)
        self.rows: Any = None

    def take(self, rows: Any) -> None:
        """Begin to copy rows of the device, after everything launched before; they stay allocated meanwhile."""
        self.rows = rows
        with self.stream.wait_for_current():
            self.stream.fetch(self.locked[: rows.size].reshape(rows.shape), rows)

    def give(self) -> Any:
        """Wait for the copy and return it."""
        self.stream.synchronize()
        shape, self.rows = self.rows.shape, None
        return self.locked[: shape[0] * shape[1]].reshape(shape)


class HostSlot:
    """A block of rows that is in host memory already."""

    def __init__(self) -> None:
        self.rows: Any = None

    def take(self, rows: Any) -> None:
        self.rows = rows

    def give(self) -> Any:
        rows, self.rows = self.rows, None
        return rows


class RowWriter:
    """Write blocks of rows in the background; a ``with`` block ends when all are written.

    If the block raises, the rows that wait are dropped, and those that were written are recorded.

    Parameters
    ----------
    engine : Engine
        The engine of the rows.
    sink : Sink
        Where they go.
    cells : int
        The cells of a block at most.
    dtype : dtype
        Their dtype.
    report : callable
        Called by `put` and at the end with the number of the row after each block that was written.
    """

    def __init__(
        self, engine: Any, sink: Sink, cells: int, dtype: np.dtype[Any], report: Callable[[int], None]
    ) -> None:
        self.sink, self.report, self.dropped = sink, report, False
        self.free, self.taken, self.done = SimpleQueue[Any](), SimpleQueue[Any](), SimpleQueue[int]()
        self.failed: BaseException | None = None
        for _ in range(SLOTS):
            self.free.put(HostSlot() if engine.name == "cpu" else Slot(engine.xp, cells, dtype))
        self.thread = Thread(target=self._write_all, name="graphla-rows", daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def put(self, first: int, rows: Any) -> None:
        """Hand over a block of rows of the engine, which are not changed afterwards."""
        slot = self.free.get()
        self._raise_failure()
        slot.take(rows)
        self.taken.put((slot, first))
        self._report_done()

    def __exit__(self, kind: Any, *_: object) -> None:
        self.dropped = kind is not None
        self.taken.put(None)
        self.thread.join()
        if kind is None:
            self._raise_failure()
            self._report_done()

    def _write_all(self) -> None:
        """Write blocks until the last; after a failure, let `put` go on to raise it."""
        while (block := self.taken.get()) is not None:
            slot, first = block
            try:
                rows = slot.give()
                if not self.dropped and self.failed is None:
                    self.sink.write(first, rows)
                    self.done.put(first + rows.shape[0])
            except BaseException as error:  # raised again by the thread that computes
                self.failed = error
            self.free.put(slot)
        try:
            self.sink.close()
        except BaseException as error:
            self.failed = self.failed or error

    def _raise_failure(self) -> None:
        if self.failed is not None:
            raise self.failed

    def _report_done(self) -> None:
        while not self.done.empty():
            self.report(self.done.get())


def write_rows(
    G: Any,
    sweeps: Any,
    sink: Sink,
    dtype: np.dtype[Any],
    progress: Any,
    begin: int = 0,
    finish: Callable[[Any], Any] | None = None,
) -> None:
    """Write the rows of all sources from `begin` on, each block while the next is computed.

    Parameters
    ----------
    G : Graph
        The graph.
    sweeps : Sweeps or DeviceSweeps
        What computes its rows.
    sink : Sink
        Where they go.
    dtype : dtype
        Their dtype.
    progress : callable or None
        Called with the rows that are written, and the number of all.
    begin : int
        The first row.
    finish : callable, optional
        Checks a block of distances and returns what is written; by default the distances, which must fit their dtype.
    """
    finish = finish or (lambda rows: require_range(G, rows))
    rows = max(1, batches.CELLS // max(1, G.n))
    with RowWriter(G.engine, sink, rows * G.n, dtype, lambda done: report_progress(progress, done, G.n)) as writer:
        for first, block in sweeps.stream(rows, begin):
            writer.put(first, finish(block))
