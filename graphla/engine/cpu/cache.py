"""The cache of machine code on disk: one file per function and signature, checked before use.

Loading such a file runs its code. The folder is therefore treated as ssh treats its keys: it is created with access for
its owner only (0700), and refused if it, or a file in it, belongs to a user other than its owner or root, or can be
written by others. Each file starts with a digest of its content; a damaged file is compiled again. If the cache cannot
be read or written, every process compiles for itself, with a warning; the run continues. The folder stays below
the size that GRAPHLA_CACHE_LIMIT names.
"""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from graphla.common.environment import read_folder
from graphla.common.errors import CacheWarning
from graphla.common.files import replace_file
from graphla.engine.cpu.trim import touch, trim_seldom

MAGIC = b"graphla kernel 1\n"
DIGEST = hashlib.sha256().digest_size
WAY_OUT = "GRAPHLA_CACHE names another folder"


class Store:
    """Named byte strings in a folder, each with a digest.

    Parameters
    ----------
    folder : Path
        The folder of the files; created when the first one is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._warned: set[str] = set()

    def read(self, name: str) -> bytes | None:
        """Return the bytes stored under `name`; None if there are none, or if they are damaged or not trusted."""
        if self.is_refused():
            return None
        with self._warn_on_failure("read"):
            try:
                return self._read_checked(self.folder / name)
            except FileNotFoundError:
                return None
        return None

    def write(self, name: str, content: bytes) -> None:
        """Replace the bytes stored under `name` atomically, so that other processes never see a partial file."""
        if self.is_refused():
            return
        with self._warn_on_failure("written"):
            self.create()
            with replace_file(self.folder / name, mode=0o644) as file:  # whatever the umask: only the owner may write
                file.write(MAGIC + hashlib.sha256(content).digest() + content)
        trim_seldom(self.folder, "*")

    def create(self) -> None:
        """Create the folder and its parent with access for their owner only."""
        for folder in (self.folder.parent, self.folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def is_refused(self) -> bool:
        """Whether the folder is not trusted; warns once."""
        try:
            reason = distrust(self.folder.stat())
        except OSError:  # missing or inaccessible: reading and writing report it
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
        """Whether compiled code is cached for other processes, as far as is known."""
        return not self.is_refused() and "written" not in self._warned

    def report_damage(self, name: str) -> None:
        """Warn once that a file is damaged; it is replaced when it is written again."""
        self.warn("damaged", f"{self.folder / name} is damaged; damaged files in this folder are compiled again")

    def warn(self, kind: str, text: str) -> None:
        """Issue one warning of each kind per process."""
        if kind not in self._warned:
            self._warned.add(kind)
            warnings.warn(text, CacheWarning, stacklevel=2)

    def _read_checked(self, path: Path) -> bytes | None:
        with path.open("rb") as file:
            reason = distrust(os.fstat(file.fileno()))
            if reason:
                self.warn("file", f"{path} is not used, for {reason}: delete it, or {WAY_OUT}")
                return None
            held = file.read()
        if not is_whole(held):
            self.report_damage(path.name)
            return None
        touch(path)
        return held[len(MAGIC) + DIGEST :]

    @contextmanager
    def _warn_on_failure(self, what: str) -> Iterator[None]:
        """Turn an OSError into a warning."""
        try:
            yield
        except OSError as error:
            self.warn(
                what,
                f"compiled code in {self.folder} cannot be {what}: {error.strerror or error}. "
                f"Every process compiles for itself until it can be, or {WAY_OUT}",
            )


def is_whole(held: bytes) -> bool:
    """Whether the bytes of a file are those that were written."""
    start = len(MAGIC) + DIGEST
    return held.startswith(MAGIC) and hashlib.sha256(held[start:]).digest() == held[len(MAGIC) : start]


def is_sound(path: Path) -> bool:
    """Whether a file may be used: nobody else may write to it, and it is whole. One that has gone is sound."""
    try:
        return distrust(path.stat()) is None and is_whole(path.read_bytes())
    except FileNotFoundError:
        return True
    except OSError:
        return False


def distrust(status: os.stat_result) -> str | None:
    """Return why another user may have written to a file or folder, or None.

    Windows has no such modes: there the lists of access of the user's profile decide.
    """
    if sys.platform == "win32":
        return None
    if status.st_uid not in (os.geteuid(), 0):
        return f"it belongs to the user with number {status.st_uid}, and you are {os.geteuid()}"
    if status.st_mode & 0o022:
        return f"others may write to it (mode {status.st_mode & 0o777:o})"
    return None


@cache
def get_store() -> Store:
    """Return the store of this process, in the folder GRAPHLA_CACHE or in the user's cache folder."""
    return Store(read_folder("GRAPHLA_CACHE", find_user_cache()) / "cpu")


def find_user_cache() -> Path:
    """Return the folder for what graphla keeps for the user, where the system has such folders."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(local) / "graphla" / "graphla" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "graphla"
    return Path(os.environ.get("XDG_CACHE_HOME", "").strip() or Path.home() / ".cache") / "graphla"
