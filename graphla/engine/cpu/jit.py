"""Numba as the CPU engine uses it: compiled once, kept on disk, and said aloud when it takes time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numba
from numba.core import event

prange = numba.prange


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit` with an on-disk cache, without the interpreter lock and with NumPy's division."""
    return numba.njit(cache=True, nogil=True, error_model="numpy", **options)


def operator(function: Callable[..., Any]) -> Any:
    """A rendered operator: compiled into whatever calls it."""
    return numba.njit(nogil=True, error_model="numpy")(function)


class _Announcer(event.Listener):
    """Says on standard error what is being compiled; silent when everything comes from the cache."""

    def on_start(self, event: event.Event) -> None:
        dispatcher = event.data["dispatcher"]
        if os.environ.get("GRAPHLA_QUIET") != "1" and sys.stderr.isatty():
            print(f"graphla: compiling {dispatcher.py_func.__name__} (once, kept on disk) …", file=sys.stderr)

    def on_end(self, event: event.Event) -> None:
        """Nothing to say at the end."""


event.register("numba:compile", _Announcer())
