"""Ctrl-C that compiled code hides: Numba reports a signal that comes while a result is wrapped as a SystemError."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def find_interrupt(error: SystemError) -> BaseException:
    """The KeyboardInterrupt that an error hides; else the error itself."""
    return KeyboardInterrupt() if isinstance(error.__cause__, KeyboardInterrupt) else error


def show_interrupts(call: Callable[P, T]) -> Callable[P, T]:
    """Decorator for what runs compiled code: Ctrl-C comes out as KeyboardInterrupt."""

    @wraps(call)
    def run(*args: P.args, **options: P.kwargs) -> T:
        try:
            return call(*args, **options)
        except SystemError as error:
            raise find_interrupt(error) from None

    return run
