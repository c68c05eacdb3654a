"""D = I ∨ Aᵀ band.band D: the dominators of a vertex are itself, and what dominates all of its predecessors.

D has a row for each vertex and a bit for each dominator, 64 to a word. It begins with ones, but for the row of the
source, which has only its own bit, and bits are taken away until nothing changes. The dominators of a vertex form a
chain; the immediate one has one dominator less than the vertex itself. O(E V / 64) per round, and as many rounds as the
longest shortest path has arcs, or some more.

Source: Allen, Cocke, "A Program Data Flow Analysis Procedure", Communications of the ACM 19(3), 1976, as a fixed point
over bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.common.memory import require
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Method
from graphla.storage.convert import is_all
from semirings import semiring

Array = Any
ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
CELLS = 1 << 22
"""Bits that are looked at together."""


def run(G: Graph, source: int) -> tuple[Array]:
    """The immediate dominator of each vertex, -1 of what is not reached: int32."""
    xp, n, words = G.engine.xp, G.n, -(-G.n // 64)
    require(32 * n * words, f"a bit for each pair of {n:,} vertices, four times", xp, "method 'semi_nca' needs none")
    own, vertices = xp.zeros((n, words), np.uint64), xp.arange(n)
    own[vertices, vertices // 64] = np.uint64(1) << (vertices % 64).astype(np.uint64)
    D = iterate(G, source, own)
    reached = bfs(G, source).to_dense(-1) >= 0
    return (find_last(xp, D, xp.flatnonzero(reached), reached, source),)


def iterate(G: Graph, source: int, own: Array) -> Array:
    """Take bits away until nothing changes."""
    xp, engine = G.engine.xp, G.engine
    A: Any = Matrix.from_csr(G.csr.indptr, G.csr.indices, xp.full(G.nvals, ONES), ncols=G.n, engine=engine)
    D = xp.full(own.shape, ONES)
    D[source] = own[source]
    while True:
        T = semiring.band_band(A.T @ Matrix.from_dense(D, engine=engine)).new("UINT64").to_dense(ONES)
        later = T | own
        later[source] = own[source]
        if is_all(later == D):
            return D
        D = later


def find_last(xp: Any, D: Array, there: Array, reached: Array, source: int) -> Array:
    """For each vertex the dominator that has one dominator less."""
    n, shifts = reached.size, xp.arange(64, dtype=np.uint64)
    step = max(1, CELLS // max(1, n))
    sizes, found = xp.zeros(n, np.int64), xp.full(n, -1, np.int32)
    for rows in (there[k : k + step] for k in range(0, there.size, step)):
        sizes[rows] = unpack(D[rows], shifts, n).astype(np.int64).sum(axis=1)
    for rows in (there[k : k + step] for k in range(0, there.size, step)):
        last = unpack(D[rows], shifts, n) & reached & (sizes == sizes[rows][:, None] - 1)
        found[rows] = last.argmax(axis=1)
    found[source] = source
    return found


def unpack(words: Array, shifts: Array, n: int) -> Array:
    """The bits of words as truths."""
    bits = (words[:, :, None] >> shifts) & np.uint64(1)
    return bits.reshape(words.shape[0], -1)[:, :n] != 0


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="D = I or Aᵀ band.band D: bits of dominators, taken away until nothing changes",
    source="Allen, Cocke, CACM 1976",
)
