"""A progress bar over the calls of a comparison."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

from graphla.common.extras import require


class Progress:
    """A bar on standard error that names the current call; off by default without a terminal or without rich."""

    def __init__(self, wanted: bool | None, total: int) -> None:
        self.shown = sys.stderr.isatty() and find_spec("rich") is not None if wanted is None else wanted
        self.total = total
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Progress:
        if self.shown:
            require("rich", "cli", "progress=True")
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("", total=self.total)
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def say(self, what: str) -> None:
        """Show `what` as the current call."""
        if self.bar is not None:
            self.bar.update(self.task, description=what)

    def step(self) -> None:
        """Advance the bar by one call."""
        if self.bar is not None:
            self.bar.advance(self.task)
