"""e = [maxⱼ D(:, j)]: distances D from each source, a row each, and the largest entries of the rows.

With arcs of length one the rows are frontiers, F<¬L, replace> = F any.pair A; with weights D = D min.plus A until
nothing changes. O(E) per level and source.

Source: Kepner, Gilbert, "Graph Algorithms in the Language of Linear Algebra", 2011.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.bfs.algebraic import search_many
from graphla.algorithms.eccentricity.settings import Settings, finish
from graphla.algorithms.sssp import sssp
from graphla.algorithms.sssp.path_lengths import widen
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import monoid

BATCH = 64
"""Sources whose rows are computed together."""


def run(G: Graph, s: Settings) -> tuple[Any]:
    """The eccentricity of each source."""
    xp, sources, parts = G.engine.xp, list(s.list_sources(G)), []
    for first in range(0, len(sources), BATCH):
        batch = sources[first : first + BATCH]
        D = sssp(widen(G), sources=batch, method="algebraic") if s.weighted else search_many(G, batch)
        parts.append(D.reduce_rowwise(monoid.max).new().to_dense(0))
    return (finish(xp.concatenate(parts) if parts else xp.zeros(0, "int32"), s.weighted),)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="rows of distances, F<¬L, replace> = F any.pair A or D = D min.plus A, and their largest entries",
    source="Kepner, Gilbert, 2011",
)
