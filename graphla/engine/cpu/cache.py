"""Machine code of kernels on disk: one file per function and signature, checked before it is run.

To load such a file is to run it. The folder is therefore treated as ssh treats its keys: created for its owner alone
(0700), and refused if it, or a file in it, belongs to another user than root or can be written to by others. Each file
begins with a digest of the rest, so that a damaged one is noticed and compiled anew. Where nothing can be read or
written, every process compiles for itself: that costs a warning and time, never the run.
"""

from __future__ import annotations

import hashlib
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import platformdirs

from graphla.errors import CacheWarning

MAGIC = b"graphla kernel 1\n"
DIGEST = hashlib.sha256().digest_size
WAY_OUT = "GRAPHLA_CACHE names another folder"


class Store:
    """Named byte strings in a folder, each with a digest of its own.

    Parameters
    ----------
    folder : Path
        Where the files are; created when the first one is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._warned: set[str] = set()

    def read(self, name: str) -> bytes | None:
        """The bytes of that name; None if there are none, or none that are whole and to be trusted."""
        if self.refused():
            return None
        with self._going_on("read"):
            try:
                return self._checked(self.folder / name)
            except FileNotFoundError:
                return None
        return None

    def write(self, name: str, content: bytes) -> None:
        """Replace the bytes of that name at once: another process sees the old file or the new one, never a part."""
        if self.refused():
            return
        with self._going_on("written"):
            self.create()
            replace_file(self.folder / name, MAGIC + hashlib.sha256(content).digest() + content)

    def create(self) -> None:
        """Make the folder, and the one above it, for their owner alone."""
        for folder in (self.folder.parent, self.folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def refused(self) -> bool:
        """Whether the folder is not to be trusted, which is said once."""
        try:
            reason = distrust(self.folder.stat())
        except OSError:  # not there yet, or out of reach: reading and writing say so
            return False
        if reason:
            self.warn(
                "refused",
                f"compiled code in {self.folder} is not used, for {reason}. Every process compiles for itself until "
                f"the folder is yours alone (chmod 700, once you trust what is in it), or {WAY_OUT}",
            )
        return bool(reason)

    @property
    def keeps(self) -> bool:
        """Whether what is compiled is kept for other processes, as far as is known."""
        return not self.refused() and "written" not in self._warned

    def damaged(self, name: str) -> None:
        """Say once that an entry is of no use; writing it anew mends it."""
        self.warn("damaged", f"{self.folder / name} is damaged; what is damaged in this folder is compiled anew")

    def warn(self, kind: str, text: str) -> None:
        """Say a thing of one kind, once in this process."""
        if kind not in self._warned:
            self._warned.add(kind)
            warnings.warn(text, CacheWarning, stacklevel=2)

    def _checked(self, path: Path) -> bytes | None:
        with path.open("rb") as file:
            reason = distrust(os.fstat(file.fileno()))
            if reason:
                self.warn("file", f"{path} is not used, for {reason}: delete it, or {WAY_OUT}")
                return None
            held = file.read()
        start = len(MAGIC) + DIGEST
        if not held.startswith(MAGIC) or hashlib.sha256(held[start:]).digest() != held[len(MAGIC) : start]:
            self.damaged(path.name)
            return None
        return held[start:]

    @contextmanager
    def _going_on(self, what: str) -> Iterator[None]:
        """Turn what the system refuses into a warning."""
        try:
            yield
        except OSError as error:
            self.warn(
                what,
                f"compiled code in {self.folder} cannot be {what}: {error.strerror or error}. "
                f"Every process compiles for itself until it can be, or {WAY_OUT}",
            )


def distrust(status: os.stat_result) -> str | None:
    """Why somebody else may have put code into a file or a folder, or None."""
    if status.st_uid not in (os.geteuid(), 0):
        return f"it belongs to the user with number {status.st_uid}, and you are {os.geteuid()}"
    if status.st_mode & 0o022:
        return f"others may write to it (mode {status.st_mode & 0o777:o})"
    return None


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside `path` and rename it; nothing stays if that fails."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, 0o644)  # whatever the umask: nobody else writes here
            file.write(content)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@cache
def store() -> Store:
    """The one store of this process: in the folder GRAPHLA_CACHE, or in the user's cache."""
    root = os.environ.get("GRAPHLA_CACHE") or platformdirs.user_cache_dir("graphla")
    return Store(Path(root).expanduser().absolute() / "cpu")
