"""Frozen records that are made by the hundred thousand, and properties that are computed once and cached in them.

`dataclasses` writes each field of a frozen record through `object.__setattr__`, which takes as long as everything else
that is done to make one: `quick` writes the fields into the record's dictionary at once. `functools.cached_property`
takes a lock up to Python 3.11, which costs as much as what is cached here: `once` takes none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any, Generic, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def quick(*, repr: bool = True) -> Callable[[type[T]], type[T]]:
    """A frozen dataclass that is equal to itself alone, made in half the time."""

    def decorated(kind: type[T]) -> type[T]:
        made: Any = dataclass(frozen=True, eq=False, repr=repr)(kind)
        made.__init__ = initializer(made)
        return made

    return decorated


def initializer(kind: Any) -> Any:
    """`__init__` of a dataclass whose parts have plain defaults, if any."""
    parts = fields(kind)
    names: dict[str, Any] = {f"default_{part.name}": part.default for part in parts}
    arguments = [part.name + ("" if part.default is MISSING else f"=default_{part.name}") for part in parts]
    lines = [
        f"def __init__(self, {', '.join(arguments)}):",
        "    held = self.__dict__",
        *(f"    held[{part.name!r}] = {part.name}" for part in parts),
        *(["    self.__post_init__()"] if hasattr(kind, "__post_init__") else []),
    ]
    exec("\n".join(lines), names)
    return names["__init__"]


class once(Generic[T]):  # lower case, as `property` is
    """Decorator of a property that is computed when it is first read, and then cached in the record."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make, self.name = make, make.__name__

    def __get__(self, record: Any, kind: type[Any] | None = None) -> T:
        value = record.__dict__[self.name] = self.make(record)
        return value
