"""Measure the time and the memory of one call, on the CPU or the GPU.

There are two times: of the solve, and of the whole call as its caller waits for it. On the CPU they are the same. On
the GPU two events in the stream time the solve. The first event is recorded while the device is still busy, so that
the host can launch the work ahead of the device. The host's clock times the whole call, including the time in Python
and the wait for the device.
"""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

AHEAD = 5e-3
"""At most so many seconds the device is kept busy, so that the host can launch ahead of it."""
SETTLING = 0.02
"""Seconds to wait before a timed call, because OpenMP threads spin for some milliseconds after their last work."""


def time_call(call: Callable[[], Any], wait: Callable[[], Any] = lambda: None) -> tuple[Any, float]:
    """Return the result of a call and its wall-clock seconds, until `wait` returns; without garbage collection."""
    gc.disable()
    try:
        started = time.perf_counter()
        result = call()
        wait()
        return result, time.perf_counter() - started
    finally:
        gc.enable()


def time_call_on_cpu(call: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of a call on the CPU and its seconds."""
    time.sleep(SETTLING)
    return time_call(call)


def time_call_on_cuda(call: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of a call on the GPU and the seconds until the device has finished."""
    import cupy

    wait = cupy.cuda.Device().synchronize
    wait()
    return time_call(call, wait)


def time_both_on_cpu(call: Callable[[], Any], engine: Any) -> tuple[float, float]:
    """Return the seconds of the solve and of the whole call, which are the same on the CPU."""
    _, whole = time_call_on_cpu(call)
    return whole, whole


def time_both_on_cuda(call: Callable[[], Any], engine: Any) -> tuple[float, float]:
    """Return the seconds of a solve, between two CUDA events, and of another whole call."""
    import cupy

    whole = time_call_on_cuda(call)[1]
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()

    def solve() -> None:
        engine.keep_busy(min(whole, AHEAD))
        start.record()
        call()
        stop.record()

    time_call(solve, stop.synchronize)
    return cupy.cuda.get_elapsed_time(start, stop) / 1e3, whole


def measure_memory_on_cpu(call: Callable[[], Any]) -> tuple[Any, int | None]:
    """Return the result of a call and the growth of the peak resident memory; None if the system cannot report it."""
    gc.collect()
    trim_heap()
    before = read_resident("VmRSS") if reset_peak() else None
    result = call()
    return result, None if before is None else max(0, read_resident("VmHWM") - before)


def measure_memory_on_cuda(call: Callable[[], Any]) -> tuple[Any, int | None]:
    """Return the result of a call and the growth of CuPy's memory pool."""
    import cupy

    pool = cupy.get_default_memory_pool()
    gc.collect()
    pool.free_all_blocks()
    before = pool.used_bytes()
    result = call()
    return result, int(pool.total_bytes() - before)


def trim_heap() -> None:
    """Return freed heap memory to the system, so that allocating it again counts."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError):
        return


def reset_peak() -> bool:
    """Reset the peak of the resident memory; return whether the system can do that."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        return True
    except OSError:
        return False


def read_resident(field: str) -> int:
    """Return a field of /proc/self/status in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


TIME_CALL = {"cpu": time_call_on_cpu, "cuda": time_call_on_cuda}
TIME_BOTH = {"cpu": time_both_on_cpu, "cuda": time_both_on_cuda}
MEASURE_MEMORY = {"cpu": measure_memory_on_cpu, "cuda": measure_memory_on_cuda}
