"""Announce on standard error what Numba compiles, and add up the time; silent if everything comes from the cache.

The command line names every kernel (it sets GRAPHLA_ANNOUNCE=1). Elsewhere one line announces that a first use
compiles, and only if standard error is a terminal. GRAPHLA_QUIET=1 silences both.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, cast

from numba.core import event

from graphla.common.environment import read_switch
from graphla.engine.cpu.cache import get_store

log = logging.getLogger("graphla")


class Announcer(event.Listener):
    """Adds up the time of compiling and of loading machine code in each thread. Nested compilations count once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.announced = False
        self.within = threading.local()

    def on_start(self, event: event.Event) -> None:
        quiet, each = read_switch("GRAPHLA_QUIET", False), read_switch("GRAPHLA_ANNOUNCE", False)
        if self.begin():
            kernel = make_label(cast("Any", event.data)["dispatcher"].py_func)
            if kernel is not None:
                log.info("compiling %s", kernel)
                self.say(kernel, quiet, each)

    def on_end(self, event: event.Event) -> None:
        self.end()

    def begin(self) -> bool:
        """Start the clock of this thread unless it runs; return whether it was started."""
        self.within.depth = getattr(self.within, "depth", 0) + 1
        if self.within.depth == 1:
            self.within.began = time.perf_counter()
        return self.within.depth == 1

    def end(self) -> None:
        """Stop the clock of this thread at the end of the outermost compilation."""
        self.within.depth -= 1
        if self.within.depth == 0:
            self.seconds += time.perf_counter() - self.within.began

    @contextmanager
    def count_loading(self) -> Iterator[None]:
        """Count the time of a ``with`` block that loads machine code from disk."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def say(self, kernel: str, quiet: bool, each: bool) -> None:
        """Print one line per kernel on the command line, and one line in total elsewhere."""
        if quiet:
            return
        if each:
            cached = "once, cached on disk" if get_store().keeps else "not cached"
            print(f"graphla: compiling {kernel} ({cached}) …", file=sys.stderr, flush=True)
        elif sys.stderr.isatty() and not self.announced:
            cached = " (cached on disk)" if get_store().keeps else ""
            print(f"graphla: compiling kernels for their first use{cached} …", file=sys.stderr, flush=True)
        self.announced = True


def mark_as_ours(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function whose compilation is announced. Functions of other packages are not announced."""
    function.__dict__["announced_by_graphla"] = True
    return function


def make_label(function: Callable[..., Any]) -> str | None:
    """Return the user's name of a compiled function: its method or matrix operation; None if it is not graphla's."""
    if not hasattr(function, "announced_by_graphla"):
        return None
    module, name = function.__module__, function.__name__.strip("_")
    if module.startswith("graphla.algorithms."):
        problem, file = module.split(".")[2:4]
        return f"{problem} {file.strip('_')}: {name}"
    if module.startswith("graphla_compiled."):
        return f"the matrix operation {name}"
    return name


@cache
def get_announcer() -> Announcer:
    """Return the announcer of this process."""
    return Announcer()


def listen() -> None:
    """Start listening to Numba's events; a second call has no effect."""
    if not get_announcer.cache_info().currsize:
        event.register("numba:compile", get_announcer())


def seconds_compiling() -> float:
    """Return the seconds that this process has spent compiling, or loading machine code from the cache."""
    return get_announcer().seconds
