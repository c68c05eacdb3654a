"""Each search bounds the eccentricities of all vertices; vertices whose bounds meet need no search of their own.

Searches begin in turn at a vertex that may be central and at one that may be far from others, and later at many
vertices at a time. On the CPU the components of a graph are done one after the other. It pays for all vertices, not for
few.

Source: Takes, Kosters, "Computing the Eccentricity Distribution of Large Graphs", Algorithms 6(1), 2013; for directed
graphs Akiba, Iwata, Kawata, "An Exact Algorithm for Diameters of Large Real Directed Graphs", SEA 2015.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs.many.multi_source import begin_words
from graphla.algorithms.eccentricity._bounds import begin, mark, search_until
from graphla.algorithms.eccentricity.settings import Settings, finish
from graphla.problem import Method
from graphla.storage.convert import gather


def run(G: Any, s: Settings) -> tuple[Any]:
    """The eccentricity of each source."""
    if G.engine.name == "cuda" and not s.weighted:
        begin_words(G)
    found = narrow(G, s, largest=False).low
    chosen = found if s.sources is None else gather(found, G.engine.xp.asarray(s.sources, dtype="int64"))
    return (finish(chosen, s.weighted),)


def narrow(G: Any, s: Settings, largest: bool, most: int | None = None) -> Any:
    """Bounds that have met, or those of the largest have, or that so many searches give."""
    bounds = begin(G, s)
    if G.engine.name == "cpu" and not s.weighted and most is None and G.n:
        from graphla.algorithms.eccentricity._bounds_cpu import bound_hops

        bound_hops(G, s, bounds, mark(G, s.sources), largest)
    if G.n:
        search_until(G, s, bounds, largest, most)
    return bounds


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="each search bounds all eccentricities; where bounds meet, no search is needed",
    source="Takes, Kosters, Algorithms 2013; Akiba, Iwata, Kawata, SEA 2015",
    rank=100,
)
