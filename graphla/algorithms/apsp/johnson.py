"""Johnson: potentials that make every weight non-negative, then a search from every vertex.

h[v] = min over u of (0 or h[u] + w(u, v)), a fixed point of min-plus products (Bellman–Ford), which exists unless a
cycle is negative; w'(u, v) = w + h[u] − h[v] ≥ 0 has the same shortest paths, and d(i, j) = d'(i, j) − h[i] + h[j].
O(n m log n) or so.

D. B. Johnson, "Efficient algorithms for shortest paths in sparse networks", J. ACM 24(1), 1977.
"""

from __future__ import annotations

import math
from typing import Any

from graphla.algorithms.apsp._file import OUTPUT, PROGRESS
from graphla.algorithms.apsp._potentials import potentials, restored, reweighted
from graphla.algorithms.apsp._rows import swept
from graphla.algorithms.apsp._start import non_negative
from graphla.algorithms.apsp._towards import against
from graphla.algorithms.sssp._weights import distance_dtype
from graphla.problem import Method

LARGEST = 2**63
"""What a sum of an arc, its potentials and a path over such arcs must stay below."""


def run(G: Any, *, next_hops: bool = False, output: Any = None, progress: Any = None) -> tuple[Any, Any]:
    """Distances, and next hops if asked for."""
    chosen, h = distance_dtype(G.csr.values.dtype), potentials(G)
    over = reweighted(G, h)
    if next_hops:
        over, h = against(over), -h
    return swept(G, "johnson", chosen, next_hops, output, progress, over, restored(G.engine.xp, h, chosen))


def refuses(G: Any, request: Any) -> str | None:
    if request.get("dtype") is not None:
        return "its distances have the dtype that the weights ask for; 'blocked_floyd_warshall' takes dtype"
    if G.dtype.name == "UINT64":
        return "UINT64 weights do not fit its potentials; 'sssp_sweep' takes them"
    if G.min_weight == -math.inf:
        return "the smallest weight is -inf, and potentials must be finite; 'blocked_floyd_warshall' takes it"
    if G.dtype.name == "INT64" and not non_negative(G) and 3 * G.n * largest(G) >= LARGEST:
        return "sums of these INT64 weights may not fit its potentials; 'blocked_floyd_warshall' takes them"
    return None


def largest(G: Any) -> int:
    """The largest weight, whatever its sign."""
    return max(-int(G.min_weight), int(G.csr.values.max()))


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="Bellman–Ford potentials make the weights non-negative, then a search from every vertex",
    source="Johnson, J. ACM 1977",
    options={"output": OUTPUT, "progress": PROGRESS},
    refuses=refuses,
    also=("next_hops",),
    rank=10,
)
