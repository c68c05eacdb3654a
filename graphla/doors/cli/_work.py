"""Long work on the command line: a progress bar, and Ctrl-C at any time."""

from __future__ import annotations

import contextlib
import contextvars
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from graphla.common.environment import read_switch

CHECKS = 0.05
"""Seconds between two checks whether the work is done or Ctrl-C was pressed."""


Tell = Callable[[str, int, int], None]


def run_interruptibly(title: str, work: Callable[[], Any]) -> Any:
    """Run `work` in a thread, so that Ctrl-C works while a compiled kernel runs; return its result."""
    return run_with_progress(title, lambda tell: work())


def run_with_progress(title: str, work: Callable[[Tell], Any]) -> Any:
    """Run `work` as `run_interruptibly` does; it may call ``tell(what, done, of)`` to report its progress."""
    box: dict[str, Any] = {}

    def run_in_thread(tell: Tell) -> None:
        try:
            box["result"] = work(tell)
        except BaseException as error:
            box["error"] = error

    with show_progress(title) as tell:
        settings = contextvars.copy_context()  # the thread sees the settings and the trace of its caller
        worker = threading.Thread(target=settings.run, args=(run_in_thread, tell), daemon=True)
        worker.start()
        while worker.is_alive():
            worker.join(CHECKS)
    if "error" in box:
        raise box["error"]
    return box["result"]


@contextlib.contextmanager
def show_progress(title: str) -> Iterator[Tell]:
    """Show a progress bar on standard error if that is a terminal; yield the function that moves it."""
    if not sys.stderr.isatty() or read_switch("GRAPHLA_QUIET", False):
        yield lambda what, done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(20), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda what, done, of: bar.update(
            task, description=f"{title}: {what}", completed=done, total=of if of > 1 else None
        )
