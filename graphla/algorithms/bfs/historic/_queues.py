"""Searches whose frontiers lie behind one another in one list, with a launch and a read-back a level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import BLOCK, count_blocks, get_kernel, start_answer

Array = Any


def start_list(G: Any, source: int, words: int = 1) -> tuple[Array, Array]:
    """The list with its source, and the state whose first word is the list's tail."""
    xp = G.engine.xp
    listed, state = xp.empty(max(G.n, 1), np.int32), xp.zeros(words, np.int32)
    listed[0] = source
    state[0] = 1
    return listed, state


def search_by_level(G: Any, source: int, expand: Callable[[Array, Array, Array, int, int, int], None]) -> Array:
    """Call `expand(levels, list, tail, first, last, depth)` until it appends nothing; return the levels."""
    levels, _ = start_answer(G, source, parents=False)
    listed, tail = start_list(G, source)
    first, last, depth = 0, 1, 0
    while first < last:
        expand(levels, listed, tail, first, last, depth)
        first, last, depth = last, int(tail[0]), depth + 1
    return levels


def search_with(G: Any, source: int, name: str) -> tuple[Array, None]:
    """The search of a kernel `name` in `name.cuh` that gives a thread to each vertex of the frontier."""
    search = get_kernel(G, name, f"{name}<{G.engine.c_type(G.csr.indptr)}>")

    def expand(levels: Array, listed: Array, tail: Array, first: int, last: int, depth: int) -> None:
        where = (np.int32(first), np.int32(last), tail, np.int32(depth))
        search(count_blocks(last - first), BLOCK, (G.csr.indptr, G.csr.indices, levels, listed, *where))

    return search_by_level(G, source, expand), None
