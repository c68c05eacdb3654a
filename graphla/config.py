"""What a user may set for the whole process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

from graphla.errors import GraphlaError

ENGINES = ("cpu", "cuda")


@dataclass
class Config:
    """Settings; assign to an attribute, or use `set` for the length of a ``with`` block.

    Attributes
    ----------
    engine : {"cpu", "cuda"} or None
        Where new graphs, matrices and vectors live. None: GRAPHLA_ENGINE, else the GPU if there is one.
    memory_limit : int or None
        Bytes that one operation may use beyond its operands. None: what the device has free.

    Examples
    --------
    >>> import graphla as gl
    >>> with gl.config.set(engine="cpu"):
    ...     gl.Vector("INT32", 3).engine.name
    'cpu'
    """

    engine: str | None = None
    memory_limit: int | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in {field.name for field in fields(self)}:
            raise GraphlaError(f"config has no setting {name!r}; it has engine and memory_limit")
        if name == "engine" and value is not None and value not in ENGINES:
            raise GraphlaError(f"engine={value!r}: there are {', '.join(ENGINES)}")
        if name == "memory_limit" and value is not None and (not isinstance(value, int) or value <= 0):
            raise GraphlaError(f"memory_limit={value!r}: give a positive number of bytes, or None")
        super().__setattr__(name, value)

    @contextmanager
    def set(self, **settings: Any) -> Iterator[Config]:
        """Settings for the length of a ``with`` block."""
        before = replace(self)
        try:
            for name, value in settings.items():
                setattr(self, name, value)
            yield self
        finally:
            for field in fields(self):
                setattr(self, field.name, getattr(before, field.name))


config = Config()


def wanted_engine() -> str | None:
    """The engine that the user asked for, or None."""
    asked = config.engine or os.environ.get("GRAPHLA_ENGINE") or None
    if asked is not None and asked not in ENGINES:
        raise GraphlaError(f"GRAPHLA_ENGINE={asked!r}: there are {', '.join(ENGINES)}")
    return asked
