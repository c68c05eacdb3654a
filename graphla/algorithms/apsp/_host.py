"""Copy and fill large host matrices on all cores; one core uses a fraction of the memory bandwidth."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from graphla.engine.cpu.threads import count_workers, get_pool

NAME = "graphla-copy"
WORTH_A_THREAD = 1 << 22
"""Bytes per thread below which starting a thread costs more than it saves."""


def run_in_bands(work: Callable[[int, int], Any], rows: int, nbytes: int) -> None:
    """Call ``work(first, last)`` for row ranges that cover all rows."""
    parts = max(1, min(rows, 4 * count_workers(), nbytes // WORTH_A_THREAD))
    if parts == 1:
        work(0, rows)
        return
    cuts = [rows * part // parts for part in range(parts + 1)]
    for task in [get_pool(NAME).submit(work, *band) for band in pairwise(cuts)]:
        task.result()


def copy(to: Any, source: Any) -> None:
    """Copy `source` into `to`."""

    def copy_band(first: int, last: int) -> None:
        to[first:last] = source[first:last]

    run_in_bands(copy_band, source.shape[0], source.nbytes)


def fill(to: Any, value: Any) -> None:
    """Set every cell of a matrix."""

    def fill_band(first: int, last: int) -> None:
        to[first:last] = value

    run_in_bands(fill_band, to.shape[0], to.nbytes)
