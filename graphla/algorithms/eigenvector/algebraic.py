"""x = (Aᵀ plus.second x + σ x) / ν with ν = ‖·‖, then σ = (ν - σ) / 8: powers of Aᵀ + σ I, in FP64.

O(V + E) per round.

Source: von Mises, Pollaczek-Geiringer, "Praktische Verfahren der Gleichungsauflösung", ZAMM 9, 1929; the centrality is
that of Bonacich, "Power and Centrality: A Family of Measures", American Journal of Sociology 92(5), 1987.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.eigenvector.shift import move_on, scale
from graphla.algorithms.shared.fixed_point import Power, find_semiring, repeat, start_vector
from graphla.containers.scalar import Scalar
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import binary, plus_times


def run(G: Graph, s: Power) -> tuple[Any, float]:
    """The values, and how much the last round changed them."""
    multiply, x = find_semiring(s), start_vector(G, s, 1 / max(1, G.n) ** 0.5)
    if not G.n:
        return x, 0.0
    H, unit = scale(G, s)
    shift, norm = Scalar("FP64", unit), Scalar("FP64")

    def step(before: Vector) -> None:
        x << before * shift
        x(binary.plus) << multiply(H.A.T @ before)
        norm << plus_times(x @ x) ** 0.5
        x << x / norm
        shift << move_on(shift, norm, unit)

    return x, repeat(step, x, s, swings=True)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="a round is a product: x = (Aᵀ plus.second x + σ x) / ‖·‖",
    source="von Mises, Pollaczek-Geiringer, 1929; Bonacich, 1987",
)
