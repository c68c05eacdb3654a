"""The shift of a round: an eighth of what the round before says of the largest eigenvalue λ.

x' = (Aᵀ x + σ x) / ν with ν = ‖Aᵀ x + σ x‖. Once x has settled ν = λ + σ, and so the next shift is (ν - σ) / 8. Where
eigenvalues alternate, as -λ beside λ, the ratio of a round is then 7/9, and elsewhere it is little above
that of no shift. Where eigenvalues are complex, the changes of rounds swing: the rounds end once two of them in a row
change x little.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.algorithms.shared.fixed_point import Power
from graphla.algorithms.shared.weight_range import find_power, scale_all
from graphla.graphs.graph import Graph
from graphla.storage.convert import divide

PART = 0.125
LEAST = 1e-12
"""The least shift in units, so that x stays where Aᵀ x is zero."""

Array = Any


def scale(G: Graph, s: Power) -> tuple[Graph, float]:
    """The graph with weights in a safe range, and the power of two that is the first shift."""
    if not s.weighted:
        return G, 1.0
    H = scale_all(G, s.dtype)
    return H, find_power(H)


def move_on(shift: Any, norm: Any, unit: float) -> Any:
    """The shift of the next round."""
    return abs(norm - shift) * PART + LEAST * unit


def make_step(
    multiply: Callable[[Array], Array], measure: Callable[[Array], Any], shift: Any, unit: float
) -> Callable[[Array], Array]:
    """A function that makes a round of an array, and keeps the shift of the next one."""
    held = shift

    def step(x: Array) -> Array:
        nonlocal held
        y = multiply(x) + (held * x).astype(x.dtype, copy=False)
        norm = measure(y)
        held = move_on(held, norm, unit)
        return divide(y, norm)

    return step
