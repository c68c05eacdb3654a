"""Times in which nothing is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.measuring.graph500 import time_call
from graphla.measuring.watching.compiling import seconds_compiling


def time_compiled(xp: Any, work: Callable[[], Any]) -> tuple[Any, float]:
    """The result of `work` and its seconds; once more if something was compiled meanwhile."""
    before = seconds_compiling()
    timed = time_call(xp, work)
    return timed if seconds_compiling() == before else time_call(xp, work)
