"""Get an engine by name. Numba and CuPy are imported when an engine that needs them is first requested."""

from __future__ import annotations

import importlib.util
from functools import cache
from typing import Any

from graphla.common.arguments import show
from graphla.common.config import ENGINES, get_wanted_engine
from graphla.common.errors import NotSupported
from graphla.engine.protocol import Engine, EngineLike


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
    if name == "cpu":
        from graphla.engine.cpu.engine import CpuEngine

        return CpuEngine()
    if name == "mpi":
        from graphla.engine.mpi.engine import create_mpi_engine

        return create_mpi_engine()
    from graphla.engine.cuda.engine import cuda_engine

    return cuda_engine()


@cache
def has_gpu() -> bool:
    """Whether CuPy is installed and sees a device."""
    if importlib.util.find_spec("cupy") is None:
        return False
    try:
        import cupy

        return cupy.cuda.runtime.getDeviceCount() > 0
    except Exception:  # a broken CuPy or driver: use the CPU; requesting "cuda" by name raises the reason
        return False
