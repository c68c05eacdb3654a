"""Time and memory of one call, on either device."""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SETTLING = 0.02
"""Seconds to wait before a timed call: threads of OpenMP spin for some milliseconds after their last work."""


def seconds_on_cpu(call: Callable[[], Any]) -> tuple[Any, float]:
    """What the call gave, and the wall time it took, garbage collection held off."""
    time.sleep(SETTLING)
    gc.disable()
    try:
        started = time.perf_counter()
        result = call()
        return result, time.perf_counter() - started
    finally:
        gc.enable()


def seconds_on_cuda(call: Callable[[], Any]) -> tuple[Any, float]:
    """What the call gave, and the time between two events in the stream around it."""
    import cupy

    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
    cupy.cuda.Device().synchronize()
    gc.disable()
    try:
        start.record()
        result = call()
        stop.record()
        stop.synchronize()
        return result, cupy.cuda.get_elapsed_time(start, stop) / 1e3
    finally:
        gc.enable()


def memory_on_cpu(call: Callable[[], Any]) -> tuple[Any, int | None]:
    """What the call gave, and how far the resident memory rose above what it was; None where it cannot be told."""
    gc.collect()
    give_back()
    before = resident("VmRSS") if forget_peak() else None
    result = call()
    return result, None if before is None else max(0, resident("VmHWM") - before)


def memory_on_cuda(call: Callable[[], Any]) -> tuple[Any, int | None]:
    """What the call gave, and by how much CuPy's pool had to grow for it."""
    import cupy

    pool = cupy.get_default_memory_pool()
    gc.collect()
    pool.free_all_blocks()
    before = pool.used_bytes()
    result = call()
    return result, int(pool.total_bytes() - before)


def give_back() -> None:
    """Return freed memory to the system, so that taking it again shows."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError):
        return


def forget_peak() -> bool:
    """Let the peak of the resident memory begin anew; whether the system can do that."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        return True
    except OSError:
        return False


def resident(field: str) -> int:
    """Bytes of a field of /proc/self/status."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


SECONDS = {"cpu": seconds_on_cpu, "cuda": seconds_on_cuda}
MEMORY = {"cpu": memory_on_cpu, "cuda": memory_on_cuda}
