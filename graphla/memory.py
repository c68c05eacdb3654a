"""What memory there is, asked before it is taken."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from graphla.config import config
from graphla.errors import OutOfMemory


def available(engine: Any) -> int:
    """Bytes that are free on the engine's device, or config.memory_limit if that is less."""
    free = device_free(engine.xp) if engine.name == "cuda" and engine.xp.__name__ == "cupy" else host_free()
    return free if config.memory_limit is None else min(free, config.memory_limit)


def device_free(xp: Any) -> int:
    """Free bytes of the current GPU, those kept by CuPy's pool among them."""
    return int(xp.cuda.runtime.memGetInfo()[0]) + int(xp.get_default_memory_pool().free_bytes())


def host_free() -> int:
    """Bytes of main memory that can be had without swapping."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def require(engine: Any, nbytes: int, what: str, way_out: str) -> None:
    """Refuse before anything is allocated.

    Raises
    ------
    OutOfMemory
        With the bytes needed and the bytes there are.
    """
    there = available(engine)
    if nbytes > there:
        raise OutOfMemory(f"{what} needs {nbytes:,} bytes and {engine.name} has {there:,} to give: {way_out}")
