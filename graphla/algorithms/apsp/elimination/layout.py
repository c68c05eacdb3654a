"""Panels and tasks of a factor as the kernels of a GPU read them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination import tree
from graphla.algorithms.apsp.elimination.structure import Structure, pad
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.late import compile_late
from graphla.storage.convert import make_pointers


class Strips(NamedTuple):
    """The panels of one way in strips of some own vertices: the cells, and where each front's begin."""

    cells: Any
    offset: Any


def list_heights(structure: Structure) -> tuple[Any, Any]:
    """Return the rows of each front's panels: of the way up, and of the way down."""
    return structure.widths + structure.boundaries, structure.boundaries


def place_strips(widths: Any, heights: Any, columns: int) -> Any:
    """Return where the strips of each front begin, with the end of the last."""
    return make_pointers(np, heights * -(-widths // columns) * columns)


def list_steps(structure: Structure) -> tuple[tuple[Any, Any, Any], tuple[Any, Any, Any]]:
    """Return of the host's panels, up and down: the begin, the step along the rows, the step across own vertices."""
    one = np.ones_like(structure.widths)
    return (structure.up, pad(structure.widths), one), (structure.down, one, pad(structure.boundaries))


def pack(structure: Structure, up: Any, down: Any, infinity: Any, columns: int) -> tuple[Strips, Strips]:
    """Return the strips of the host's panels, on the host."""
    found, widths = [], structure.widths
    for panels, heights, steps in zip((up, down), list_heights(structure), list_steps(structure), strict=True):
        offset = place_strips(widths, heights, columns)
        packed = np.full(offset[-1] + columns, infinity, panels.dtype)
        _copy(widths, heights, panels, *steps, packed, offset, columns, True)
        found.append(Strips(packed, offset))
    return found[0], found[1]


def unpack(structure: Structure, up: Strips, down: Strips, infinity: Any, columns: int) -> tuple[Any, Any]:
    """Return the host's panels of strips on the host."""
    found, widths = [], structure.widths
    for strips, heights, steps in zip((up, down), list_heights(structure), list_steps(structure), strict=True):
        panels = np.full(steps[0][-1], infinity, strips.cells.dtype)
        _copy(widths, heights, panels, *steps, *strips, columns, False)
        found.append(panels)
    return found[0], found[1]


@njit()
def _copy(widths, heights, panels, begin, along, across, packed, offset, columns, forth):  # type: ignore[no-untyped-def]
    """Copy the panels to strips, or back: cell (k, j) is ``j * along[s] + k * across[s]`` from the panel's begin."""
    for s in range(widths.size):
        m = heights[s]
        for k in range(widths[s]):
            there = offset[s] + k // columns * columns * m + k % columns
            here = begin[s] + k * across[s]
            for j in range(m):
                if forth:
                    packed[there + j * columns] = panels[here + j * along[s]]
                else:
                    panels[here + j * along[s]] = packed[there + j * columns]


def list_tasks(structure: Structure, parts: int, columns: int) -> list[Any]:
    """Return the tasks of the way down, level by level: int32[tasks, 4] of low, high, left and right.

    Strips of the supernodes of the top of the tree by their depth, and at last whole subtrees, of at most 1 / `parts`
    of the vertices together.
    """
    ranges = tree.find_ranges(structure.parent, structure.widths, max(1, structure.n // parts))
    top, depth = np.ones(structure.parent.size, bool), tree.measure_depths(structure.parent)
    for low, high in ranges:
        top[low:high] = False
    levels = [
        cut_strips(np.flatnonzero(top & (depth == level)), structure.widths, columns)
        for level in range(int(depth[top].max(initial=-1)) + 1)
    ]
    whole = np.zeros((ranges.shape[0], 4), np.int32)
    whole[:, :2], whole[:, 3] = ranges, structure.n
    return [*levels, whole] if whole.size else levels


def list_strips(structure: Structure, columns: int) -> list[Any]:
    """Return the strips of all supernodes by their depth, as tasks."""
    depth = tree.measure_depths(structure.parent)
    by_depth = np.split(np.argsort(depth, kind="stable"), np.cumsum(np.bincount(depth))[:-1]) if depth.size else []
    return [cut_strips(supernodes, structure.widths, columns) for supernodes in by_depth]


def cut_strips(supernodes: Any, widths: Any, columns: int) -> Any:
    """Return a task for each strip of some supernodes."""
    strips = -(-widths[supernodes] // columns)
    s = np.repeat(supernodes, strips)
    left = columns * (np.arange(s.size) - np.repeat(np.cumsum(strips) - strips, strips))
    return np.stack([s, s + 1, left, left + columns], 1).astype(np.int32)


@compile_late(0.4, lambda positions, of, parent: positions.size + parent.size)
def mark_ancestors(positions, of, parent):  # type: ignore[no-untyped-def]
    """Return the supernodes of some positions and all their ancestors, in ascending order."""
    seen = np.zeros(parent.size, np.bool_)
    for i in positions:
        s = of[i]
        while s >= 0 and not seen[s]:
            seen[s] = True
            s = parent[s]
    return np.flatnonzero(seen)
