"""Where the matrix of a run that ends in a file lives meanwhile, and how the file follows it.

In memory if it fits there: a thread of its own then brings the last state to the disk, again and again, beside the
work. It may find cells that are ahead of the state that it vouches for; they are lengths of paths all the same, none
greater, so that going on from there ends at the same distances. Otherwise in the file itself, mapped into memory.
"""

from __future__ import annotations

import os
import time
from threading import Condition, Thread
from typing import Any, Self

import numpy as np

from graphla.algorithms.apsp import _host
from graphla.algorithms.apsp._file import Unfinished, working
from graphla.algorithms.apsp._start import fill
from graphla.config import config
from graphla.memory import host_free

SHARE_OF_MEMORY = 0.8
"""What a matrix may take of what the host has free: the page cache of its file wants some, too."""
SHARE_OF_TIME = 0.2
"""What writing notes of a mapped file may take, for the disk has to be waited for."""
WRITE = 1 << 26
"""Bytes for one write to the file."""


def keeper(file: Unfinished, G: Any) -> Mapped | InMemory:
    """The matrix as the weights or an earlier run left it, and who brings it to the file."""
    room = min(int(SHARE_OF_MEMORY * host_free()), config.memory_limit or 2**62)
    return InMemory(file, G) if file.rows.nbytes <= room else Mapped(file, G)


class Mapped:
    """D is the file; now and then its note is renewed."""

    def __init__(self, file: Unfinished, G: Any) -> None:
        self.file, self.D, self.spent, self.noted = file, np.asarray(file.rows), 0.0, time.monotonic()
        if file.begun is None:
            fill(G, self.D)
            self.note(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is under way."""

    def __call__(self, done: int) -> None:
        """So many vertices are pivots already."""
        if SHARE_OF_TIME * (time.monotonic() - self.noted) >= self.spent:
            self.note(done)

    def note(self, done: int) -> None:
        begin = time.monotonic()
        self.file.done(done)
        self.noted = time.monotonic()
        self.spent = self.noted - begin


class InMemory:
    """D is in memory, and a thread writes it to the file whenever it has come further."""

    def __init__(self, file: Unfinished, G: Any) -> None:
        self.file = file
        self.D: Any = np.empty(file.rows.shape, file.rows.dtype)
        self.reached = self.written = file.begun or 0
        self.news, self.over = Condition(), False
        self.failed: OSError | None = None
        if file.begun is None:
            fill(G, self.D)
        else:
            _host.copy(self.D, file.rows)
        self.thread = Thread(target=self.follow, name="graphla-file", daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Bring the last state to the file, also where the work was interrupted."""
        self.tell(self.reached, over=True)
        self.thread.join()
        self.check()

    def __call__(self, done: int) -> None:
        """So many vertices are pivots already."""
        self.check()
        self.tell(done, over=False)

    def check(self) -> None:
        """Raise what the disk has answered."""
        if self.failed is not None:
            raise self.failed

    def tell(self, reached: int, over: bool) -> None:
        with self.news:
            self.reached, self.over = reached, over
            self.news.notify()

    def follow(self) -> None:
        """Write, as long as there is something new or to come."""
        try:
            while (reached := self.next()) is not None:
                self.write()
                self.file.done(reached)
                self.written = reached
        except OSError as error:
            self.failed = error

    def next(self) -> int | None:
        """A state that the file does not have yet, or None at the end."""
        with self.news:
            self.news.wait_for(lambda: self.over or self.reached > self.written)
            return self.reached if self.reached > self.written else None

    def write(self) -> None:
        """D to its place in the file, without mapping it."""
        cells = memoryview(self.D.reshape(-1).view(np.uint8))
        with working(self.file.path).open("r+b", buffering=0) as file:
            for first in range(0, len(cells), WRITE):
                os.pwrite(file.fileno(), cells[first : first + WRITE], self.file.rows.offset + first)
