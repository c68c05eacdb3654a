"""D ← D min.plus D: each product doubles the number of arcs of the paths, until no distance improves.

At most ⌈log2 n⌉ products, because a negative cycle may have n arcs. The matrix is sparse while that is faster, then
full, with infinity where no path is known.
Cormen, Leiserson, Rivest, Stein, *Introduction to Algorithms*, "Shortest paths and matrix multiplication"; O(n³ log n).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp import _trace, trace_cpu
from graphla.algorithms.apsp.initial import cast, choose_dtype, require_room
from graphla.algorithms.apsp.settings import Settings
from graphla.algorithms.shared.distance_range import require_range
from graphla.algorithms.shared.weights import infinity
from graphla.common.errors import NegativeCycle
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Method
from graphla.storage import CompressedMatrix
from semirings import binary, min_plus
from semirings.dtypes import lookup

FULL_FROM = 0.1
"""Share of the cells from which a product of full tiles is faster than one by rows (measured at n = 1000)."""

MATRICES = 3
"""Matrices in memory during a product: the operand, the result, and padded copies."""


def run(G: Graph, s: Settings) -> tuple[Matrix, Any]:
    """Compute distances, and next hops if requested."""
    chosen = choose_dtype(G, s.dtype)
    require_room(G, chosen, s.next_hops, matrices=MATRICES)
    D = close(add_diagonal(G, chosen))
    refuse_negative_cycle(G, D)
    require_range(G, D._storage.values)
    return D, HOPS[G.engine.name](G, D._storage.values) if s.next_hops else None


def add_diagonal(G: Graph, dtype: np.dtype[Any]) -> Matrix:
    """Return the matrix of weights with 0 on the diagonal."""
    weights = CompressedMatrix(G.n, G.n, G.csr.indptr, G.csr.indices, cast(G.csr.values, dtype))
    D = Matrix._from_storage(weights, G.engine).dup()
    here = np.arange(G.n)
    D(binary.min) << Matrix.from_coo(here, here, 0, lookup(dtype), nrows=G.n, ncols=G.n, engine=G.engine)
    return D


def close(D: Matrix) -> Matrix:
    """Compute the fixed point of D min.plus D, as a full matrix."""
    for _ in range(max(1, int(np.ceil(np.log2(max(2, D.nrows)))))):
        if D.nvals > FULL_FROM * D.nrows * D.ncols:
            D = make_full(D)
        E = min_plus(D @ D).new()
        if E.isequal(D):
            break
        D = E
    return make_full(D)


def make_full(D: Matrix) -> Matrix:
    """Fill absent entries with infinity."""
    return Matrix.from_dense(D.to_dense(infinity(D.dtype.numpy)), engine=D.engine)


def refuse_negative_cycle(G: Graph, D: Matrix) -> None:
    """Raise an error if a vertex has a negative distance to itself, hence lies on a negative cycle."""
    diagonal = G.engine.to_host(D._storage.values.diagonal())
    if G.n and diagonal.min() < 0:
        from graphla.algorithms.sssp.negative_cycle import find_negative_cycle

        start = int(diagonal.argmin())
        indptr, indices, weights = (G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values))
        raise NegativeCycle(find_negative_cycle(indptr, indices, weights, start) or (start,))


HOPS = {"cpu": trace_cpu.trace_hops, "cuda": _trace.trace_hops}
"""Next hops from the distances: their sums were made in another order than those over arcs, so that no test by
``D[i, v] + w == D[i, j]`` finds them all."""


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="D ← D min.plus D until nothing is shorter, sparse while it pays, then full",
    source="Cormen, Leiserson, Rivest, Stein",
    also=("next_hops",),
)
