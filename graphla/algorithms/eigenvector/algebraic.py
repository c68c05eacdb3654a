"""x = (Aᵀ plus.second x + x) / ‖·‖: powers of Aᵀ + I. O(V + E) per round.

Source: von Mises, Pollaczek-Geiringer, "Praktische Verfahren der Gleichungsauflösung", ZAMM 9, 1929; the centrality is
that of Bonacich, "Power and Centrality: A Family of Measures", American Journal of Sociology 92(5), 1987.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.pagerank._power import Power, change_of_vectors, find_semiring, full_vector, iterate
from graphla.containers.vector import Vector
from graphla.graph import Graph
from graphla.problem import Method
from semirings import binary, plus_times


def run(G: Graph, s: Power) -> tuple[Any, float]:
    """The values, and how much the last round changed them."""
    A, multiply = G.A, find_semiring(s)

    def step(x: Vector) -> Vector:
        y = x.dup()
        y(binary.plus) << multiply(A.T @ x)
        norm = float(plus_times(y @ y).new().get(0)) ** 0.5
        return (y / (norm or 1)).new(s.dtype)

    return iterate(step, full_vector(G, s, 1 / max(1, G.n) ** 0.5), s, change_of_vectors)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="a round is a product: x = (Aᵀ plus.second x + x) / ‖·‖",
    source="von Mises, Pollaczek-Geiringer, 1929; Bonacich, 1987",
)
