"""Searches that sweep over a whole array at every level, until a sweep finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import BLOCK, count_blocks, get_kernel, start_answer

Array = Any


def sweep(G: Any, source: int, step: Callable[[Array, Array, np.int32], None]) -> tuple[Array, None]:
    """Call `step(levels, newest, depth)` level by level; it raises `newest` to depth + 1 if it finds a vertex."""
    levels, _ = start_answer(G, source, parents=False)
    newest = G.engine.xp.zeros(1, np.int32)
    depth = 0
    while int(newest[0]) == depth:
        step(levels, newest, np.int32(depth))
        depth += 1
    return levels, None


def sweep_vertices(G: Any, source: int, name: str, rows: Any) -> tuple[Array, None]:
    """The sweep of a kernel `name` in `name.cuh` that gives a thread to each vertex and its row."""
    search = get_kernel(G, name, f"{name}<{G.engine.c_type(rows.indptr)}>")
    n, grid = np.int32(G.n), count_blocks(G.n)

    def step(levels: Array, newest: Array, depth: np.int32) -> None:
        search(grid, BLOCK, (n, rows.indptr, rows.indices, levels, newest, depth))

    return sweep(G, source, step)
