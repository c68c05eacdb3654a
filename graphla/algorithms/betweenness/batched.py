"""Thirty-two sources side by side: a word of bits per vertex, and the numbers of its sources next to each other.

All searches share each look at an arc. A level is a sum over the rows of the vertices that some source has not seen, of
the neighbours in whose words one of those sources has a bit; the way back is the same over the vertices of a level and
the words of the next one. Rows of hubs are cut into pieces. Made for graphs of few levels, or many sources. More paths
than FP32 holds are counted in FP64, and what that does not hold is left to `brandes`.

Source: Brandes, J. Math. Sociol. 25(2), 2001; the words as in Then et al., "The More the Merrier: Efficient
Multi-Source Graph Traversal", PVLDB 8(4), 2014; sources side by side as in Sariyüce, Saule, Kaya, Çatalyürek,
"Regularizing Graph Centrality Computations", JPDC 76, 2015.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.betweenness.settings import Settings
from graphla.algorithms.bfs import fused
from graphla.common.arguments import find_int
from graphla.problem import Method

DEEP = 48
"""Levels from which on few sources are faster one at a time: a level costs two launches and a look at all rows."""
FEW = 8
"""The most sources that are few."""
DEEPEST = 1024
"""Levels from which on all are."""
WORDS_BYTES = 1 << 31
"""Bytes of words, one per vertex and level, from which on all are."""


def run(G: Any, s: Settings) -> tuple[Any]:
    """Sums over the sources: a number per vertex."""
    from graphla.algorithms.betweenness._batched_cuda import accumulate

    return (accumulate(G, s),)


def begin_and_count(G: Any, sources: int, dtype: Any) -> int:
    """Count the levels; on a graph that is surely shallow kernels are compiled meanwhile."""
    if G.engine.name == "cuda" and fused.is_surely_wide(G):
        from graphla.algorithms.betweenness._batched_cuda import begin

        begin(G, sources, "double" if dtype is not None and str(dtype) == "FP64" else "float")
    return count_levels(G)


def count_levels(G: Any) -> int:
    """The levels of a search from the vertex of the most arcs."""
    return int(fused.search(G, int(G.degrees.argmax()))[0].max()) + 1 if G.n else 0


def _refuses(G: Any, request: Any) -> str | None:
    if request.get("weights"):
        return "it counts arcs, not lengths; method 'brandes' has lengths"
    if request.get("edges"):
        return "it finds no edges; method 'brandes' does"
    count = count_sources(G, request.get("sources"))
    levels = G.cached("betweenness.levels", lambda g: begin_and_count(g, count, request.get("dtype")))
    few = count <= FEW
    if levels > DEEPEST or 4 * levels * G.n > WORDS_BYTES or (levels > DEEP and few):
        return f"a search of this graph has {levels} levels; method 'brandes' goes through them one source at a time"
    return None


def count_sources(G: Any, sources: Any) -> int:
    """How many sources a request has."""
    if sources is None:
        return G.n
    count = find_int(sources)
    return len(sources) if count is None else count


method = Method(
    runs={"cuda": run},
    idea="32 sources side by side, a word of bits per vertex and a launch per level",
    source="Brandes, 2001; Then et al., PVLDB 2014; Sariyüce et al., JPDC 2015",
    refuses=_refuses,
    rank=100,
)
