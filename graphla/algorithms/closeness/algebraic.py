"""s = [+ⱼ D(:, j)]: distances D from each source, a row each, and the sums of the rows.

With arcs of length one the rows are frontiers, F<¬L, replace> = F any.pair A; with weights D = D min.plus A until
nothing changes. O(E) per level and source.

Source: Kepner, Gilbert, "Graph Algorithms in the Language of Linear Algebra", 2011; closeness as in Bavelas,
"Communication Patterns in Task-Oriented Groups", 1950.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs.algebraic import search_many
from graphla.algorithms.closeness.settings import Settings
from graphla.algorithms.sssp import sssp
from graphla.algorithms.sssp.path_lengths import widen
from graphla.containers.aggregators import agg
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import monoid

BATCH = 64
"""Sources whose rows are computed together."""


def run(G: Graph, s: Settings) -> tuple[Any, Any]:
    """For each source how many vertices it reaches, and the sum of their distances or of the inverse ones."""
    xp, R = G.engine.xp, s.orient(G)
    reached, sums = xp.zeros((2, len(s.sources)))
    for first in range(0, len(s.sources), BATCH):
        D = measure(R, s.sources[first : first + BATCH], s.weighted)
        reached[first : first + BATCH] = D.reduce_rowwise(agg.count).new("FP64").to_dense(0)
        if s.harmonic:
            D = (1 / D.select("valuegt", 0).new("FP64")).new("FP64")
        sums[first : first + BATCH] = D.reduce_rowwise(monoid.plus).new("FP64").to_dense(0)
    return reached, sums


def measure(G: Graph, sources: list[int], weighted: bool) -> Matrix:
    """Distances from the sources, a row each, in FP64."""
    if not weighted:
        return search_many(G, sources).dup("FP64")
    return sssp(widen(G), sources=sources, method="algebraic").dup("FP64")


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="rows of distances, F<¬L, replace> = F any.pair A or D = D min.plus A, and their sums",
    source="Bavelas, 1950; Kepner, Gilbert, 2011",
)
