"""Distances from 64 sources at a time, and their sums: searches that share words of bits, or shortest paths.

Source: Then, Kaufmann, Chirigati et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", PVLDB 8(4),
2014, which was made for closeness.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.bfs.many.multi_source import WORD, search_many
from graphla.algorithms.closeness.settings import Settings
from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp import sssp
from graphla.algorithms.sssp.path_lengths import widen
from graphla.problem import Method
from graphla.storage.convert import add_rows

Array = Any
KERNELS = Path(__file__).with_name("sums.cuh")
THREADS, MOST_BLOCKS = 256, 64
"""Threads of a block, and the most blocks of a search."""


def run(G: Any, s: Settings) -> tuple[Array, Array]:
    """For each source how many vertices it reaches, and the sum of their distances or of the inverse ones."""
    xp, R = G.engine.xp, s.orient(G)
    reached, sums = xp.zeros((2, len(s.sources)))
    if G.engine.name == "cuda" and not s.weighted:
        G.engine.begin(KERNELS, "add_levels")
    for first in range(0, len(s.sources), WORD):
        word = slice(first, first + WORD)
        if s.weighted:
            distances, there = measure(R, s.sources[word])
        else:
            distances = search_many(R, s.sources[word])
            if G.engine.name == "cuda" and not s.harmonic:
                add_levels(G, distances, reached[word], sums[word])
                continue
            there = distances >= 0
        reached[word] = add_rows(there, np.int64)
        if s.weighted or s.harmonic:
            sums[word] = add_up(xp, distances, there, s.harmonic)
        else:
            sums[word] = add_rows(distances, np.int64) + (G.n - reached[word])  # -1 is no level
    return reached, sums


def add_levels(G: Any, levels: Array, reached: Array, sums: Array) -> None:
    """Count the vertices that each search reaches, and add up their levels, by one kernel."""
    kernel = G.engine.kernel(KERNELS, "add_levels")
    blocks = min(MOST_BLOCKS, -(-G.n // THREADS)), levels.shape[0]
    kernel(blocks, THREADS, (levels, np.int64(G.n), reached, sums))


def measure(G: Any, sources: list[int]) -> tuple[Array, Array]:
    """Distances [k, n] from the sources, and where there is one."""
    D = sssp(widen(G), sources=sources)
    none = infinity(np.dtype(D.dtype.numpy))
    distances = D.to_dense(none)
    return distances, distances != none


def add_up(xp: Any, distances: Array, there: Array, harmonic: bool) -> Array:
    """The sum of each row where there is a distance, or of the inverse distances that are not zero."""
    counted = there & (distances > 0)
    held = xp.where(counted, distances, 1).astype(np.float64)
    return add_rows(xp.where(counted, 1 / held if harmonic else held, 0), np.float64)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="sums over the distances of 64 searches at a time, a bit each",
    source="Then et al., PVLDB 2014",
    rank=100,
)
