"""A progress bar over the bytes of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import SEEK_END
from pathlib import Path
from typing import BinaryIO

from graphla.common.extras import require


@contextmanager
def show_progress(raw: BinaryIO, name: str, wanted: bool) -> Iterator[Callable[[], None]]:
    """A function to call after each piece; it moves a bar on standard error, if one is `wanted`.

    A pipe does not report its position, so it has no bar.
    """
    if not wanted or not raw.seekable():
        yield lambda: None
        return
    require("rich", "cli", "progress=True")
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("reading {task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(Path(name).name, total=find_length(raw))
        yield lambda: bar.update(task, completed=raw.tell())


def find_length(raw: BinaryIO) -> int:
    """Bytes of an open file."""
    here = raw.tell()
    end = raw.seek(0, SEEK_END)
    raw.seek(here)
    return end
