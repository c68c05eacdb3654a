"""a = Aᵀ plus.second h, h = A plus.second a, each over its sum. O(V + E) per round.

Source: Kleinberg, "Authoritative Sources in a Hyperlinked Environment", J. ACM 46(5), 1999; as in LAGraph.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.pagerank._power import Power, change_of_vectors, find_semiring, full_vector, iterate
from graphla.containers.vector import Vector
from graphla.graph import Graph
from graphla.problem import Method
from semirings import binary, monoid


def run(G: Graph, s: Power) -> tuple[Any, Any, float]:
    """Hub values, authorities, and how much the last round changed the hub values."""
    A, multiply, zero = G.A, find_semiring(s), full_vector(G, s, 0)

    def over_sum(expression: Any) -> Vector:
        y = zero.dup()
        y(binary.plus) << expression
        total = float(y.reduce(monoid.plus).new().get(0))
        return (y / (total or 1)).new(s.dtype)

    h = full_vector(G, s, 1 / max(1, G.n) if G.nvals else 0)
    h, residual = iterate(lambda h: over_sum(multiply(A @ over_sum(multiply(A.T @ h)))), h, s, change_of_vectors)
    return h, over_sum(multiply(A.T @ h)), residual


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="a round is two products: a = Aᵀ plus.second h, h = A plus.second a",
    source="Kleinberg, J. ACM 1999; LAGraph",
)
