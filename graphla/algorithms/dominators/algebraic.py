"""D = I ∨ Aᵀ band.band D: the dominators of a vertex are itself, and what dominates all of its predecessors.

D has a row for each vertex and a bit for each dominator, 64 to a word. It begins with ones, but for the row of the
source, which has only its own bit, and bits are taken away until nothing changes. The dominators of a vertex form a
chain; the immediate one has one dominator less than the vertex itself. O(E V / 64) per round, and as many rounds as the
longest shortest path has arcs, or some more. A row has at least one bit more than there are vertices, which is left
where the source does not lead.

Source: Allen, Cocke, "A Program Data Flow Analysis Procedure", Communications of the ACM 19(3), 1976, as a fixed point
over bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.memory import require
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Method
from graphla.storage import CompressedMatrix, FullMatrix
from graphla.storage.convert import make_full
from semirings import semiring

Array = Any
ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


def run(G: Graph, source: int) -> tuple[Array]:
    """The immediate dominator of each vertex, -1 of what is not reached: int32."""
    n, engine = G.n, G.engine
    words, what = n // 64 + 1, f"a bit for each pair of {n:,} vertices, four times"
    require(32 * n * words, what, engine.xp, "method 'semi_nca' needs none")
    if engine.name == "cuda":
        from graphla.algorithms.dominators import _bits_cuda as steps

        steps.begin(engine)
    else:
        from graphla.algorithms.dominators import _bits as steps
    return (steps.find_last(engine, iterate(G, source, words, steps), n, source),)


def iterate(G: Graph, source: int, words: int, steps: Any) -> Array:
    """Take bits away until nothing changes."""
    xp, engine, csr = G.engine.xp, G.engine, G.csr
    ones = CompressedMatrix(G.n, G.n, csr.indptr, csr.indices, make_full(xp, G.nvals, ONES, "uint64"))
    A: Any = Matrix._from_storage(ones, engine)
    D = make_full(xp, G.n * words, ONES, "uint64").reshape(G.n, words)
    steps.join_own(engine, D, D, source)
    while True:
        T = semiring.band_band(A.T @ Matrix._from_storage(FullMatrix(D), engine)).new("UINT64").to_dense(ONES)
        if not steps.join_own(engine, T, D, source):
            return D
        D = T


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="D = I or Aᵀ band.band D: bits of dominators, taken away until nothing changes",
    source="Allen, Cocke, CACM 1976",
)
