"""Hold the matrix of a run with an output file, and write its progress to the file.

If the matrix fits in memory, it is there, and a separate thread repeatedly writes the latest state to the disk. Cells
may be ahead of the state that the note records; they are still lengths of paths, and none is greater, so that resuming
from the file gives the same distances. Otherwise the matrix is the file itself, mapped into memory.
"""

from __future__ import annotations

import os
import time
from threading import Condition, Thread
from typing import Any, Self

import numpy as np

from graphla.algorithms.apsp import _host
from graphla.algorithms.apsp.distance_file import Unfinished, make_working_path
from graphla.algorithms.apsp.initial import fill
from graphla.common.config import config
from graphla.common.files import name_failures
from graphla.common.memory import allocate
from graphla.common.system import host_free

SHARE_OF_MEMORY = 0.8
"""The share of the free host memory that a matrix may take; the page cache of its file needs memory, too."""
SHARE_OF_TIME = 0.2
"""The share of time that writing notes of a mapped file may take, because it waits for the disk."""
WRITE = 1 << 26
"""Bytes per write to the file."""


class SparingNote:
    """The note of a mapped file, which is written as often as `SHARE_OF_TIME` allows."""

    def __init__(self, file: Unfinished) -> None:
        self.file, self.spent, self.noted = file, 0.0, time.monotonic()

    def is_due(self) -> bool:
        """Whether the last one is so old that another costs no more than its share of the time."""
        return SHARE_OF_TIME * (time.monotonic() - self.noted) >= self.spent

    def write(self, done: int) -> None:
        """Record that `done` rows, or pivots, are finished."""
        begin = time.monotonic()
        self.file.record_progress(done)
        self.noted = time.monotonic()
        self.spent = self.noted - begin


def make_keeper(file: Unfinished, G: Any) -> MappedMatrix | MatrixInMemory:
    """Make the keeper of the matrix, in memory if it fits, initialised with the weights or an earlier run's state."""
    room = min(int(SHARE_OF_MEMORY * host_free()), config.memory_limit or 2**62)
    return MatrixInMemory(file, G) if file.rows.nbytes <= room else MappedMatrix(file, G)


class MappedMatrix:
    """D is the mapped file; its note is updated from time to time."""

    def __init__(self, file: Unfinished, G: Any) -> None:
        self.D, self.note = np.asarray(file.rows), SparingNote(file)
        if file.begun is None:
            fill(G, self.D)
            self.note.write(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: no write is pending."""

    def __call__(self, done: int) -> None:
        """Record that `done` vertices have been pivots."""
        if self.note.is_due():
            self.note.write(done)


class MatrixInMemory:
    """D is in memory; a thread writes it to the file whenever there is progress."""

    def __init__(self, file: Unfinished, G: Any) -> None:
        self.file = file
        self.D: Any = allocate(file.rows.shape, file.rows.dtype, "the distances")
        self.reached = self.written = file.begun or 0
        self.news, self.over = Condition(), False
        self.failed: OSError | None = None
        if file.begun is None:
            fill(G, self.D)
        else:
            _host.copy(self.D, file.rows)
        self.thread = Thread(target=self.write_states, name="graphla-file", daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Write the last state to the file, even if the work was interrupted."""
        self.announce(self.reached, over=True)
        self.thread.join()
        self.raise_failure()

    def __call__(self, done: int) -> None:
        """Record that `done` vertices have been pivots."""
        self.raise_failure()
        self.announce(done, over=False)

    def raise_failure(self) -> None:
        """Raise the error of the writing thread, if there was one."""
        if self.failed is not None:
            raise self.failed

    def announce(self, reached: int, over: bool) -> None:
        with self.news:
            self.reached, self.over = reached, over
            self.news.notify()

    def write_states(self) -> None:
        """Write states to the file until the run is over."""
        try:
            while (reached := self.wait_for_state()) is not None:
                self.write()
                self.file.record_progress(reached)
                self.written = reached
        except OSError as error:
            self.failed = error

    def wait_for_state(self) -> int | None:
        """Wait for a state that the file does not have yet; return None at the end."""
        with self.news:
            self.news.wait_for(lambda: self.over or self.reached > self.written)
            return self.reached if self.reached > self.written else None

    def write(self) -> None:
        """Write D to the file without mapping it."""
        cells = memoryview(self.D.reshape(-1).view(np.uint8))
        with name_failures(self.file.path), make_working_path(self.file.path).open("r+b", buffering=0) as file:
            for first in range(0, len(cells), WRITE):
                os.pwrite(file.fileno(), cells[first : first + WRITE], self.file.rows.offset + first)
