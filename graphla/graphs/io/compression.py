"""Files that may be compressed: opened by their first bytes, written by their suffix, whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from graphla.common import files
from graphla.common.errors import InvalidGraph

MAGIC = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\x00": lzma.open, b"BZh": bz2.open}
BROKEN = (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile)


class Rejoined(io.RawIOBase):
    """A stream that starts with bytes already read, for pipes, which cannot seek."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        data = self._head[: len(target)] or self._rest.read(len(target))
        self._head = self._head[len(data) :]
        target[: len(data)] = data
        return len(data)


class Encoded(io.RawIOBase):
    """The bytes of a stream of text, in UTF-8."""

    def __init__(self, text: io.TextIOBase) -> None:
        self._text, self._left = text, b""

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        self._left = self._left or self._text.read(len(target)).encode()
        data, self._left = self._left[: len(target)], self._left[len(target) :]
        target[: len(data)] = data
        return len(data)


def decompress(raw: BinaryIO) -> BinaryIO:
    """The bytes of an open file or pipe, decompressed if its first bytes say that it is compressed."""
    head = raw.read(6)
    if raw.seekable():
        raw.seek(-len(head), os.SEEK_CUR)
    else:
        raw = io.BufferedReader(Rejoined(head, raw))
    for magic, opener in MAGIC.items():
        if head.startswith(magic):
            return opener(raw)  # type: ignore[return-value]
    return raw


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """The raw file, with what the system says turned into a sentence."""
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise InvalidGraph(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InvalidGraph(f"{path}: this is a folder; name a file in it") from None
    except (OSError, ValueError) as error:  # a zero byte in a name is a ValueError
        raise InvalidGraph(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    with raw:
        yield raw


def open_compressor(raw: BinaryIO, suffix: str) -> Any:
    """A stream onto `raw` that compresses as the suffix says; the same input gives the same bytes."""
    if suffix == ".gz":
        return gzip.GzipFile("", "wb", 6, raw, 0)
    if suffix == ".xz":
        return lzma.LZMAFile(raw, "wb")
    if suffix == ".bz2":
        return bz2.BZ2File(raw, "wb")
    return None


@contextmanager
def replace_file(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content, compressed as the suffix says, becomes the file `path` if all goes well."""
    with files.replace_file(path) as raw:
        stream = open_compressor(raw, path.suffix.lower())
        yield stream or raw
        if stream:
            stream.close()
