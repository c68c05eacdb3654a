"""The options of Katz centrality: those of any fixed point, the weight of an arc, and that of a vertex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphla.algorithms.shared.fixed_point import Power, read_options
from graphla.algorithms.shared.rounds import is_number
from graphla.common.errors import InvalidOption


@dataclass(frozen=True, eq=False)
class Settings(Power):
    """A resolved request."""

    alpha: float
    beta: float

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Settings:
        """Check the options of a call."""
        alpha, beta = (check_number(name, asked[name]) for name in ("alpha", "beta"))
        return cls(**read_options(G, asked, signed=True), alpha=alpha, beta=beta)


def check_number(name: str, value: Any) -> float:
    """A finite number."""
    if not is_number(value) or not abs(value) < float("inf"):
        raise InvalidOption(f"{name}={value!r}: give a finite number")
    return float(value)
