"""The steps of `algebraic` on a GPU, by kernels of one module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.blocks import make_launch

Array = Any
KERNELS = Path(__file__).with_name("bits.cuh")
TOGETHER = "join_bits", "count_bits", "find_last"
LANES = 32
launch = make_launch(KERNELS, TOGETHER)


def begin(engine: Any) -> None:
    """Begin to compile what the product and the steps need."""
    engine.lists.begin("transpose", "rows", "flags", "scan")
    engine.begin(KERNELS, *TOGETHER)
    for name in ("fill_all<long long>", "number_cells<int>", "scatter<long long, long long>"):
        engine.lists.begin_one(name)


def join_own(engine: Any, bits: Array, before: Array, source: int) -> bool:
    """Give each vertex its own bit, and the source no other one, in place; whether that differs from before."""
    words, counter = np.int32(bits.shape[1]), engine.device.take_counter()
    launch(engine, "join_bits", bits.size, before, words, np.int32(source), np.int64(bits.size), bits, counter.array)
    return engine.device.read_counters(counter)[0] > 0


def find_last(engine: Any, bits: Array, n: int, source: int) -> Array:
    """For each vertex the dominator that has one dominator less, -1 of what is not reached: int32."""
    sizes, found = (engine.xp.empty(n, np.int32) for _ in range(2))
    numbers = np.int32(n), np.int32(bits.shape[1])
    launch(engine, "count_bits", LANES * n, bits, *numbers, sizes)
    launch(engine, "find_last", LANES * n, bits, sizes, *numbers, np.int32(source), found)
    return found
