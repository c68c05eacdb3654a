"""A progress bar over the bytes of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def tracked(raw: BinaryIO, path: Path, wanted: bool) -> Iterator[Callable[[], None]]:
    """A function to call after each piece; it moves a bar on standard error, if one is `wanted`."""
    if not wanted:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("reading {task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(path.name, total=path.stat().st_size)
        yield lambda: bar.update(task, completed=raw.tell())
