"""What is open in the thread or task that runs: a trace, the body of a loop, settings of a ``with`` block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Generic, TypeVar

from graphla.common.forks import renew_after_fork

T = TypeVar("T")


class OpenHere(Generic[T]):
    """A stack for each context (PEP 567), so that no thread and no asyncio task sees what another has opened.

    Attributes
    ----------
    anywhere : list
        What is open in any context. While it is empty nothing is open here, so hot code asks this first: an attribute
        is all that it costs.
    """

    def __init__(self, name: str) -> None:
        self.anywhere: list[T] = []
        self._renew_lock()
        renew_after_fork(self._renew_lock)
        self._here: ContextVar[tuple[T, ...]] = ContextVar(f"graphla.{name}", default=())

    def _renew_lock(self) -> None:
        self._changing = Lock()

    def get_innermost(self) -> T | None:
        """The item that this context opened last and that is still open; None if there is none."""
        if not self.anywhere:
            return None
        here = self._here.get()
        if here and here[-1] is self.anywhere[-1]:
            return here[-1]
        return next((item for item in reversed(here) if self._is_open(item)), None)

    def _is_open(self, item: T) -> bool:
        return any(item is other for other in self.anywhere)

    def push(self, item: T) -> None:
        """Open `item` in this context."""
        with self._changing:
            self.anywhere.append(item)
        self._here.set((*self._here.get(), item))

    def remove(self, item: T) -> None:
        """Close `item`, whichever context opened it."""
        with self._changing:
            self.anywhere[:] = drop_last(tuple(self.anywhere), item)
        self._here.set(drop_last(self._here.get(), item))

    def unwind(self, item: T) -> None:
        """Close `item`, and what this context has opened after it and not closed."""
        here = self._here.get()
        places = [place for place, other in enumerate(here) if other is item]
        for later in here[places[-1] + 1 :] if places else ():
            self.remove(later)
        self.remove(item)

    @contextmanager
    def open(self, item: T) -> Iterator[T]:
        """Have `item` open for the length of a ``with`` block."""
        self.push(item)
        try:
            yield item
        finally:
            self.remove(item)


def drop_last(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """The items but for the last that is `item`."""
    places = [place for place, other in enumerate(items) if other is item]
    return items[: places[-1]] + items[places[-1] + 1 :] if places else items
