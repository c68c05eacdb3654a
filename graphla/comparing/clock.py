"""Time and memory of one call, on either device.

Two times: of the solve, and of the whole call as its caller waits for it. On the CPU they are one. On the GPU the
solve lies between two events in the stream, begun while the device is still busy, so that a host that has nothing to
wait for is ahead of it; the whole call is taken by the clock on the wall, Python's part and the wait included.
"""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

AHEAD = 5e-3
"""Seconds at most by which the host may be ahead of the device."""
SETTLING = 0.02
"""Seconds to wait before a timed call: threads of OpenMP spin for some milliseconds after their last work."""


def wall(call: Callable[[], Any], wait: Callable[[], Any] = lambda: None) -> tuple[Any, float]:
    """What the call gave, and its time by the clock on the wall, garbage collection held off."""
    gc.disable()
    try:
        started = time.perf_counter()
        result = call()
        wait()
        return result, time.perf_counter() - started
    finally:
        gc.enable()


def whole_on_cpu(call: Callable[[], Any]) -> tuple[Any, float]:
    """What the call gave, and the time it took."""
    time.sleep(SETTLING)
    return wall(call)


def whole_on_cuda(call: Callable[[], Any]) -> tuple[Any, float]:
    """What the call gave, and the time until it was there."""
    import cupy

    wait = cupy.cuda.Device().synchronize
    wait()
    return wall(call, wait)


def both_on_cpu(call: Callable[[], Any], engine: Any) -> tuple[float, float]:
    """Seconds of the solve and of the whole call: the same."""
    _, whole = whole_on_cpu(call)
    return whole, whole


def both_on_cuda(call: Callable[[], Any], engine: Any) -> tuple[float, float]:
    """Seconds of the solve between two events, and of another whole call."""
    import cupy

    whole = whole_on_cuda(call)[1]
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()

    def solve() -> None:
        engine.keep_busy(min(whole, AHEAD))
        start.record()
        call()
        stop.record()

    wall(solve, stop.synchronize)
    return cupy.cuda.get_elapsed_time(start, stop) / 1e3, whole


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


WHOLE = {"cpu": whole_on_cpu, "cuda": whole_on_cuda}
BOTH = {"cpu": both_on_cpu, "cuda": both_on_cuda}
MEMORY = {"cpu": memory_on_cpu, "cuda": memory_on_cuda}
