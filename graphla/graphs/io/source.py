"""An open graph file: its lines, its blocks of lines, and errors that name the line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, NoReturn

import numpy as np

from graphla.common.errors import InvalidGraph, OutOfMemory
from graphla.common.memory import budget
from graphla.graphs.io.compression import BROKEN
from graphla.graphs.io.lines import count_lines, count_skipped_bytes

BLOCK = 1 << 22
"""Bytes that are looked at together: enough for NumPy, little beside the matrix."""
LONGEST = 1 << 20
"""Bytes that a line may have at most; a format with longer ones sets `longest` of its source."""
MARK = b"\xef\xbb\xbf"
"""What some programs put before text in UTF-8."""


class Source:
    """A file being read; `line` is the number of the last line handed out.

    Parameters
    ----------
    name : str
        The file, for messages.
    stream : binary file
        Its content, decompressed.
    advanced : callable
        Called after each block, for a progress bar.
    """

    longest = LONGEST

    def __init__(self, name: str, stream: BinaryIO, advanced: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self.line = 0
        self._stream = stream
        self._advanced = advanced
        self._head = b""
        self._block, self._at = b"", 0

    def read_head(self, size: int) -> bytes:
        """The first bytes, which will be read again."""
        if not self._head:
            self._head = self._read_guarded(self._stream.read, min(size, BLOCK)).removeprefix(MARK)
        return self._head[:size]

    def read_everything(self) -> bytes:
        """Read the rest of the stream."""
        parts = [self._head]
        while parts[-1]:
            parts.append(self._read_guarded(self._stream.read, BLOCK))
            self.require(2 * sum(map(len, parts)), "the file")
        return b"".join(parts)

    def peek(self) -> str | None:
        """The next line, which will be handed out again; None at the end of the file."""
        if not self._fill():
            return None
        return self._block[self._at : self._find_end()].decode("latin-1").strip()

    def peek_lines(self, count: int) -> list[str]:
        """The next lines, which will be handed out again, as far as they are read already."""
        if not self._fill():
            return []
        head = self._block[self._at : self._at + LONGEST]
        return [line.decode("latin-1").strip() for line in head.split(b"\n", count)[:count]]

    def next_line(self) -> str | None:
        """The next line without its end; None at the end of the file."""
        text = self.peek()
        if text is not None:
            self._at = self._find_end()
            self.line += 1
        return text

    def next_content(self, comments: bytes) -> str | None:
        """The next line that is neither blank nor a comment (begins with one of these characters)."""
        for _ in self.skip(comments):
            pass
        return self.next_line()

    def skip(self, comments: bytes) -> Iterator[bytes]:
        """Pass over lines that are blank or a comment, and hand out what is passed over."""
        window = 1 << 12
        while self._fill():
            end = self._block.rfind(b"\n", self._at, self._at + window) + 1
            piece = self._block[self._at : end if end > self._at else self._find_end()]
            passed = count_skipped_bytes(piece, comments)
            if passed:
                self._at += passed
                self.line += count_lines(piece[:passed])
                yield piece[:passed]
            if passed < len(piece):
                return
            window = min(8 * window, BLOCK)

    def read_blocks(self) -> Iterator[bytes]:
        """The rest in blocks of whole lines; `line` is then the number of the line before the block."""
        while self._fill():
            data = self._block[self._at :]
            yield data
            self._at = len(self._block)
            self.line += count_lines(data)

    def require(self, nbytes: int, what: str) -> None:
        """Refuse to go on with more bytes than there are, or than ``config.memory_limit`` allows."""
        if nbytes > (limit := budget(np)):
            raise OutOfMemory(
                f"{self.name}{format_line(self.line)}: {what} needs {nbytes:,} bytes, and {limit:,} may be used: "
                "read it on a machine with more memory, or raise config.memory_limit if that is set"
            )

    def keep_promise(self, line: int, promised: int, found: int, what: str) -> None:
        """Refuse a file whose header, on that line, promises another number of rows than were found."""
        if promised != found:
            self.fail(f"the header promises {promised:,} {what}, and the file has {found:,}", line)

    def require_whole(self, what: str) -> None:
        """Go on with what can be read from the whole file alone; the source of a part refuses it."""

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Raise InvalidGraph naming the file and the line (the last one handed out by default)."""
        raise InvalidGraph(f"{self.name}{format_line(self.line if line is None else line)}: {message}")

    def refuse(self, message: str) -> NoReturn:
        """Raise InvalidGraph naming the file alone."""
        raise InvalidGraph(f"{self.name}: {message}")

    def _find_end(self) -> int:
        """Where the line at hand ends."""
        return self._block.find(b"\n", self._at) + 1 or len(self._block)

    def _fill(self) -> bool:
        """Whether there is a line at hand; the next block is read if need be."""
        if self._at < len(self._block):
            return True
        data, self._head = self._head, b""
        if len(data) < BLOCK:
            data += self._read_guarded(self._stream.read, BLOCK)
        self._refuse_zero_byte(data)
        if data and not data.endswith(b"\n"):
            data += self._read_rest_of_line(data)
            self._refuse_zero_byte(data)
        self._block, self._at = data, 0
        self._advanced()
        return bool(data)

    def _refuse_zero_byte(self, data: bytes) -> None:
        if b"\0" in data:
            line = self.line + 1 + data.count(b"\n", 0, data.index(b"\0"))
            self.fail("a zero byte stands here, so this is no text (in UTF-8 or ASCII)", line)

    def _read_rest_of_line(self, data: bytes) -> bytes:
        rest = self._read_guarded(self._stream.readline, self.longest + 1)
        if len(rest) > self.longest:
            line = self.line + 1 + data.count(b"\n")
            self.fail(f"a line of more than {self.longest:,} bytes stands here; is this a graph?", line)
        return rest

    def _read_guarded(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except BROKEN as error:
            raise InvalidGraph(
                f"{self.name}: the compressed file is damaged or cut short after line {self.line:,}: {error}"
            ) from None
        except OSError as error:
            raise InvalidGraph(f"{self.name}: cannot be read: {error}") from None


def format_line(line: int) -> str:
    """A line for a message; nothing for 0, as in a file without lines."""
    return f", line {line}" if line else ""
