"""D ← D min.plus D: paths of twice as many arcs with each product, until nothing is shorter.

⌈log2 n⌉ products at most, for a negative cycle may have n arcs. The matrix is sparse while that pays, then full, with
infinity where no path is known.
Cormen, Leiserson, Rivest, Stein, *Introduction to Algorithms*, "Shortest paths and matrix multiplication"; O(n³ log n).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp import _trace, _trace_cpu
from graphla.algorithms.apsp._start import cast, dtype_of, require_room
from graphla.algorithms.sssp._range import require_range
from graphla.algorithms.sssp._weights import infinity
from graphla.containers.matrix import Matrix
from graphla.errors import NegativeCycle
from graphla.graph import Graph
from graphla.problem import Method
from graphla.storage import CompressedMatrix
from semirings import binary, min_plus
from semirings.dtypes import lookup

FULL_FROM = 0.1
"""Share of the cells from which a product of full tiles is cheaper than one by rows (measured at n = 1000)."""

MATRICES = 3
"""Matrices that a product has at once: two operands, which are the same, the result, and what the kernels pad."""


def run(G: Graph, *, next_hops: bool = False, dtype: Any = None) -> tuple[Matrix, Any]:
    """Distances, and next hops if asked."""
    chosen = dtype_of(G, dtype)
    require_room(G, chosen, next_hops, matrices=MATRICES)
    D = squared(with_diagonal(G, chosen))
    refuse_negative_cycle(G, D)
    require_range(G, D._storage.values)
    return D, HOPS[G.engine.name](G, D._storage.values) if next_hops else None


def with_diagonal(G: Graph, dtype: np.dtype[Any]) -> Matrix:
    """The weights, and 0 from each vertex to itself."""
    weights = CompressedMatrix(G.n, G.n, G.csr.indptr, G.csr.indices, cast(G.csr.values, dtype))
    D = Matrix._from_storage(weights, G.engine).dup()
    here = np.arange(G.n)
    D(binary.min) << Matrix.from_coo(here, here, 0, lookup(dtype), nrows=G.n, ncols=G.n, engine=G.engine)
    return D


def squared(D: Matrix) -> Matrix:
    """The fixed point of D min.plus D, as a full matrix."""
    for _ in range(max(1, int(np.ceil(np.log2(max(2, D.nrows)))))):
        if D.nvals > FULL_FROM * D.nrows * D.ncols:
            D = full(D)
        E = min_plus(D @ D).new()
        if E.isequal(D):
            break
        D = E
    return full(D)


def full(D: Matrix) -> Matrix:
    """The same with infinity for every absent entry."""
    return Matrix.from_dense(D.to_dense(infinity(D.dtype.numpy)), engine=D.engine)


def refuse_negative_cycle(G: Graph, D: Matrix) -> None:
    """A vertex that is nearer to itself than 0 lies on a negative cycle."""
    diagonal = G.engine.to_host(D._storage.values.diagonal())
    if G.n and diagonal.min() < 0:
        from graphla.algorithms.sssp._cycle import find_negative_cycle

        start = int(diagonal.argmin())
        indptr, indices, weights = (G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values))
        raise NegativeCycle(find_negative_cycle(indptr, indices, weights, start) or (start,))


HOPS = {"cpu": _trace_cpu.traced, "cuda": _trace.traced}
"""Next hops from the distances: their sums were made in another order than those over arcs, so that no test by
``D[i, v] + w == D[i, j]`` finds them all."""


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="D ← D min.plus D until nothing is shorter, sparse while it pays, then full",
    source="Cormen, Leiserson, Rivest, Stein",
    also=("next_hops",),
)
