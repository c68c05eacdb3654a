"""Build a CSR matrix in one pass: each range of rows fills a room that holds as many entries as it could have.

Memory that nobody writes costs nothing. What stays free at the end of an array goes back without a copy; the pieces of
several threads are copied, by all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.engine.cpu.threads import cut_rows, run_for_each
from graphla.storage import Array, CompressedMatrix
from graphla.storage.convert import choose_index_dtype

MOVED = 100_000
"""Room for so many entries is not copied, but packed by one thread: copies of fewer would save nothing."""
SELECTED_COST = 0.25
"""What an entry takes that is copied if a condition holds: what several threads select is copied once more."""
Pointers = tuple[Array, ...]


def fill_once(
    kernel: Callable[..., int],
    weights: Pointers,
    bounds: Pointers,
    given: tuple[Any, ...],
    width: int,
    dtype: str,
    cost: float = 1,
) -> CompressedMatrix:
    """Fill rows by ``kernel(first, last, begin, *given, indptr, indices, values)``, which returns where the last ends.

    The kernel writes entries from `begin` on, and the end of each row. The sum of the pointers `weights` weighs the
    rows, and that of `bounds` bounds their entries, which take `cost` times as long as in a pass; one place more is
    free behind those of each range.
    """
    rows, entries = bounds[0].shape[0] - 1, add_up(bounds, -1)
    ranges = cut_rows(weights, cost) if entries else []
    room = entries + len(ranges)
    pointers = np.zeros(rows + 1, choose_index_dtype(room))
    columns, values = np.empty(room, choose_index_dtype(width)), np.empty(room, dtype)
    begins = [add_up(bounds, first) + k for k, (first, _) in enumerate(ranges)]

    def fill(k: int) -> int:
        return kernel(*ranges[k], begins[k], *given, pointers, columns, values)

    ends = [fill(0)] if len(ranges) == 1 else run_for_each(fill, range(len(ranges)))
    if len(ranges) == 1:
        columns.resize(ends[0], refcheck=False)  # no other array has its memory
        values.resize(ends[0], refcheck=False)
    elif ranges:
        columns, values = (join_pieces(array, begins, ends) for array in (columns, values))
        shift_ends(pointers, ranges, begins, ends)
    return CompressedMatrix(rows, width, pointers.astype(choose_index_dtype(columns.size), copy=False), columns, values)


def add_up(pointers: Pointers, row: int) -> int:
    """Return the sum of several pointers at a row."""
    return sum([each.item(row) for each in pointers])


def find_places(begins: list[int], ends: list[int]) -> list[int]:
    """Return where each piece begins if they stand one after another, and where the last ends."""
    return [0, *np.subtract(ends, begins).cumsum().tolist()]


def join_pieces(array: Array, begins: list[int], ends: list[int]) -> Array:
    """Return the pieces of an array one after another; in its own memory if they are small."""
    places = find_places(begins, ends)
    joined = array if array.shape[0] <= MOVED else np.empty(places[-1], array.dtype)

    def copy(k: int) -> None:
        joined[places[k] : places[k + 1]] = array[begins[k] : ends[k]]

    if joined is array:
        for k in range(len(begins)):
            copy(k)
        joined.resize(places[-1], refcheck=False)
    else:
        run_for_each(copy, range(len(begins)))
    return joined


def shift_ends(pointers: Array, ranges: list[tuple[int, int]], begins: list[int], ends: list[int]) -> None:
    """Count the ends of rows in pieces that stand one after another."""
    for (first, last), begin, place in zip(ranges, begins, find_places(begins, ends), strict=False):
        pointers[first + 1 : last + 1] -= begin - place
