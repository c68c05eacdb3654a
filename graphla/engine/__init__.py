"""The engines by name. Numba and CuPy are loaded when an engine first is asked for, not before."""

from __future__ import annotations

import importlib.util
from functools import cache

from graphla.config import ENGINES, wanted_engine
from graphla.engine.protocol import Engine, EngineLike
from graphla.errors import NotSupported


def engine_named(name: EngineLike = None) -> Engine:
    """The engine of that name, an engine as it is, or the best that is there (None).

    Raises
    ------
    NotSupported
        If there is no such engine, or its device is missing; the message says what to install.
    """
    if name is not None and not isinstance(name, str):
        return name
    chosen = name or wanted_engine() or ("cuda" if gpu_is_there() else "cpu")
    if chosen not in ENGINES:
        raise NotSupported(f"engine={chosen!r}: there are {', '.join(ENGINES)}")
    return made(chosen)


@cache
def made(name: str) -> Engine:
    """The one engine of a name in this process."""
    if name == "cpu":
        from graphla.engine.cpu.engine import CpuEngine

        return CpuEngine()
    from graphla.engine.cuda.engine import cuda_engine

    return cuda_engine()


@cache
def gpu_is_there() -> bool:
    """Whether CuPy is installed and sees a device."""
    if importlib.util.find_spec("cupy") is None:
        return False
    try:
        import cupy

        return cupy.cuda.runtime.getDeviceCount() > 0
    except Exception:  # a broken CuPy or driver: the CPU it is; asking for "cuda" by name tells why
        return False
