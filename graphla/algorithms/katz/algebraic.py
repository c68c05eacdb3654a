"""x = α Aᵀ plus.second x + β: a vertex has β of its own and α of what each in-neighbour has.

O(V + E) per round, in FP64.

Source: Katz, "A New Status Index Derived from Sociometric Analysis", Psychometrika 18, 1953.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.katz.settings import Settings
from graphla.algorithms.shared.fixed_point import find_semiring, repeat, start_vector
from graphla.algorithms.shared.weight_range import find_unit, scale_all
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import binary


def run(G: Graph, s: Settings) -> tuple[Any, float]:
    """The values, and how much the last round changed them."""
    alpha, beta = s.alpha, s.beta
    multiply, x, unit = find_semiring(s), start_vector(G, s, 0), find_unit(G, s.dtype) if s.weighted else 1.0
    A = (scale_all(G, s.dtype) if s.weighted else G).A

    def step(before: Vector) -> None:
        x << beta
        x(binary.plus) << multiply(A.T @ (before * (alpha * unit)))

    return x, repeat(step, x, s)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="a round is a product: x = α Aᵀ plus.second x + β",
    source="Katz, 1953",
)
