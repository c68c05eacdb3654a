"""Frozen records that are cheap to create, and properties that are computed once and cached in the record.

A statement makes a dozen of them and reads their fields a hundred times. `dataclasses` sets each field of a frozen
record through `object.__setattr__`, which takes half of the time to create one, and any other way past a class that
refuses to be written makes Python keep the fields in a dictionary, which takes half of the time to read one. So the
type checker alone refuses to write a field of what is `quick`. `functools.cached_property` takes a lock up to Python
3.11, which costs as much as computing the values that are cached here; `once` takes no lock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any, Generic, TypeVar, dataclass_transform, get_origin

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def quick(*, repr: bool = True) -> Callable[[type[T]], type[T]]:
    """Decorator for a dataclass that compares by identity and is frozen for the type checker."""

    def decorate(kind: type[T]) -> type[T]:
        record: Any = dataclass(eq=False, repr=repr)(kind)
        record.__init__ = make_initializer(record)
        return record

    return decorate


def make_initializer(kind: Any) -> Any:
    """Generate `__init__` for a dataclass; a default factory is called unless the field is given.

    Of ``dict[str, Any]`` that is `dict` itself, which takes a sixth of the time.
    """
    parts = fields(kind)
    names: dict[str, Any] = {"MISSING": MISSING, **{f"default_{part.name}": part.default for part in parts}}
    names |= {f"make_{part.name}": get_origin(part.default_factory) or part.default_factory for part in parts}
    arguments = [part.name + (f"=default_{part.name}" if has_default(part) else "") for part in parts]
    lines = [
        f"def __init__(self, {', '.join(arguments)}):",
        *(f"    self.{part.name} = {render_value(part)}" for part in parts),
        *(["    self.__post_init__()"] if hasattr(kind, "__post_init__") else []),
    ]
    exec("\n".join(lines), names)
    return names["__init__"]


def has_default(part: Any) -> bool:
    """Whether a field need not be given."""
    return part.default is not MISSING or part.default_factory is not MISSING


def render_value(part: Any) -> str:
    """Return the expression of what a field gets: the argument, or what the default factory makes."""
    if part.default_factory is MISSING:
        return part.name
    return f"make_{part.name}() if {part.name} is MISSING else {part.name}"


class once(Generic[T]):  # lower case, as `property` is
    """Decorator for a property that is computed when it is first read and then cached in the record."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make, self.name = make, make.__name__

    def __get__(self, record: Any, kind: type[Any] | None = None) -> T:
        value = self.make(record)
        object.__setattr__(record, self.name, value)  # which may be frozen
        return value
