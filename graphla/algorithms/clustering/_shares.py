"""Coefficients of vertices from the arcs between their neighbours, on any engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

Array = Any
KERNELS = Path(__file__).with_name("shares.cuh")
TOGETHER = "double_counts", "count_pairs", "find_shares"


def begin(engine: Any) -> None:
    """Begin to compile what follows the triangles on a GPU."""
    engine.begin(KERNELS, *TOGETHER)
    engine.lists.begin_one("scatter<long long, int>")


def double_counts(engine: Any, triangles: Array) -> Array:
    """The arcs between the neighbours of each vertex of an undirected graph: two for each triangle."""
    return 2 * triangles if engine.name != "cuda" else launch(engine, TOGETHER[0], "int64", triangles)


def count_pairs(engine: Any, degrees: Array) -> Array:
    """The arcs that could join the neighbours of each vertex."""
    return degrees * (degrees - 1) if engine.name != "cuda" else launch(engine, TOGETHER[1], "int64", degrees)


def find_shares(engine: Any, closed: Array, possible: Array) -> Array:
    """The arcs that are there over those that could be; 0 where none could."""
    if engine.name != "cuda":
        return closed / engine.xp.maximum(possible, 1)
    return launch(engine, TOGETHER[2], "float64", closed, possible)


def launch(engine: Any, name: str, dtype: str, *given: Array) -> Array:
    """The array that a kernel makes of others."""
    from graphla.engine.cuda.blocks import launch_over

    n, out = int(given[0].size), engine.xp.empty(given[0].size, dtype)
    if n:
        launch_over(engine.kernel(KERNELS, name, beside=TOGETHER), n, (*given, np.int32(n), out))
    return out
