"""Distances from 64 sources at a time, and the largest of each: searches that share words of bits, or shortest paths.

Source: Then, Kaufmann, Chirigati et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", PVLDB 8(4),
2014.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs.many.multi_source import WORD
from graphla.algorithms.eccentricity.settings import Settings, finish, measure
from graphla.problem import Method

DEEP = 64
"""Levels of a search beyond which the frontiers of many rarely meet: then each core of a CPU does one alone."""


def run_cpu(G: Any, s: Settings) -> tuple[Any]:
    """The eccentricity of each source."""
    from graphla.algorithms.eccentricity._searches_cpu import search_each

    sources = list(s.list_sources(G))
    if s.weighted or not sources or search_each(G.csr, sources[:1])[0] <= DEEP:
        return run(G, s)
    return (search_each(G.csr, sources),)


def run(G: Any, s: Settings) -> tuple[Any]:
    """The eccentricity of each source, of a word of them at a time."""
    xp, sources, parts = G.engine.xp, list(s.list_sources(G)), []
    for first in range(0, len(sources), WORD):
        distances, there = measure(G, sources[first : first + WORD], s.weighted)
        parts.append(xp.where(there, distances, distances.dtype.type(0)).max(axis=1))
    return (finish(xp.concatenate(parts) if parts else xp.zeros(0, "int32"), s.weighted),)


method = Method(
    runs={"cpu": run_cpu, "cuda": run},
    idea="the largest distances of 64 searches at a time, a bit each",
    source="Then et al., PVLDB 2014",
    rank=50,
)
