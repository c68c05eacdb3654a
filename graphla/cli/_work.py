"""Long work on the command line: a moving sign of life, and Ctrl-C at any time."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

CHECKS = 0.05
"""Seconds between two looks at whether the work is done or Ctrl-C was pressed."""


def attended(title: str, work: Callable[[], Any]) -> Any:
    """The result of `work`, done in a thread, so that Ctrl-C is heard while a compiled kernel runs."""
    box: dict[str, Any] = {}

    def labour() -> None:
        try:
            box["result"] = work()
        except BaseException as error:
            box["error"] = error

    with sign_of_life(title):
        worker = threading.Thread(target=labour, daemon=True)
        worker.start()
        while worker.is_alive():
            worker.join(CHECKS)
    if "error" in box:
        raise box["error"]
    return box["result"]


@contextlib.contextmanager
def sign_of_life(title: str) -> Iterator[None]:
    """A spinner with the seconds on standard error, if someone is looking."""
    if not sys.stderr.isatty() or os.environ.get("GRAPHLA_QUIET") == "1":
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        bar.add_task(title, total=None)
        yield
