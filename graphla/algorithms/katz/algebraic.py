"""x = α Aᵀ plus.second x + β: a vertex has β of its own and α of what each in-neighbour has. O(V + E) per round.

Source: Katz, "A New Status Index Derived from Sociometric Analysis", Psychometrika 18, 1953.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.pagerank._power import Power, change_of_vectors, find_semiring, full_vector, iterate
from graphla.containers.vector import Vector
from graphla.graph import Graph
from graphla.problem import Method
from semirings import binary


def run(G: Graph, alpha: float, beta: float, s: Power) -> tuple[Any, float]:
    """The values, and how much the last round changed them."""
    A, multiply, own = G.A, find_semiring(s), full_vector(G, s, beta)

    def step(x: Vector) -> Vector:
        y = own.dup()
        y(binary.plus) << multiply(A.T @ (x * alpha).new(s.dtype))
        return y

    return iterate(step, full_vector(G, s, 0), s, change_of_vectors)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="a round is a product: x = α Aᵀ plus.second x + β",
    source="Katz, 1953",
)
