"""The engines of one process by name. Numba and CuPy are imported when an engine that needs them is first requested."""

from __future__ import annotations

import importlib.util
from functools import cache

from graphla.engine.protocol import Engine


@cache
def create_local(name: str) -> Engine:
    """Create the engine of the CPU, or of the GPU, once per process."""
    if name == "cpu":
        from graphla.engine.cpu.engine import CpuEngine

        return CpuEngine()
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
