"""Files that may be compressed: opened by their first bytes, written by their suffix, whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from graphla.errors import InvalidGraph

MAGIC = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\x00": lzma.open, b"BZh": bz2.open}
BROKEN = (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile)


def decompressed(raw: BinaryIO) -> BinaryIO:
    """The bytes of an open file, decompressed if its first bytes say that it is compressed."""
    head = raw.read(6)
    raw.seek(0)
    for magic, opener in MAGIC.items():
        if head.startswith(magic):
            return opener(raw)  # type: ignore[return-value]
    return raw


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The raw file, with what the system says turned into a sentence."""
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise InvalidGraph(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InvalidGraph(f"{path}: this is a folder; name a file in it") from None
    except OSError as error:
        raise InvalidGraph(f"{path}: cannot be read: {error.strerror}") from None
    with raw:
        yield raw


def compressor(raw: BinaryIO, suffix: str) -> Any:
    """A stream onto `raw` that compresses as the suffix says; the same input gives the same bytes."""
    if suffix == ".gz":
        return gzip.GzipFile("", "wb", 6, raw, 0)
    if suffix == ".xz":
        return lzma.LZMAFile(raw, "wb")
    if suffix == ".bz2":
        return bz2.BZ2File(raw, "wb")
    return None


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file `path` if all goes well; else nothing is touched.

    What is no file, such as a pipe or ``/dev/stdout``, is written to directly.
    """
    special = path.exists() and not path.is_file()
    part = path if special else path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as raw:
            stream = compressor(raw, path.suffix.lower())
            yield stream or raw
            if stream:
                stream.close()
        if not special:
            part.replace(path)
    except OSError as error:
        raise InvalidGraph(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        if not special:
            part.unlink(missing_ok=True)
