"""What differs between systems: cores and memory, where Linux, macOS and Windows tell them in different ways."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
SIZES = Path("/proc/self/statm")
GROUP = Path("/sys/fs/cgroup")
UNLIMITED = 2**62


def count_cores() -> int:
    """Return how many cores this process may use; all of the machine where the system does not bind processes."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def host_free() -> int:
    """Return the bytes of memory that this process can still get: of the machine, its control group and its limit."""
    return max(0, min(machine_free(), group_free(), limit_free()))


def machine_free() -> int:
    """Return the bytes of memory that this machine can still give to processes; on macOS, all that it has."""
    if MEMINFO.exists():
        for line in MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return read_windows_memory().available
    free = "SC_AVPHYS_PAGES" if "SC_AVPHYS_PAGES" in os.sysconf_names else "SC_PHYS_PAGES"
    return os.sysconf(free) * os.sysconf("SC_PAGE_SIZE")


def group_free() -> int:
    """Return the bytes that the control group of a container, or of a batch job, still allows."""
    try:
        limit = (GROUP / "memory.max").read_text().strip()
        if limit == "max":
            return UNLIMITED
        facts = dict(line.split() for line in (GROUP / "memory.stat").read_text().splitlines())
        used = int((GROUP / "memory.current").read_text()) - int(facts.get("inactive_file", 0))
        return int(limit) - used
    except (OSError, ValueError):  # there is none, or it is of another kind
        return UNLIMITED


def limit_free() -> int:
    """Return the bytes of address space that ``ulimit -v`` still allows, where the system says how much is taken."""
    if not SIZES.exists():
        return UNLIMITED
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return UNLIMITED
    return limit - int(SIZES.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def count_bytes() -> int:
    """Return the bytes of memory of this machine."""
    if sys.platform == "win32":
        return read_windows_memory().total
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


class WindowsMemory(ctypes.Structure):
    """MEMORYSTATUSEX."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total", ctypes.c_uint64),
        ("available", ctypes.c_uint64),
        ("beside", ctypes.c_uint64 * 5),
    )
    total: int
    available: int


def read_windows_memory() -> WindowsMemory:
    """Return what Windows says of its memory."""
    status = WindowsMemory(length=ctypes.sizeof(WindowsMemory))
    ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))  # type: ignore[attr-defined]
    return status
