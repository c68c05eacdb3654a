"""Files of lines that several processes read together: each reads the header, and its part of the lines after it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from graphla.common.arguments import show, to_path
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.graphs.io.compression import MAGIC, decompress
from graphla.graphs.io.format import Format, choose_source_format, find_format, formats
from graphla.graphs.io.lines import count_lines
from graphla.graphs.io.source import BLOCK, Source
from graphla.storage import Coo

HEAD = 1 << 16
PORTION = 1 << 13
"""Bytes of a compressed file that are read at a time."""
SPREAD = "read it on each rank and spread it, gl.read(…, engine='cpu').to('mpi')"


class PartSource(Source):
    """A file of which this process reads part `number` of `count`."""

    def __init__(self, name: str, stream: BinaryIO, number: int, count: int) -> None:
        super().__init__(name, stream)
        self.number, self.count = number, count
        self.promise: tuple[int, int, str] | None = None
        self.found = 0

    def keep_promise(self, line: int, promised: int, found: int, what: str) -> None:
        self.promise, self.found = (line, promised, what), found  # asked when all parts are read

    def require_whole(self, what: str) -> None:
        raise NotSupported(f"{self.name}: {what} is not read in parts: {SPREAD}")


class Portions(io.RawIOBase):
    """A file that is read a little at a time, so that its position tells how much has been decompressed."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def readinto(self, target: Any) -> int:
        data = self._raw.read(min(len(target), PORTION))
        target[: len(data)] = data
        return len(data)


class CompressedPart(PartSource):
    """The blocks of lines whose last byte is in the part of the bytes of a compressed file.

    Each process decompresses the file up to the end of its part. One that decompresses for all, and sends, would save
    no more than the time that decompressing one part takes: a process parses its part meanwhile. On one core lines were
    parsed at 56 MB/s, and decompressed at 160 MB/s from gzip, 22 from xz and 9 from bzip2.
    """

    def __init__(self, name: str, raw: BinaryIO, number: int, count: int) -> None:
        super().__init__(name, decompress(Portions(raw)), number, count)  # type: ignore[arg-type]
        self.raw = raw
        self.size = raw.seek(0, 2)
        raw.seek(0)

    def read_blocks(self) -> Iterator[bytes]:
        for data in super().read_blocks():
            part = max(0, self.raw.tell() - 1) * self.count // self.size
            if part > self.number:
                return
            if part == self.number:
                yield data


class PlainPart(PartSource):
    """The lines that begin in the part of the bytes after the header."""

    header, start, first = 0, 0, 0

    def read_blocks(self) -> Iterator[bytes]:
        self.header, self.start = self.line, self._stream.tell() - (len(self._block) - self._at) - len(self._head)
        end = self._stream.seek(0, 2)
        cuts = [self.start + (end - self.start) * part // self.count for part in (self.number, self.number + 1)]
        self.first, last = (self._find_line(cut) for cut in cuts)
        self._stream.seek(self.first)
        left = last - self.first
        while left > 0:
            data = self._read_guarded(self._stream.read, min(BLOCK, left))
            if not data:
                return
            data += b"" if data.endswith(b"\n") else self._read_rest_of_line(data)
            self._refuse_zero_byte(data)
            left -= len(data)
            yield data
            self.line += count_lines(data)

    def _find_line(self, cut: int) -> int:
        """Where the first line begins at or after a byte."""
        if cut <= self.start:
            return self.start
        self._stream.seek(cut - 1)
        self._read_guarded(self._stream.readline, -1)
        return self._stream.tell()

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        told = self.line if line is None else line
        super().fail(message, told + (self._count_lines_before() if told > self.header and self.first else 0))

    def _count_lines_before(self) -> int:
        """Count the lines between the header and the part, which nobody else tells this process."""
        self._stream.seek(self.start)
        left, lines = self.first - self.start, 0
        while left > 0 and (data := self._stream.read(min(BLOCK, left))):
            lines, left = lines + data.count(b"\n"), left - len(data)
        return lines


@dataclass(frozen=True, eq=False)
class Part:
    """What one of several processes has read of a file.

    Parameters
    ----------
    name : str
        The file.
    rows, cols : array
        int64 of shape (k,), from 0 on.
    values : array or None
        Shape (k,).
    shape : tuple of int or None
        The shape of the whole; None if the largest vertex decides.
    least : int
        Vertices that there are at least.
    promise : tuple (line, number, what) or None
        How many rows the header promises.
    found : int
        How many of them stand in this part.
    may_begin_with_sizes : bool
        Whether the first row of the file may count vertices and edges.
    """

    name: str
    rows: Any
    cols: Any
    values: Any
    shape: tuple[int, int] | None
    least: int
    promise: tuple[int, int, str] | None
    found: int
    may_begin_with_sizes: bool = False

    def check_promise(self, found: int) -> None:
        """Refuse a file whose header promises another number of rows than all parts have."""
        if self.promise is not None:
            line, promised, what = self.promise
            Source(self.name, io.BytesIO()).keep_promise(line, promised, found, what)


def read_part(file: Any, format: str | None, number: int, count: int) -> Part:
    """Read part `number` of a file that `count` processes read together."""
    if hasattr(file, "read") or isinstance(file, type):
        raise NotSupported(f"file={show(file)}: several ranks read parts of a file by its name: give a path")
    path = to_path(file, "file", InvalidGraph)
    wanted = find_format(format) if format is not None else None
    try:
        with path.open("rb") as stream:
            kind = CompressedPart if is_compressed(stream) else PlainPart
            return read_lines(kind(str(path), stream, number, count), path, wanted)
    except OSError as error:
        raise InvalidGraph(f"{path}: {error.strerror or error}") from None


def is_compressed(stream: BinaryIO) -> bool:
    """Whether the first bytes of a file say that it is compressed."""
    head = stream.read(6)
    stream.seek(0)
    return any(head.startswith(magic) for magic in MAGIC)


def read_lines(source: PartSource, path: Path, wanted: Format | None) -> Part:
    """Read the part by its format."""
    head = source.read_head(HEAD)
    if not head.strip() and len(head) < HEAD:
        raise InvalidGraph(f"{path}: the file is empty")
    format = wanted or choose_source_format(path, head)
    if format.read_part is None:
        able = ", ".join(sorted(name for name, known in formats().items() if known.read_part))
        raise NotSupported(
            f"{path}: {format.title} is not read in parts, which {able} are: graphla convert makes one of "
            f"these, or {SPREAD}"
        )
    found: Any = format.read_part(source)
    if isinstance(found, Coo):
        rows, cols = (each.astype("int64") for each in (found.rows, found.cols))
        return Part(source.name, rows, cols, found.values, (found.nrows, found.ncols), 0, source.promise, source.found)
    (u, v, *w), size = found
    return Part(source.name, u, v, w[0] if w else None, None, size[0] if size else 0, None, 0, not size and not w)
