"""Says on standard error what Numba compiles, and how long it took; silent when everything comes from the cache.

The command line names every kernel (it sets GRAPHLA_ANNOUNCE=1). Elsewhere one line tells that a first use
compiles, and only where a terminal listens. GRAPHLA_QUIET=1 silences both.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from numba.core import event

from graphla.engine.cpu.cache import store


class Announcer(event.Listener):
    """Adds up the outermost compilations and loads of machine code of each thread; what they cause counts as theirs."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.told = False
        self.within = threading.local()

    def on_start(self, event: event.Event) -> None:
        if self.begin():
            kernel = label(event.data["dispatcher"].py_func)
            if kernel is not None:
                self.say(kernel)

    def on_end(self, event: event.Event) -> None:
        self.end()

    def begin(self) -> bool:
        """Start the clock of this thread, unless it runs; whether it was started."""
        self.within.depth = getattr(self.within, "depth", 0) + 1
        if self.within.depth == 1:
            self.within.began = time.perf_counter()
        return self.within.depth == 1

    def end(self) -> None:
        """Stop the clock of this thread where it was started."""
        self.within.depth -= 1
        if self.within.depth == 0:
            self.seconds += time.perf_counter() - self.within.began

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Count the time of a block that loads machine code from the disk."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def say(self, kernel: str) -> None:
        """One line a kernel on the command line; one in all elsewhere."""
        if os.environ.get("GRAPHLA_QUIET") == "1":
            return
        if os.environ.get("GRAPHLA_ANNOUNCE") == "1":
            kept = "once, kept on disk" if store().keeps else "not kept"
            print(f"graphla: compiling {kernel} ({kept}) …", file=sys.stderr, flush=True)
        elif sys.stderr.isatty() and not self.told:
            kept = " (kept on disk)" if store().keeps else ""
            print(f"graphla: compiling what is used for the first time{kept} …", file=sys.stderr, flush=True)
        self.told = True


def ours(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as one whose compilation is told; what other packages compile is theirs to tell."""
    function.__dict__["told_by_graphla"] = True
    return function


def label(function: Callable[..., Any]) -> str | None:
    """What a compiled function is, to a user: the method, or the kernel of the language; None if it is not ours."""
    if not hasattr(function, "told_by_graphla"):
        return None
    module, name = function.__module__, function.__name__.strip("_")
    if module.startswith("graphla.algorithms."):
        problem, file = module.split(".")[2:4]
        return f"{problem} {file.strip('_')}: {name}"
    if module.startswith("graphla_compiled."):
        return f"the matrix operation {name}"
    return name


@cache
def announcer() -> Announcer:
    """The one announcer of this process."""
    return Announcer()


def listen() -> None:
    """Begin to watch; a second call changes nothing."""
    if not announcer.cache_info().currsize:
        event.register("numba:compile", announcer())


def seconds_compiling() -> float:
    """Seconds that this process has spent compiling, or loading what was compiled before."""
    return announcer().seconds
