"""Get an engine by name."""

from __future__ import annotations

from functools import cache
from typing import Any

from graphla.common.arguments import show
from graphla.common.config import ENGINES, get_wanted_engine
from graphla.common.errors import NotSupported
from graphla.engine.local import create_local, has_gpu
from graphla.engine.protocol import Engine, EngineLike

__all__ = ["Engine", "EngineLike", "get_engine", "has_gpu"]


def get_engine(name: EngineLike = None) -> Engine:
    """Return the engine named `name`, the best available engine for None, or `name` itself if it is an engine.

    Raises
    ------
    NotSupported
        If there is no such engine, or its device is missing; the message says what to install.
    """
    if name is not None and not isinstance(name, str):
        return require_engine(name)
    chosen = name or get_wanted_engine() or ("cuda" if has_gpu() else "cpu")
    if chosen not in ENGINES:
        raise NotSupported(f"engine={chosen!r}: there are {', '.join(ENGINES)}")
    return create_engine(chosen)


def require_engine(value: Any) -> Engine:
    """Return `value` if it is an engine; refuse anything else."""
    if not isinstance(value, type) and callable(getattr(type(value), "work_bytes", None)):
        return value
    raise NotSupported(f"engine={show(value)}: there are {', '.join(map(repr, ENGINES))}, and None for the best one")


@cache
def create_engine(name: str) -> Engine:
    """Create the engine named `name`, once per process."""
    if name != "mpi":
        return create_local(name)
    from graphla.engine.mpi.engine import create_mpi_engine

    return create_mpi_engine()
