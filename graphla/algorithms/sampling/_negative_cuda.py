"""Negative edges on a GPU: pairs are counted, drawn and found by a kernel each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.random_words import hash_seed
from graphla.engine.cuda.blocks import make_launch
from graphla.storage import CompressedMatrix
from graphla.storage.convert import expand_pointers, flag_first, gather, make_pointers, order_stably

KERNELS = Path(__file__).with_name("negative.cuh")
launch = make_launch(KERNELS)
Array = Any


def count_pairs(engine: Any, csr: CompressedMatrix) -> Array:
    """How many pairs begin at each vertex."""
    pairs = engine.xp.empty(csr.nrows, "int64")
    name = f"count_pairs<{engine.c_type(csr.indptr)}>"
    launch(engine, name, csr.nrows, csr.indptr, csr.indices, np.int64(csr.nrows), pairs)
    return pairs


def measure_sources(
    engine: Any, absent: Array, sources: Array, span: int, wanted: int, again: bool
) -> tuple[Array, Array, Array, int]:
    """The number of the first pair of each source, how many there are and are drawn; and of how many sources most."""
    count = int(sources.size)
    starts, sizes, counts = (engine.xp.empty(count, "int64") for _ in range(3))
    counter = engine.device.take_counter()
    asked = engine.asarray(sources), np.int64(count), np.int64(span), np.int64(wanted), np.bool_(again)
    launch(engine, "measure_sources", count, absent, *asked, starts, sizes, counts, counter.array)
    return starts, sizes, counts, engine.device.read_counters(counter)[0]


def draw_ranks(engine: Any, seed: int, sizes: Array, counts: Array, again: bool) -> tuple[Array, Array]:
    """Numbers below the size of each source, so many of each: the source and the number."""
    xp, pointers, begins = engine.xp, make_pointers(engine.xp, counts), make_pointers(engine.xp, sizes)
    total = engine.device.last_number(pointers)
    group = expand_pointers(xp, pointers, total)
    local, keys = xp.empty(total, "int64"), xp.empty(total, "int64")
    order, first, many = keys, xp.empty(0, bool), 0
    attempt = 0
    while many < total:
        drawn = np.int64(total), hash_seed(seed), np.uint64(attempt), group, sizes, begins, local, keys
        launch(engine, "draw_pairs", total, order, first, *drawn)
        if again:
            break
        order = order_stably(keys)
        first, many = flag_first(gather(keys, order))
        attempt += 1
    return group, local


def find_pairs(
    engine: Any, csr: CompressedMatrix, absent: Array, group: Array, starts: Array, local: Array
) -> tuple[Array, Array]:
    """The pairs of some numbers of their sources."""
    count = int(local.size)
    rows, columns = engine.xp.empty((2, count), "int64")
    given = absent, np.int64(csr.nrows), group, starts, local, np.int64(count), rows, columns
    launch(engine, f"find_pairs<{engine.c_type(csr.indptr)}>", count, csr.indptr, csr.indices, *given)
    return rows, columns
