"""Frozen records that are made by the hundred thousand.

`dataclasses` writes each part of a frozen record through `object.__setattr__`, which takes as long as everything else
that is done to make one. Here the parts go into the record's dictionary at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar, dataclass_transform

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
