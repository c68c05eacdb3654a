"""Johnson: potentials that make every weight non-negative, then a search from every vertex.

h[v] = min over u of (0 or h[u] + w(u, v)), a fixed point of min-plus products (Bellman–Ford), which exists unless a
cycle is negative; w'(u, v) = w + h[u] − h[v] ≥ 0 has the same shortest paths, and d(i, j) = d'(i, j) − h[i] + h[j].
About O(n m log n).

D. B. Johnson, "Efficient algorithms for shortest paths in sparse networks", J. ACM 24(1), 1977.
"""

from __future__ import annotations

import math
from typing import Any

from graphla.algorithms.apsp._towards import reverse_graph
from graphla.algorithms.apsp.batches import sweep
from graphla.algorithms.apsp.distance_file import OUTPUT, PROGRESS
from graphla.algorithms.apsp.initial import is_non_negative
from graphla.algorithms.apsp.potentials import compute_potentials, make_restore, reweight
from graphla.algorithms.apsp.settings import Settings
from graphla.algorithms.shared.weights import distance_dtype
from graphla.problem import Method

LARGEST = 2**63
"""The sum of an arc, its potentials and a path of such arcs must stay below this."""


def run(G: Any, s: Settings, *, output: Any = None, progress: Any = None) -> tuple[Any, Any]:
    """Compute distances, and next hops if requested."""
    chosen, h = distance_dtype(G.csr.values.dtype), compute_potentials(G)
    over = reweight(G, h)
    if s.next_hops:
        over, h = reverse_graph(over), -h
    return sweep(G, "johnson", chosen, s.next_hops, output, progress, over, make_restore(G.engine.xp, h, chosen))


def refuses(G: Any, request: Any) -> str | None:
    if request.get("dtype") is not None:
        return "its distances have the dtype that the weights ask for; 'blocked_floyd_warshall' takes dtype"
    if G.dtype.name == "UINT64":
        return "UINT64 weights do not fit its potentials; 'sssp_sweep' takes them"
    if G.min_weight == -math.inf:
        return "the smallest weight is -inf, and potentials must be finite; 'blocked_floyd_warshall' takes it"
    if G.dtype.name == "INT64" and not is_non_negative(G) and 3 * G.n * find_largest_weight(G) >= LARGEST:
        return "sums of these INT64 weights may not fit its potentials; 'blocked_floyd_warshall' takes them"
    return None


def find_largest_weight(G: Any) -> int:
    """Return the largest magnitude of a weight."""
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
