"""What differs between systems: cores and memory, where Linux, macOS and Windows tell them in different ways."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

MEMINFO = Path("/proc/meminfo")


def count_cores() -> int:
    """Return how many cores this process may use; all of the machine where the system does not bind processes."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def host_free() -> int:
    """Return the bytes of memory that this machine can still give to processes; on macOS, all that it has."""
    if MEMINFO.exists():
        for line in MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return read_windows_memory().available
    free = "SC_AVPHYS_PAGES" if "SC_AVPHYS_PAGES" in os.sysconf_names else "SC_PHYS_PAGES"
    return os.sysconf(free) * os.sysconf("SC_PAGE_SIZE")


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
