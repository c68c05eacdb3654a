"""x = (Aᵀ plus.second x + x) / ‖·‖: powers of Aᵀ + I. O(V + E) per round.

Source: von Mises, Pollaczek-Geiringer, "Praktische Verfahren der Gleichungsauflösung", ZAMM 9, 1929; the centrality is
that of Bonacich, "Power and Centrality: A Family of Measures", American Journal of Sociology 92(5), 1987.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.fixed_point import Power, find_semiring, full_vector, repeat
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import binary, plus_times


def run(G: Graph, s: Power) -> tuple[Any, float]:
    """The values, and how much the last round changed them."""
    A, multiply, x = G.A, find_semiring(s), full_vector(G, s, 1 / max(1, G.n) ** 0.5)
    if not G.n:
        return x, 0.0

    def step(before: Vector) -> None:
        x(binary.plus) << multiply(A.T @ before)
        x << x / plus_times(x @ x) ** 0.5

    return x, repeat(step, x, s)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="a round is a product: x = (Aᵀ plus.second x + x) / ‖·‖",
    source="von Mises, Pollaczek-Geiringer, 1929; Bonacich, 1987",
)
