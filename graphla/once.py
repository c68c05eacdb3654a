"""A property of a frozen record that is computed when it is first read, and then kept with the record.

`functools.cached_property` takes a lock up to Python 3.11, which costs as much as what is kept here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class once(Generic[T]):  # lower case, as `property` is
    """The decorator."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make, self.name = make, make.__name__

    def __get__(self, record: Any, kind: type[Any] | None = None) -> T:
        value = record.__dict__[self.name] = self.make(record)
        return value
