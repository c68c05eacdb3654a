"""a = Aᵀ plus.second h, h = A plus.second a, each over its sum, in FP64. O(V + E) per round.

Source: Kleinberg, "Authoritative Sources in a Hyperlinked Environment", J. ACM 46(5), 1999; as in LAGraph.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.fixed_point import Power, find_semiring, repeat, start_vector
from graphla.algorithms.shared.weight_range import scale_all
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import binary, monoid


def run(G: Graph, s: Power) -> tuple[Any, Any, float]:
    """Hub values, authorities, and how much the last round changed the hub values."""
    multiply, h, a = find_semiring(s), start_vector(G, s, 0), start_vector(G, s, 0)
    if not G.nvals:
        return h, a, 0.0
    A = (scale_all(G, s.dtype) if s.weighted else G).A
    h << 1 / G.n

    def gather(y: Vector, expression: Any) -> None:
        y << 0
        y(binary.plus) << expression
        y << y / y.reduce(monoid.plus)

    def step(_: Vector) -> None:
        gather(a, multiply(A.T @ h))
        gather(h, multiply(A @ a))

    residual = repeat(step, h, s)
    gather(a, multiply(A.T @ h))
    return h, a, residual


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="a round is two products: a = Aᵀ plus.second h, h = A plus.second a",
    source="Kleinberg, J. ACM 1999; LAGraph",
)
