"""What a small statement costs the caller on the GPU.

    python asv_bench/gpu/statement_calls.py [--size 1000] [--rounds 15] [--profile 4]

The statements of `asv_bench/small_statements.py`. Microseconds of wall time until a statement returns: it waits for
the GPU only where what it gives depends on a number there. Between the rounds of calls the GPU is waited for, outside
of the time. Before them stands what CuPy takes for its own calls, and after them where the Python of the dearest
statements goes.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from timeit import Timer
from typing import Any

import cupy as cp
import numpy as np

import graphla as gl

sys.path.insert(0, str(Path(__file__).parents[1]))
from small_statements import OURS, STATEMENTS, make_operands

CALLS = 40
"""Calls that are timed together: fewer than a stream's queue holds."""
PROFILED = 400


def wait() -> None:
    cp.cuda.Stream.null.synchronize()


def measure(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Print the microseconds of calls, the least and the median of rounds that take turns, and return the median."""
    timers = {name: Timer(call) for name, call in calls.items()}
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(rounds + 1):  # the first one compiles
        for name, timer in timers.items():
            wait()
            took = timer.timeit(CALLS) / CALLS * 1e6
            taken[name] += [took] if turn else []
    for name, each in taken.items():
        print(f"{name:44} {min(each):7.1f} {median(each):7.1f}", flush=True)
    return {name: median(each) for name, each in taken.items()}


def list_parts() -> dict[str, Callable[[], Any]]:
    """What statements are made of, by CuPy alone."""
    module = cp.RawModule(code='extern "C" __global__ void nothing(const float* x, float* y, long long n) {}')
    function, x, y = module.get_function("nothing").kernel, cp.zeros(1000, "float32"), cp.zeros(1000, "float32")
    arguments, pinned = (x, y, np.int64(1000)), cp.cuda.alloc_pinned_memory(64)

    def read() -> None:
        stream = cp.cuda.get_current_stream()
        x.data.copy_to_host_async(pinned.ptr, 64, stream)
        stream.synchronize()

    return {
        "a launch of three arguments": lambda: function((4,), (256,), arguments, 0, None, False),
        "cupy.empty(1000)": lambda: cp.empty(1000, "float32"),
        "cupy.zeros(1000)": lambda: cp.zeros(1000, "float32"),
        "x.view": lambda: x.view("int32"),
        "x[:10]": lambda: x[:10],
        "x.data.memset_async": lambda: x.data.memset_async(0, 64),
        "x.copy()": lambda: x.copy(),
        "get_current_stream()": cp.cuda.get_current_stream,
        "getDevice()": cp.cuda.runtime.getDevice,
        "a read that waits": read,
        "x.get()": x.get,
    }


def profile(name: str, operands: Any) -> None:
    """Print where the time of a statement goes, in microseconds of a call under the profiler."""
    watch, statement = cProfile.Profile(), STATEMENTS[name]
    wait()
    for _ in range(PROFILED // CALLS):
        watch.enable()
        for _ in range(CALLS):
            statement(operands)
        watch.disable()
        wait()
    rows: Any = pstats.Stats(watch).stats  # type: ignore[attr-defined]
    print(f"\n{name}: calls, µs of its own, µs with what it calls")
    for (file, line, function), (_, calls, own, whole, _) in sorted(rows.items(), key=lambda row: -row[1][2])[:22]:
        where = f"{'/'.join(Path(file).parts[-3:])}:{line} {function}"
        print(f"  {calls / PROFILED:5.1f} {own / PROFILED * 1e6:7.1f} {whole / PROFILED * 1e6:7.1f}  {where}")


def main() -> None:
    """Print a line for each part and each statement, and the profiles of the dearest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--profile", type=int, default=4, help="how many of the dearest statements are profiled")
    asked = parser.parse_args()
    gl.config.engine = "cuda"
    print(f"{cp.cuda.runtime.getDeviceProperties(0)['name'].decode()}, CuPy {cp.__version__}, n = {asked.size}")
    print(f"{'µs':44} {'least':>7} {'median':>7}")
    measure(list_parts(), asked.rounds)
    operands = make_operands(OURS, asked.size)
    taken = measure({name: partial(run, operands) for name, run in STATEMENTS.items()}, asked.rounds)
    print(f"{'median and worst of the statements':44} {median(taken.values()):7.1f} {max(taken.values()):7.1f}")
    for name in sorted(taken, key=taken.__getitem__, reverse=True)[: asked.profile]:
        profile(name, operands)


if __name__ == "__main__":
    main()
