"""The standard streams of a process: a closed or full one is an error that names it, and no message is one."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

OUTPUT = "the standard output"
INPUT = "the standard input"
FULL = errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO
"""What the system says where there is no room, or a disk fails: no fault of what was asked."""


class Named(io.FileIO):
    """A standard stream; what the system says of it carries its name."""

    def __init__(self, number: int, mode: str, called: str) -> None:
        super().__init__(number, mode, closefd=False)
        self.called = called

    def write(self, data: Any) -> int:
        with name_error(self.called):
            return super().write(data)

    def readinto(self, target: Any) -> int:
        with name_error(self.called):
            return super().readinto(target)

    def readall(self) -> bytes:
        with name_error(self.called):
            return super().readall()


class Messages(io.FileIO):
    """The standard error: the work goes on if a message cannot be written."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


@contextmanager
def name_error(called: str) -> Iterator[None]:
    """Put the name of a stream into an error of the system."""
    try:
        yield
    except OSError as error:
        reason = "it is closed" if error.errno == errno.EBADF else error.strerror
        raise OSError(error.errno, reason, called) from None


def name_streams() -> None:
    """Put streams that name themselves in the place of those of Python, which has none for what is closed."""
    reading = Named(get_number(sys.stdin, os.O_WRONLY), "r", INPUT)
    writing = Named(get_number(sys.stdout, os.O_RDONLY), "w", OUTPUT)
    telling = Messages(get_number(sys.stderr, os.O_WRONLY), "w", closefd=False)
    sys.stdin = wrap(io.BufferedReader(reading), sys.stdin)
    sys.stdout = wrap(io.BufferedWriter(writing), sys.stdout)
    sys.stderr = wrap(io.BufferedWriter(telling), sys.stderr, at_once=True)


def get_number(stream: IO[str] | None, way: int) -> int:
    """The number of a stream; of a closed one a new number, at which nothing can be read or written."""
    return os.open(os.devnull, way) if stream is None else stream.fileno()


def wrap(binary: Any, stream: Any, at_once: bool = False) -> io.TextIOWrapper:
    """Text in the encoding of a stream that was there, passed on line by line if that one does."""
    if stream is None:
        return io.TextIOWrapper(binary, "utf-8", "backslashreplace")
    by_line = at_once or stream.line_buffering
    return io.TextIOWrapper(binary, stream.encoding, stream.errors, line_buffering=by_line)


def drop_output() -> None:
    """Let what is still to be written vanish, so that the end of the process does not try again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_full(error: BaseException) -> bool:
    """Whether an error of the system says that there was no room."""
    return isinstance(error, OSError) and error.errno in FULL
