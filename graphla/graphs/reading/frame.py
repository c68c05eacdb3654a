"""An Arrow IPC file in which a block of checksums stands before the footer, where readers of Arrow pass over it.

::

    ARROW1 · schema · record batch · end of stream · sums · footer · its length · ARROW1

The footer says where the record batch is, so that what stands between is nobody's but ours. The sums are CRC-32 of the
pieces of all that precedes them, of what follows them, and of themselves: no byte of the file is without one.
"""

from __future__ import annotations

import io
import os
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

import numpy as np

from graphla.common.errors import InvalidGraph, NotSupported

ARROW = b"ARROW1"
MARK = b"graphla."
VERSION = 1
PIECE = 1 << 24
"""Bytes that have a sum."""
HEAD = struct.Struct("<8sIIQII")
"""Mark, version, bytes of a piece, bytes that precede the sums, sum of what follows them, how many sums there are."""
TAIL = struct.Struct("<II8s")
"""Sum of the block itself, its bytes, and the mark."""
FOOTER = 10
"""Bytes after the footer: its length in four, and the mark of Arrow."""


class Summed(io.RawIOBase):
    """A stream that sums up what goes through it, and can hold back what is written last.

    Parameters
    ----------
    stream : binary stream
        Where the bytes go.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.size = stream, 0
        self.sums: list[int] = []
        self.held: list[bytes] | None = None

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.size + sum(map(len, self.held or []))

    def write(self, data: Any) -> int:
        """Pass bytes on, or keep them if they are to be held back."""
        view = memoryview(data).cast("B")
        if self.held is not None:
            self.held.append(bytes(view))
            return len(view)
        place = 0
        while place < len(view):
            room = PIECE - self.size % PIECE
            part = view[place : place + room]
            before = self.sums.pop() if self.size % PIECE else 0
            self.sums.append(zlib.crc32(part, before))
            self.size += len(part)
            place += len(part)
        self.stream.write(view)
        return len(view)

    def finish(self) -> None:
        """Write what was held back, with the sums before the footer."""
        last, self.held = b"".join(self.held or []), None
        length = int.from_bytes(last[-FOOTER:-6], "little")
        footer = last[len(last) - length - FOOTER :]
        self.write(last[: len(last) - len(footer)])
        sums = np.array(self.sums, "<u4").tobytes()
        block = HEAD.pack(MARK, VERSION, PIECE, self.size, zlib.crc32(footer), len(self.sums)) + sums
        size = len(block) + TAIL.size
        self.stream.write(block + TAIL.pack(zlib.crc32(block), size, MARK) + footer)


def check(name: str, content: Any) -> None:
    """Refuse a file that is none of ours, or not as it was written.

    Parameters
    ----------
    name : str
        The file, for messages.
    content : array of uint8
        All its bytes.

    Raises
    ------
    InvalidGraph
        If it is another file, or cut, or damaged.
    NotSupported
        If a later version wrote it.
    """
    view = memoryview(content)
    head, block, footer = split(name, view)
    mark, version, piece, size, after, count = HEAD.unpack_from(block)
    if version > VERSION:
        raise NotSupported(f"{name}: it is of version {version}, and this graphla reads {VERSION}: use a later one")
    pieces = -(-len(head) // piece) if piece else -1
    if (mark, size, count) != (MARK, len(head), pieces) or len(block) != HEAD.size + 4 * count + TAIL.size:
        raise refuse(name, "its sums are of another file")
    if zlib.crc32(footer) != after:
        raise refuse(name, "its last bytes are not those that were written")
    sums = np.frombuffer(block, "<u4", count, HEAD.size)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda k: zlib.crc32(head[k * piece : (k + 1) * piece]), range(count)))
    wrong = np.flatnonzero(sums != np.array(found, np.uint32))
    if wrong.size:
        first, last = int(wrong[0]) * piece, min((int(wrong[0]) + 1) * piece, len(head))
        raise refuse(name, f"a byte from {first:,} to {last:,} is not the one that was written")


def split(name: str, view: memoryview) -> tuple[memoryview, memoryview, memoryview]:
    """What precedes the block of sums, the block itself, whose own sum is right, and what follows it."""
    whole = len(view)
    if view[: len(ARROW)] != ARROW:
        raise InvalidGraph(f"{name}: it is no file of gl.save, which is one of Arrow; gl.read reads others")
    if whole < FOOTER or view[whole - len(ARROW) :] != ARROW:
        raise refuse(name, "it is cut short")
    end = whole - FOOTER - int.from_bytes(view[whole - FOOTER : whole - 6], "little")
    if end < TAIL.size or view[end - len(MARK) : end] != MARK:
        raise refuse(name, "it has no sums where gl.save writes them; pyarrow.feather reads other files of Arrow")
    own, size, _ = TAIL.unpack_from(view, end - TAIL.size)
    start = end - size
    if start < 0 or size < HEAD.size + TAIL.size or zlib.crc32(view[start : end - TAIL.size]) != own:
        raise refuse(name, "its sums are damaged")
    return view[:start], view[start:end], view[end:]


def refuse(name: str, why: str) -> InvalidGraph:
    """The error of a file that is not as it was written."""
    return InvalidGraph(f"{name}: the file is damaged: {why}")
