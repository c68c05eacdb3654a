"""Rows, columns and indices of a whole and of its blocks by kernels of our own; indices of a whole are int64."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from graphla.storage import Array

FILE = "blocks.cuh"
BLOCK_THREADS, MOST_BLOCKS = 256, 1 << 15
"""Threads of a block, and blocks of a launch; each thread takes further elements beyond."""
OWN, PATIENCE = 96, 8
"""Vertices of a trail that a warp keeps for itself, and turns that it keeps them while others could help."""
TOGETHER = (
    "pack_entries", "unpack_entries", "find_blocks<int>", "find_blocks<long long>", "flag_inside", "number_grid",
    "shift<long long, int>", "shift<int, long long>", "shift<long long, long long>", "shift<int, int>",
    "search_sorted<int>", "search_sorted<long long>",
)  # fmt: skip
"""All are compiled as one module: a statement on ranks asks for several."""


def launch_over(kernel: Any, count: int, arguments: tuple[Any, ...]) -> None:
    """Launch a kernel with a thread for each of `count` elements, or for several if there are very many."""
    kernel(min(-(-count // BLOCK_THREADS), MOST_BLOCKS), BLOCK_THREADS, arguments)


def make_launch(file: Path, together: tuple[str, ...] = ()) -> Callable[..., None]:
    """A function that launches a kernel of a file over so many elements, if there are any.

    Those `together` are compiled as one module.
    """

    def launch(engine: Any, name: str, size: int, *arguments: Any) -> None:
        if size:
            launch_over(engine.kernel(file, name, beside=together), int(size), arguments)

    return launch


class DeviceBlocks:
    """The `BlockKernels` of a CUDA engine.

    Parameters
    ----------
    engine : KernelEngine
        Compiles and launches.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine

    def shift(self, given: Array, first: int, step: int, dtype: str) -> Array:
        """Return ``first + step * given`` in a dtype."""
        count = int(given.shape[0])
        out = self.engine.xp.empty(count, dtype)
        name = f"shift<{self.engine.c_type(given)}, {self.engine.c_type(out)}>"
        self.launch(name, count, (given, np.int64(first), np.int64(step), np.int64(count), out))
        return out

    def number_grid(self, shape: tuple[int, int], corner: tuple[int, int]) -> tuple[Array, Array]:
        """Return the row and the column of each cell of a block with a corner."""
        count = shape[0] * shape[1]
        rows, columns = (self.engine.xp.empty(count, "int64") for _ in range(2))
        numbers = (np.int64(each) for each in (shape[1], *corner, count))
        self.launch("number_grid", count, (*numbers, rows, columns))
        return rows, columns

    def find_blocks(self, places: Array, bounds: list[int]) -> Array:
        """Return the block in which each place is."""
        count = int(places.shape[0])
        owners = self.engine.xp.empty(count, "int32")
        self.launch(
            f"find_blocks<{self.engine.c_type(places)}>", count, (places, *self.give(bounds), np.int64(count), owners)
        )
        return owners

    def pack_entries(
        self, rows: Array, columns: Array, row_bounds: list[int], column_bounds: list[int]
    ) -> tuple[Array, Array]:
        """Return the block of each entry, and its row and column there as one number."""
        count = int(rows.shape[0])
        owners, keys = self.engine.xp.empty(count, "int32"), self.engine.xp.empty(count, "int64")
        bounds = *self.give(row_bounds), *self.give(column_bounds)
        self.launch("pack_entries", count, (rows, columns, *bounds, np.int64(count), owners, keys))
        return owners, keys

    def unpack_entries(self, keys: Array) -> tuple[Array, Array]:
        """Return rows and columns of packed entries."""
        count = int(keys.shape[0])
        rows, columns = (self.engine.xp.empty(count, "int32") for _ in range(2))
        self.launch("unpack_entries", count, (keys, np.int64(count), rows, columns))
        return rows, columns

    def flag_inside(self, places: Array, span: tuple[int, int]) -> Array:
        """Flag the places of a span."""
        count = int(places.shape[0])
        flags = self.engine.xp.empty(count, bool)
        self.launch("flag_inside", count, (places, np.int64(span[0]), np.int64(span[1]), np.int64(count), flags))
        return flags

    def search_sorted(self, sorted: Array, keys: Array) -> Array:
        """Return for each key how many of the sorted numbers are less."""
        count = int(keys.shape[0])
        out = self.engine.xp.empty(count, "int64")
        name = f"search_sorted<{self.engine.c_type(sorted)}>"
        self.launch(name, count, (sorted, np.int64(sorted.shape[0]), keys, np.int64(count), out))
        return out

    def give(self, bounds: list[int]) -> tuple[Array, np.int32]:
        """Return the bounds of blocks as a kernel takes them, and how many blocks there are."""
        return self.engine.asarray(np.array(bounds, "int64")), np.int32(len(bounds) - 1)

    def launch(self, name: str, count: int, arguments: tuple[Any, ...]) -> None:
        """Launch a kernel over `count` elements, if there are any."""
        if count:
            launch_over(self.engine.get_own_kernel(FILE, name, beside=TOGETHER), count, arguments)
