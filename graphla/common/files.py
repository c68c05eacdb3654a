"""Files are written under a name of their own and then moved into place: whole, or not at all.

Nobody ever sees a part of a file under its name, what stood there before stays until the new one is whole, and two
processes that write the same file do not mix.
"""

from __future__ import annotations

import importlib
import io
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from graphla.common.errors import CannotWrite

fcntl: Any = importlib.import_module("fcntl") if sys.platform != "win32" else None
PRIVATE_NAME = 100
"""Characters of the name of a file that its temporary name repeats: a file system may allow 255 bytes."""


@contextmanager
def replace_file(path: Path, *, mode: int | None = None, durable: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file `path` when the ``with`` block ends well; else nothing is touched.

    A link is followed. What is no file, such as a pipe or ``/dev/stdout``, is written to directly.

    Parameters
    ----------
    path : Path
        The file.
    mode : int, optional
        Its permissions; by default those of the file that it replaces, or as the umask says.
    durable : bool
        Whether its bytes, and its name, are on the disk when the block ends.

    Raises
    ------
    CannotWrite
        If the file cannot be written; the message names it and says why.
    """
    with name_failures(path):
        target = follow(path)
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                yield stream
            return
        with open_beside(target) as (part, stream):
            set_mode(stream, target, mode)
            yield cast("BinaryIO", Writer(stream))
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
            stream.close()
            part.replace(target)
        if durable:
            sync(target.parent)


@contextmanager
def open_beside(path: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """Open a new file in the folder of `path`, of a name that nobody else has; it is gone at the end unless moved."""
    part = path.with_name(f".{path.name[:PRIVATE_NAME]}.{os.getpid()}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as stream:
            yield part, stream
    finally:
        part.unlink(missing_ok=True)


def set_mode(stream: BinaryIO, target: Path, mode: int | None) -> None:
    """Give an open file its permissions: those asked for, else those of the file that it is to replace."""
    if mode is None and target.exists():
        mode = target.stat().st_mode & 0o777
    if mode is not None and hasattr(os, "fchmod"):
        os.fchmod(stream.fileno(), mode)


@contextmanager
def name_failures(path: Path) -> Iterator[None]:
    """Turn what the system says of a file into an error that names it; a closed pipe stays what it is."""
    try:
        yield
    except (BrokenPipeError, CannotWrite):
        raise
    except OSError as error:
        raise CannotWrite(path, error) from None


def follow(path: Path) -> Path:
    """The file that a path leads to, through links."""
    try:
        return path.resolve()
    except (RuntimeError, ValueError) as error:  # links in a circle; a zero byte in the name
        raise CannotWrite(path, error) from None


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


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk; Windows opens no folder, and keeps names by itself."""
    if sys.platform == "win32" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def lock_file(path: Path) -> BinaryIO | None:
    """Open a file, made if it is missing, for this process alone until the stream is closed; None if another has it.

    A file system that knows no locks gives them to everybody, and so does Windows.
    """
    while True:
        stream = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        if fcntl is None:
            return cast("BinaryIO", stream)
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.close()
            return None
        except OSError:
            return cast("BinaryIO", stream)
        if path.exists() and os.path.samestat(os.fstat(stream.fileno()), path.stat()):
            return cast("BinaryIO", stream)
        stream.close()  # another process has moved or deleted it between the two calls


def reserve(stream: BinaryIO, nbytes: int) -> None:
    """Take so many bytes of the disk for an open file at once; a memory map would find out while it is in use.

    Where the system cannot (macOS, Windows), the file gets its length and no promise.
    """
    if not hasattr(os, "posix_fallocate"):
        stream.truncate(max(1, nbytes))
        return
    os.posix_fallocate(stream.fileno(), 0, max(1, nbytes))
