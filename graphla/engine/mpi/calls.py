"""The calls of a communicator: which one a rank is in, and whether all ranks make the same one.

With GRAPHLA_CHECK=1 the ranks compare their calls before each transfer, so that ranks that do different things raise an
error that names both, instead of waiting for each other or exchanging what does not fit.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from graphla.common.environment import read_switch
from graphla.common.errors import MismatchedCalls

FREE = ("broadcast", "share_object")
"""Calls whose first argument differs from rank to rank."""
PACKAGE = __name__.partition(".")[0]


class Calls:
    """What this rank waits for: the name of the call, when it began, and the ranks that take part."""

    def __init__(self) -> None:
        self.waiting: tuple[str, float, tuple[int, ...]] | None = None
        self.compared: str | None = None
        """With GRAPHLA_CHECK=1: the call that the ranks of a communicator compare just now."""


CALLS = Calls()


def collective(method: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a method that all ranks call together."""

    @functools.wraps(method)
    def run(self: Any, *args: Any, **options: Any) -> Any:
        if self.size == 1 or CALLS.waiting is not None:
            return method(self, *args, **options)
        CALLS.waiting = method.__name__, time.monotonic(), self.host.members
        try:
            if is_checking():
                compare(self.host, method.__name__, args, options)
            self.host.wait_for_all()
            return method(self, *args, **options)
        finally:
            CALLS.waiting = None

    return run


@functools.cache
def is_checking() -> bool:
    """Whether GRAPHLA_CHECK asks to compare calls."""
    return read_switch("GRAPHLA_CHECK", False)


def compare(host: Any, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Raise on every rank if the calls differ.

    Raises
    ------
    MismatchedCalls
        With the call of each group of ranks.
    """
    given = ", ".join(describe(name, position, value) for position, value in enumerate((*args, *options.values())))
    own = f"{name}({given})", find_caller()
    CALLS.compared = describe_call(*own)
    calls = host.share_all(own)
    CALLS.compared = None
    if len({call for call, _ in calls}) == 1 and len({caller.partition(" (")[0] for _, caller in calls}) == 1:
        return
    raise MismatchedCalls(
        describe_calls(dict(zip(host.members, (describe_call(*each) for each in calls), strict=True)))
    )


def describe_call(call: str, caller: str) -> str:
    return f"{caller}, which waits in {call}"


def describe_calls(calls: dict[int, str]) -> str:
    """Say which ranks make which call."""
    groups: dict[str, list[int]] = {}
    for rank, call in sorted(calls.items()):
        groups.setdefault(call, []).append(rank)
    parts = [f"{format_ranks(ranks)}: {call}" for call, ranks in groups.items()]
    return f"the ranks do not make the same call: {'; '.join(parts)}"


def format_ranks(ranks: list[int]) -> str:
    shown = ", ".join(map(str, ranks[:8])) + (" …" if len(ranks) > 8 else "")
    return f"rank{'s' * (len(ranks) > 1)} {shown}"


def describe(name: str, position: int, value: Any) -> str:
    """What must be the same on all ranks: of arrays that are combined the shape and dtype, of others nothing."""
    if isinstance(value, list | tuple) or value is None or name == "split" or (name in FREE and position == 0):
        return "…"
    if isinstance(value, np.generic) or hasattr(value, "shape"):
        shaped = name in ("all_reduce", "reduce_scatter", "start_broadcast")
        return f"{value.dtype}{list(value.shape)}" if shaped else "array"
    if isinstance(value, bool | int | float) and name == "all_reduce":
        return type(value).__name__
    return repr(value)


def find_caller() -> str:
    """The function of graphla that the program has called, and the line of the program."""
    frame, ours = sys._getframe(1), None
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] == PACKAGE:
            ours = ours if module == __name__ else frame
        elif module.partition(".")[0] != "functools":
            break
        frame = frame.f_back
    place = "" if frame is None else f" ({Path(frame.f_code.co_filename).name}:{frame.f_lineno})"
    return ("the program" if ours is None else get_function_name(ours)) + place


def get_function_name(frame: Any) -> str:
    """The name of a function, or of the problem that is called."""
    owner, name = frame.f_locals.get("self"), frame.f_code.co_name
    return getattr(owner, "name", type(owner).__name__) if name == "__call__" else name
