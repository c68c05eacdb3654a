"""Output files of commands: checked to be writable before the work, and written completely or not at all."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import click
import numpy as np

from graphla.common.errors import InvalidGraph

KINDS = (".npz", ".npy", ".csv", ".txt")


def is_stdout(path: Path | None) -> bool:
    """Whether an output is the standard output."""
    return str(path) == "-"


def to_stream(path: Path) -> Path | BinaryIO:
    """Return the standard output for ``-``, and any other path unchanged."""
    return sys.stdout.buffer if is_stdout(path) else path


class Target(click.ParamType):
    """A path with one of the given suffixes that can be written."""

    name = "path"

    def __init__(self, *suffixes: str, stdout: bool = False) -> None:
        self.suffixes, self.stdout = suffixes, stdout

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        path = Path(value)
        if self.stdout and str(value) == "-":
            return path
        if self.suffixes and path.suffix.lower() not in self.suffixes:
            self.fail(f"{value}: the suffix must be one of {', '.join(self.suffixes)}", param, ctx)
        problem = find_write_problem(path)
        if problem:
            self.fail(f"{value} cannot be written: {problem}", param, ctx)
        return path


def find_write_problem(path: Path) -> str | None:
    """Return why `path` cannot be written, or None. Tries to create a file beside it."""
    if path.is_dir():
        return "it is a folder"
    if path.exists() and not os.access(path, os.W_OK):
        return "it exists and must not be overwritten"
    try:
        with open_beside(path):
            return None
    except OSError as error:
        return error.strerror


@contextmanager
def open_beside(path: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """Open a temporary file beside `path`; delete it at the end unless it was renamed."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            yield part, stream
    finally:
        part.unlink(missing_ok=True)


def write(path: Path, put: Callable[[BinaryIO], object]) -> None:
    """Let `put` write a temporary file, then rename it to `path`."""
    try:
        with open_beside(path) as (part, stream):
            put(cast("BinaryIO", Writer(stream)))
            stream.close()
            part.replace(path)
    except OSError as error:
        raise InvalidGraph(f"{path} cannot be written: {error.strerror or error}") from None


class Writer(io.RawIOBase):
    """A stream that NumPy does not take for a file: past it, NumPy would not say why the disk refuses."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self._stream.write(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def flush(self) -> None:
        if not self._stream.closed:
            self._stream.flush()


def write_columns(path: Path, columns: dict[str, Any], absent: Any) -> None:
    """Write arrays of one shape: as arrays (.npz, .npy), or one line per entry that is not `absent` (.csv, .txt, -)."""
    kind = path.suffix.lower()
    if is_stdout(path):
        write_lines(sys.stdout.buffer, columns, absent, ",")
        sys.stdout.flush()
    elif kind == ".npz":
        write(path, lambda stream: np.savez(stream, **columns))
    elif kind == ".npy":
        write(path, lambda stream: np.save(stream, next(iter(columns.values()))))
    else:
        write(path, lambda stream: write_lines(stream, columns, absent, "," if kind == ".csv" else " "))


def write_lines(stream: BinaryIO, columns: dict[str, Any], absent: Any, between: str) -> None:
    """Write a header line, then one line of indices and values per entry."""
    first = next(iter(columns.values()))
    indices = np.nonzero(first != absent)
    heads = ["vertex"] if len(indices) == 1 else ["from", "to"]
    table = [*indices, *(column[indices] for column in columns.values())]
    singular = [name.removesuffix("s") for name in columns]
    write_rows(stream, dict(zip([*heads, *singular], table, strict=True)), between)


def write_rows(stream: BinaryIO, columns: dict[str, Any], between: str) -> None:
    """Write a header line with the names of columns, then one line for each of their rows."""
    stream.write((("" if between == "," else "# ") + between.join(columns) + "\n").encode())
    for row in zip(*(part.tolist() for part in columns.values()), strict=True):
        stream.write((between.join(map(str, row)) + "\n").encode())


def write_entries(path: Path, columns: dict[str, Any]) -> None:
    """Write arrays of one length: as arrays (.npz), or one line per index (.csv, .txt, -)."""
    kind = path.suffix.lower()
    if is_stdout(path):
        write_rows(sys.stdout.buffer, columns, ",")
        sys.stdout.flush()
    elif kind == ".npz":
        write(path, lambda stream: np.savez(stream, **columns))
    else:
        write(path, lambda stream: write_rows(stream, columns, "," if kind == ".csv" else " "))
