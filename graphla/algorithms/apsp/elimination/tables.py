"""A structure on a device: the tables that the kernels read, and the fronts of each depth of the tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from graphla.algorithms.apsp.elimination.layout import list_heights, place_strips
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.algorithms.apsp.elimination.tree import measure_depths
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.tropical_operands import TILE_SIDE
from graphla.storage import Array
from graphla.storage.convert import make_pointers

SWEEP_COLUMNS = 8
"""Vertices of a supernode that a thread takes together on the way down, so that it reads a boundary once for them."""
FRONT_SIDE = 384
"""The rows of a front that a block closes at most: its pivots' rows and columns stay in shared memory."""
LARGE_SIDE = FRONT_SIDE
"""Tiles close every front of more rows."""
NARROW_SIDE, NARROW_THREADS, FRONT_THREADS = 32, 64, 256
"""Fronts of up to so many rows get small blocks, so that many are resident."""
TILE_UPDATES = 1 << 22
"""Updates that a block does while the tiles close a front: 80 µs of launches and barriers."""
ALIGNED = 64
"""A front begins at a multiple of so many cells: tiles are read 16 bytes at a time."""


class Level(NamedTuple):
    """The fronts of one depth.

    Parameters
    ----------
    cells : int
        Cells of all fronts together.
    groups : tuple of (int, int, Array)
        The most rows of a front, the threads of a block, and the supernodes whose fronts such blocks close.
    large, large_there : ndarray and Array
        The supernodes whose fronts are closed by tiles, on the host and on the device.
    """

    cells: int
    groups: tuple[tuple[int, int, Array], ...]
    large: Any
    large_there: Array


class Tables(NamedTuple):
    """What the kernels read of a structure; the members are described there and in `fronts_cuda.cuh`."""

    rank: Array
    first: Array
    indptr: Array
    indices: Array
    place: Array
    begin: Array
    arc: Array
    row: Array
    column: Array
    children_of: Array
    children: Array
    at: Array
    stride: Array
    split: Array
    up: Array
    down: Array
    levels: tuple[Level, ...]


class Layout(NamedTuple):
    """Where the fronts lie.

    Parameters
    ----------
    depth, large : ndarray
        Of each front: its depth, and whether tiles close it.
    at, stride, split : ndarray
        Of each front: its first cell, the cells of a row, and the row where its boundary begins.
    cells : ndarray
        The cells of all fronts of each depth.
    up, down : ndarray
        Where the strips of each front's panels begin, with the end of the last.
    """

    depth: Any
    large: Any
    at: Any
    stride: Any
    split: Any
    cells: Any
    up: Any
    down: Any


Choose = Callable[[Any, Any, Any], Any]
"""Of the depth, the width and the height of each front, whether several blocks eliminate it together."""
Kept = TypeVar("Kept")
_placed: WeakKeyDictionary[Structure, dict[Any, Any]] = WeakKeyDictionary()


def keep_with(structure: Structure, key: Any, make: Callable[[], Kept]) -> Kept:
    """Return what `make` makes, which is kept as long as the structure."""
    held = _placed.setdefault(structure, {})
    if key not in held:
        held[key] = make()
    return held[key]


def choose_by_turn(depth: Any, widths: Any, heights: Any) -> Any:
    """Choose the fronts that tiles close: those that no block can, and of each depth those that would delay it.

    Blocks work side by side, while tiles close one front after another: number r in the order of work takes r times
    as long as one.
    """
    updates = widths * heights * heights
    order = np.lexsort((-updates, depth))
    ends = np.searchsorted(depth[order], np.arange(depth.max(initial=0) + 2))
    turn = np.empty_like(depth)
    turn[order] = np.arange(depth.size) - ends[depth[order]] + 1
    return (heights > LARGE_SIDE) | ((updates >= turn * TILE_UPDATES) & (heights >= TILE_SIDE))


def get_layout(structure: Structure, side: int, choose: Choose = choose_by_turn) -> Layout:
    """Return where the fronts lie if those that `choose` calls large have pivot blocks of `side`; computed once."""
    return keep_with(structure, (side, choose), lambda: lay_out(structure, side, choose))


def get_tables(engine: KernelEngine, structure: Structure, side: int, choose: Choose = choose_by_turn) -> Tables:
    """Return the tables of a structure on a device; copied once."""
    key = "fronts", engine, engine.device.number(), side, choose
    return keep_with(structure, key, lambda: make_tables(engine, structure, get_layout(structure, side, choose)))


def lay_out(structure: Structure, side: int, choose: Choose) -> Layout:
    """Place the fronts of each depth one behind another."""
    widths, heights = structure.widths, structure.widths + structure.boundaries
    depth = measure_depths(structure.parent)
    large = choose(depth, widths, heights)
    split = np.where(large, round_up(widths, side), widths)
    stride = np.where(large, round_up(split + structure.boundaries, side), heights)
    sizes, order = round_up(stride * stride, ALIGNED), np.argsort(depth, kind="stable")
    ends, cells = np.cumsum(sizes[order]), np.bincount(depth, weights=sizes).astype(np.int64)
    at = np.empty_like(sizes)
    at[order] = ends - sizes[order] - (np.cumsum(cells) - cells)[depth[order]]
    up, down = (place_strips(widths, rows, SWEEP_COLUMNS) for rows in list_heights(structure))
    return Layout(depth, large, at, stride.astype(np.int32), split.astype(np.int32), cells, up, down)


def round_up(count: Any, step: int) -> Any:
    """Round up to a multiple of `step`."""
    return -(-count // step) * step


def make_tables(engine: KernelEngine, s: Structure, layout: Layout) -> Tables:
    """Copy the tables to a device."""
    send = engine.asarray
    children = np.argsort(s.parent, kind="stable")[np.count_nonzero(s.parent < 0) :].astype(np.int32)
    counts = np.bincount(s.parent[s.parent >= 0], minlength=s.parent.size)
    levels = tuple(make_level(engine, s, layout, depth) for depth in range(layout.cells.size))
    return Tables(
        rank=send(s.rank), first=send(s.first), indptr=send(s.start), indices=send(s.rows), place=send(s.place),
        begin=send(s.begin), arc=send(s.arc), row=send(s.row), column=send(s.column),
        children_of=send(make_pointers(np, counts).astype(np.int32)), children=send(children),
        at=send(layout.at), stride=send(layout.stride), split=send(layout.split),
        up=send(layout.up), down=send(layout.down), levels=levels,
    )  # fmt: skip


def make_level(engine: KernelEngine, s: Structure, layout: Layout, depth: int) -> Level:
    """Group the fronts of one depth by the way that they are closed."""
    here, heights = layout.depth == depth, s.widths + s.boundaries
    narrow = here & ~layout.large & (heights <= NARROW_SIDE)
    wide = here & ~layout.large & (heights > NARROW_SIDE)
    groups = (FRONT_SIDE, FRONT_THREADS, wide), (NARROW_SIDE, NARROW_THREADS, narrow)
    kept = tuple(
        (side, threads, engine.asarray(np.flatnonzero(chosen).astype(np.int32)))
        for side, threads, chosen in groups
        if chosen.any()
    )
    large = np.flatnonzero(here & layout.large).astype(np.int32)
    return Level(int(layout.cells[depth]), kept, large, engine.asarray(large))


def choose_side(itemsize: int) -> int:
    """Choose the number of pivots that tiles close together: the words of a tile, of which two may be in one."""
    return TILE_SIDE * (2 if itemsize == 2 else 1)


def count_bytes(structure: Structure, cells: np.dtype[Any]) -> int:
    """Count the bytes of the panels, of the fronts of two depths, which are held at once, and of the tables."""
    placed = get_layout(structure, choose_side(cells.itemsize))
    fronts = int((placed.cells + np.append(placed.cells[1:], 0)).max(initial=0))
    tables = 16 * (structure.arc.size + structure.rows.size) + 64 * structure.parent.size
    return (int(placed.up[-1] + placed.down[-1]) + fronts) * cells.itemsize + tables
