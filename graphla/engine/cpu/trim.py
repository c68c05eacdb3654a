"""A folder of compiled code stays below a limit: the files that were used least recently are deleted.

A use sets the file's time of modification, for that of access is not kept on most machines. Nothing is locked and
nothing is counted between writes: any process may delete at any time, and a file that another one deleted meanwhile is
as good as gone. What was used within the last hour stays, so that a build finds what it has just made.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from graphla.common.environment import read_size

DEFAULT_LIMIT = "2G"
SELDOM = 256
"""One write of so many, by chance, looks at the size: 20,000 files take 0.4 s."""
REST = 0.8
"""The part of the limit that is left, so that a full folder is not trimmed again at once."""
RECENT = 3600
"""Seconds after its last use in which a file is not deleted."""


def read_limit() -> int:
    """Return the bytes that a folder may take, from GRAPHLA_CACHE_LIMIT (``500M``, ``2G``); 0 for no limit."""
    return read_size("GRAPHLA_CACHE_LIMIT", DEFAULT_LIMIT)


def touch(path: Path) -> None:
    """Note that a file is used, unless the cache is read-only or another process has deleted the file."""
    with contextlib.suppress(OSError):
        os.utime(path)


def trim_seldom(folder: Path, *patterns: str) -> None:
    """Trim those files of a folder that patterns name to the limit, at one call of many; call it after each write."""
    limit = read_limit()
    if limit and secrets.randbelow(SELDOM) == 0:
        trim(list_files(folder, patterns), limit)


def find_paths(folder: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    """The paths that match, some perhaps twice; fewer while another process takes folders away."""
    for pattern in patterns:
        with contextlib.suppress(FileNotFoundError):
            yield from folder.glob(pattern)


def list_files(folder: Path, patterns: tuple[str, ...]) -> list[tuple[float, int, Path]]:
    """List files of a folder: their last use, the bytes that they take on disk, and their paths."""
    found: list[tuple[float, int, Path]] = []
    for path in set(find_paths(folder, patterns)):
        with contextlib.suppress(FileNotFoundError):
            status = path.lstat()
            found.append((status.st_mtime, status.st_blocks * 512, path))
    return found


def trim(files: list[tuple[float, int, Path]], limit: int, rest: float = REST, recent: float = RECENT) -> int:
    """If files take more than the limit, delete those used least recently until a part `rest` of it is left.

    Those used within the last `recent` seconds stay. Returns how many were deleted.
    """
    total, since = sum(size for _, size, _ in files), time.time() - recent
    left, count = total if total <= limit else int(limit * rest), 0
    for used, size, path in sorted(files):
        if total <= left or used > since:
            break
        with contextlib.suppress(OSError):
            path.unlink()
            total, count = total - size, count + 1
    return count
