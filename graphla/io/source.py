"""An open graph file: its lines, its blocks of lines, and errors that name the line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NoReturn

from graphla.errors import InvalidGraph
from graphla.io.compression import BROKEN

BLOCK = 1 << 24


class Source:
    """A file being read; `line` is the number of the last line handed out.

    Parameters
    ----------
    path : Path
        For messages.
    stream : binary file
        Its content, decompressed.
    advanced : callable
        Called after each block, for a progress bar.
    """

    def __init__(self, path: Path, stream: BinaryIO, advanced: Callable[[], None] = lambda: None) -> None:
        self.path = path
        self.line = 0
        self._stream = stream
        self._advanced = advanced
        self._head = b""

    def head(self, size: int = 1 << 16) -> bytes:
        """The first bytes, which will be read again."""
        self._head = self._guarded(self._stream.read, size)
        return self._head

    def everything(self) -> bytes:
        """All that is left."""
        return self._take_head() + self._guarded(self._stream.read, -1)

    def peek(self) -> str | None:
        """The next line, which will be handed out again; None at the end of the file."""
        if b"\n" not in self._head:
            self._head = self._take_head() + self._guarded(self._stream.readline, -1)
        return self._head.split(b"\n", 1)[0].decode("latin-1").strip() if self._head else None

    def next_line(self) -> str | None:
        """The next line without its end; None at the end of the file."""
        cut = self._head.find(b"\n") + 1
        if cut:
            text, self._head = self._head[:cut], self._head[cut:]
        else:
            text = self._take_head() + self._guarded(self._stream.readline, -1)
        if not text:
            return None
        self.line += 1
        return text.decode("latin-1").strip()

    def next_content(self, comments: str) -> str | None:
        """The next line that is neither blank nor a comment (begins with one of these characters)."""
        while (text := self.next_line()) is not None:
            if text and text[0] not in comments:
                return text
        return None

    def blocks(self) -> Iterator[str]:
        """The rest in blocks of whole lines; `line` is then the number of the line before the block."""
        while data := self._take_head() + self._guarded(self._stream.read, BLOCK):
            data += self._guarded(self._stream.readline, -1)
            yield data.decode("latin-1")
            self.line += data.count(b"\n")
            self._advanced()

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Raise InvalidGraph naming the file and the line (the last one handed out by default)."""
        raise InvalidGraph(f"{self.path}, line {self.line if line is None else line}: {message}")

    def refuse(self, message: str) -> NoReturn:
        """Raise InvalidGraph naming the file alone."""
        raise InvalidGraph(f"{self.path}: {message}")

    def _take_head(self) -> bytes:
        head, self._head = self._head, b""
        return head

    def _guarded(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except BROKEN as error:
            raise InvalidGraph(
                f"{self.path}: the compressed file is damaged or cut short after line {self.line:,}: {error}"
            ) from None
        except OSError as error:
            raise InvalidGraph(f"{self.path}: cannot be read: {error}") from None
