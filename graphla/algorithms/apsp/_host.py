"""Large matrices of the host by all its cores: one core alone moves a fraction of what the memory can."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

from graphla.engine.cpu.threads import count_workers

WORTH_A_THREAD = 1 << 22
"""Bytes for each thread below which starting it costs more than it saves."""


@cache
def pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count_workers(), thread_name_prefix="graphla-copy")


def in_bands(work: Callable[[int, int], Any], rows: int, nbytes: int) -> None:
    """work(first, last) for ranges that together are all rows."""
    parts = max(1, min(rows, 4 * count_workers(), nbytes // WORTH_A_THREAD))
    if parts == 1:
        work(0, rows)
        return
    cuts = [rows * part // parts for part in range(parts + 1)]
    for task in [pool().submit(work, *band) for band in pairwise(cuts)]:
        task.result()


def copy(to: Any, source: Any) -> None:
    """Copy a matrix over another."""

    def band(first: int, last: int) -> None:
        to[first:last] = source[first:last]

    in_bands(band, source.shape[0], source.nbytes)


def fill(to: Any, value: Any) -> None:
    """Set every cell of a matrix."""

    def band(first: int, last: int) -> None:
        to[first:last] = value

    in_bands(band, to.shape[0], to.nbytes)
