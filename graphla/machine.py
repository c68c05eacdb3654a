"""The machine and what is installed on it, as a result should tell with it."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

TOLD = ("numpy", "scipy", "numba", "cupy-cuda13x", "cupy-cuda12x")


def facts() -> dict[str, Any]:
    """Versions, processor, memory, GPU."""
    installed = {name: found for name in TOLD if (found := version_of(name))}
    return {
        "graphla": version_of("graphla"),
        "python": platform.python_version(),
        **installed,
        "system": f"{platform.system()} {platform.release()}",
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        **gpu(),
        "engines": engines(),
    }


def version_of(package: str) -> str | None:
    """The version of an installed package, or None."""
    from importlib.metadata import PackageNotFoundError, version  # ten milliseconds that `import graphla` need not take

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def processor() -> str:
    """The name of the processor as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def engines() -> list[str]:
    """The engines that work here."""
    from graphla.engine import gpu_is_there

    return ["cpu", "cuda"] if gpu_is_there() else ["cpu"]


def gpu() -> dict[str, Any]:
    """The name and memory of the current GPU, and its driver; nothing without one."""
    from graphla.engine import gpu_is_there

    if not gpu_is_there():
        return {}
    import cupy

    runtime = cupy.cuda.runtime
    properties = runtime.getDeviceProperties(runtime.getDevice())
    return {
        "gpu": properties["name"].decode(),
        "gpu_memory_bytes": int(properties["totalGlobalMem"]),
        "cuda": runtime.driverGetVersion(),
    }
