"""The machine and the installed packages, which results record."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

from graphla.common.system import count_bytes, count_cores
from graphla.common.typing import EngineName

PACKAGES = ("numpy", "scipy", "numba", "cupy-cuda13x", "cupy-cuda12x")


def collect_facts() -> dict[str, Any]:
    """Return versions, processor, memory and GPU as a dictionary."""
    installed = {name: version for name in PACKAGES if (version := find_version(name))}
    return {
        "graphla": find_version("graphla"),
        "python": platform.python_version(),
        **installed,
        "system": f"{platform.system()} {platform.release()}",
        "processor": find_processor_name(),
        "cores": count_cores(),
        "memory_bytes": count_bytes(),
        **describe_gpu(),
        "engines": list_engines(),
    }


def find_version(package: str) -> str | None:
    """Return the version of an installed package, or None."""
    from importlib.metadata import PackageNotFoundError, version  # here, because it would add 10 ms to `import graphla`

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def find_processor_name() -> str:
    """Return the name of the processor as the operating system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def list_engines() -> list[EngineName]:
    """Return the engines that work on this machine."""
    from graphla.engine import has_gpu

    return ["cpu", "cuda"] if has_gpu() else ["cpu"]


def describe_gpu() -> dict[str, Any]:
    """Return the name and memory of the current GPU and the CUDA driver version; an empty dictionary without a GPU."""
    from graphla.engine import has_gpu

    if not has_gpu():
        return {}
    import cupy

    runtime = cupy.cuda.runtime
    properties = runtime.getDeviceProperties(runtime.getDevice())
    return {
        "gpu": properties["name"].decode(),
        "gpu_memory_bytes": int(properties["totalGlobalMem"]),
        "cuda": runtime.driverGetVersion(),
    }
