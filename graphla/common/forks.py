"""What a child of `os.fork` makes of threads and locks: it has its parent's memory, and the one thread that forked.

A pool of threads that the parent has made has no threads in the child, and a lock that another thread held is never
released there.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Protocol, TypeVar


class Cached(Protocol):
    """A function under `functools.cache`."""

    def __call__(self, *args: Any) -> Any: ...
    def cache_clear(self) -> None: ...


class Holdable(Protocol):
    """A lock."""

    def acquire(self) -> Any: ...
    def release(self) -> Any: ...


at_fork: Callable[..., None] = getattr(os, "register_at_fork", lambda **calls: None)
"""That of `os`; Windows has no fork, and so nothing to register."""

C = TypeVar("C", bound=Cached)
T = TypeVar("T")


def forget_after_fork(function: C) -> C:
    """Let a child of fork make its own of what a cached function returns."""
    at_fork(after_in_child=function.cache_clear)
    return function


def hold_during_fork(lock: Holdable) -> None:
    """Fork when no other thread holds a lock, so that what it guards is whole in the child and the lock is free."""
    at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


def renew_after_fork(renew: Callable[[], object]) -> None:
    """Call `renew` in a child of fork: for a lock of so few instructions that a new one will do."""
    at_fork(after_in_child=renew)


class cached_property(functools.cached_property[T]):
    """That of `functools` without the lock that Python 3.11 holds while the value is computed, of whatever object."""

    def __init__(self, func: Callable[[Any], T]) -> None:
        super().__init__(func)
        self.lock: Any = nullcontext()
