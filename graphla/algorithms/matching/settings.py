"""What is asked of a matching."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from graphla.algorithms.shared.seed import to_seed
from graphla.common.errors import InvalidOption
from graphla.problem import Settings as Checked
from graphla.problem import checked, choice, flag

Kind = Literal["maximal", "maximum"]


@dataclass(frozen=True)
class Settings(Checked):
    """Which matchings are wanted, whether weights count, and what chooses among equals."""

    kind: Kind = choice("maximal", "maximum")
    weights: bool = flag()
    seed: int = checked(0, to_seed)

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Settings:
        """Check the options of a call, and refuse those that would choose nothing."""
        s = super().resolve(G, asked)
        if s.kind == "maximum" and s.weights:
            raise InvalidOption("weights=True: kind='maximum' counts edges; kind='maximal' takes heavy edges first")
        if s.kind == "maximum" and s.seed:
            raise InvalidOption(f"seed={s.seed}: it chooses among maximal matchings; leave it out with 'maximum'")
        return s
