"""Distances from 64 sources at a time, and their sums: searches that share words of bits, or shortest paths.

Source: Then, Kaufmann, Chirigati et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", PVLDB 8(4),
2014, which was made for closeness.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.betweenness._lengths import widen
from graphla.algorithms.bfs._multi_source import WORD, search_many
from graphla.algorithms.closeness._settings import Settings
from graphla.algorithms.sssp import sssp
from graphla.algorithms.sssp._weights import infinity
from graphla.problem import Method

Array = Any


def run(G: Any, s: Settings) -> tuple[Array, Array]:
    """For each source how many vertices it reaches, and the sum of their distances or of the inverse ones."""
    xp, R = G.engine.xp, s.orient(G)
    reached, sums = xp.zeros((2, len(s.sources)))
    for first in range(0, len(s.sources), WORD):
        word = slice(first, first + WORD)
        distances, there = measure(R, s.sources[word], s.weighted)
        reached[word] = there.sum(axis=1)
        counted = there & (distances > 0) if s.harmonic else there
        held = xp.where(counted, distances, 1).astype(np.float64)
        sums[word] = xp.where(counted, 1 / held if s.harmonic else held, 0).sum(axis=1)
    return reached, sums


def measure(G: Any, sources: list[int], weighted: bool) -> tuple[Array, Array]:
    """Distances [k, n] from the sources, and where there is one."""
    if not weighted:
        levels = search_many(G, sources)
        return levels, levels >= 0
    D = sssp(widen(G), sources=sources)
    none = infinity(np.dtype(D.dtype.numpy))
    distances = D.to_dense(none)
    return distances, distances != none


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="sums over the distances of 64 searches at a time, a bit each",
    source="Then et al., PVLDB 2014",
    rank=100,
)
