"""Long work on the command line: a moving sign of life, and Ctrl-C at any time."""

from __future__ import annotations

import contextlib
import contextvars
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

CHECKS = 0.05
"""Seconds between two looks at whether the work is done or Ctrl-C was pressed."""


Tell = Callable[[str, int, int], None]


def attended(title: str, work: Callable[[], Any]) -> Any:
    """The result of `work`, done in a thread, so that Ctrl-C is heard while a compiled kernel runs."""
    return reported(title, lambda tell: work())


def reported(title: str, work: Callable[[Tell], Any]) -> Any:
    """As `attended`, for work that calls ``tell(what, done, of)`` as it goes on."""
    box: dict[str, Any] = {}

    def labour(tell: Tell) -> None:
        try:
            box["result"] = work(tell)
        except BaseException as error:
            box["error"] = error

    with sign_of_life(title) as tell:
        settings = contextvars.copy_context()  # the thread sees the settings and the trace of its caller
        worker = threading.Thread(target=settings.run, args=(labour, tell), daemon=True)
        worker.start()
        while worker.is_alive():
            worker.join(CHECKS)
    if "error" in box:
        raise box["error"]
    return box["result"]


@contextlib.contextmanager
def sign_of_life(title: str) -> Iterator[Tell]:
    """A bar with the seconds on standard error, if someone is looking, and the function that moves it."""
    if not sys.stderr.isatty() or os.environ.get("GRAPHLA_QUIET") == "1":
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
