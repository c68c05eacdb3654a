"""Blocked Floyd–Warshall: a block of vertices at a time, and nearly all the work is a tropical product.

For each block K of vertices: close the square D[K, K] under min-plus; then the rows D[K, :] and the columns D[:, K]
over the closed square; then D[i, j] = min(D[i, j], min over k in K of D[i, k] + D[k, j]) everywhere else. O(n³).

G. Venkataraman, S. Sahni, S. Mukhopadhyaya, "A blocked all-pairs shortest-paths algorithm", J. Exp. Algorithmics 8,
2003; G. J. Katz, J. T. Kider, "All-pairs shortest-paths for large graphs on the GPU", Graphics Hardware 2008.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.apsp._start import dtype_of, full, non_negative, refuse_cycle, require_room
from graphla.algorithms.apsp._tiles import arcs, closed, numbers, padded, side_of, weights
from graphla.problem import Method


def run_cpu(G: Any, *, next_hops: bool = False, dtype: Any = None) -> tuple[Any, Any]:
    """Distances, and next hops if asked for."""
    from graphla.algorithms.apsp._blocked import solve

    chosen = dtype_of(G, dtype)
    require_room(G, chosen, next_hops)
    D, H = full(G, chosen, next_hops)
    refuse_cycle(G, solve(D, H, non_negative(G)))
    return D, H


def run_cuda(G: Any, *, next_hops: bool = False, dtype: Any = None) -> tuple[Any, Any]:
    """Distances, and next hops if asked for, on the device; the host waits once, for the word on negative cycles."""
    xp, chosen = G.engine.xp, dtype_of(G, dtype)
    require_room(G, chosen, next_hops)
    kind = numbers(chosen, non_negative(G))
    stride = padded(G.n, kind.per_word)
    D = weights(G, chosen, stride)
    H = arcs(G, chosen, stride) if next_hops else None
    refuse_cycle(G, int(closed(G.engine, D, H, kind, side_of(G.n))[0]))
    return tuple(None if part is None else xp.ascontiguousarray(part[: G.n, : G.n]) for part in (D, H))


method = Method(
    runs={"cpu": run_cpu, "cuda": run_cuda},
    idea="close a block of vertices, its rows and columns, then one tropical product over it, block by block",
    source="Venkataraman, Sahni, Mukhopadhyaya, JEA 2003; Katz, Kider, Graphics Hardware 2008",
    also=("next_hops",),
    rank=50,
)
