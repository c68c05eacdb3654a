"""The kernel that only waits."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.graphla.engine.engines import get_engine_named


def measure_seconds(engine: Any, busy: float) -> float:
    """Of asking, not of waiting; in the emulator they are one."""
    started = time.perf_counter()
    engine.keep_busy(busy)
    return time.perf_counter() - started


@pytest.mark.emulated
def test_it_looks_at_the_clock_until_its_ticks_are_over() -> None:
    engine = get_engine_named("emulated")
    measure_seconds(engine, 0.0)
    short = min(measure_seconds(engine, 0.0) for _ in range(9))
    assert measure_seconds(engine, 0.2) > 4 * short


@pytest.mark.gpu
def test_the_host_is_ahead_of_the_device() -> None:
    engine = get_engine_named("cuda")
    measure_seconds(engine, 0.0)
    engine.xp.cuda.Device().synchronize()
    started = time.perf_counter()
    asked = measure_seconds(engine, 0.05)
    engine.xp.cuda.Device().synchronize()
    assert asked < 0.02 < 0.04 < time.perf_counter() - started
