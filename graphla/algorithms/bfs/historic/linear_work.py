"""Expansion by prefix sums into an edge frontier, then filtering back to a vertex frontier.

Expansion gathers all heads of the frontier, either serially (a thread its own row) or finely (the threads of
a block share the rows of the block, whatever their lengths). Filtering drops heads seen before and duplicates:
most by a bitmap and by a small hash table a warp, the last by an atomic on the bitmap. O(V + E).

Source: Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal", PPoPP 2012; the poster "BFS and APSP on
GPUs" compares the two ways of gathering.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import (
    BLOCK,
    count_blocks,
    get_kernel,
    make_answer,
    name_tree_type,
    start_answer,
)
from graphla.algorithms.shared.search_settings import Settings
from graphla.problem import Choice, Method

Array = Any


def _count_arcs(G: Any, frontier: Array) -> int:
    """How many arcs leave the frontier."""
    return int((G.csr.indptr[frontier + 1] - G.csr.indptr[frontier]).sum())


def _start_bitmap(G: Any, source: int) -> Array:
    seen = G.engine.xp.zeros(-(-G.n // 32), np.uint32)
    seen[source >> 5] = np.uint32(1 << (source & 31))
    return seen


def run(G: Any, source: int, s: Settings, *, gathering: str = "fine") -> tuple[Array, Array | None]:
    """Levels and parents."""
    xp = G.engine.xp
    levels, above = start_answer(G, source, s.parents)
    expand = get_kernel(G, "linear_work", f"expand_{gathering}<{G.engine.c_type(G.csr.indptr)}>")
    keep = get_kernel(G, "linear_work", f"filter<{name_tree_type(s.parents)}>")
    seen, frontier = _start_bitmap(G, source), xp.full(1, source, np.int32)
    depth = 0
    while frontier.size:
        arcs, counts = _count_arcs(G, frontier), xp.zeros(2, np.uint64)
        heads, tails = xp.empty(arcs, np.int32), xp.empty(arcs, np.int32)
        rows = (G.csr.indptr, G.csr.indices, frontier, np.int32(frontier.size))
        expand(count_blocks(frontier.size), BLOCK, (*rows, heads, tails, counts[:1]))
        found = xp.empty(min(arcs, G.n), np.int32)
        edges = (heads, tails, np.int64(arcs), seen, levels, above, np.int32(depth))
        keep(count_blocks(arcs), BLOCK, (*edges, found, counts[1:]))
        frontier, depth = found[: int(counts[1])], depth + 1
    return make_answer(levels, above, s.parents)


method = Method(
    runs={"cuda": run},
    idea="expand by prefix sums, then filter vertices seen before and duplicates",
    source="Merrill, Garland, Grimshaw, PPoPP 2012",
    options={
        "gathering": Choice(
            "fine", "serial", text="who copies neighbours: the threads of a block together, or each thread its own"
        )
    },
    also=("parents",),
)
