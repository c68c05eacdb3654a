"""The options of eigenvector centrality: those of any fixed point, with values to begin with of norm 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from graphla.algorithms.shared.fixed_point import Power


@dataclass(frozen=True, eq=False)
class Settings(Power):
    """A resolved request."""

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Power:
        """Check the options of a call."""
        s = super().resolve(G, asked)
        if s.start is None or not G.n:
            return s
        x = s.start / s.start.max()  # its squares add up to a number, however large or small the values are
        return replace(s, start=x / G.engine.xp.sqrt(G.engine.xp.square(x).sum()))
