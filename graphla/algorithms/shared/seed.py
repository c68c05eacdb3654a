"""The seed of what is chosen at random."""

from __future__ import annotations

from dataclasses import dataclass

from graphla.common.arguments import to_int
from graphla.problem import Settings as Checked
from graphla.problem import checked


def to_seed(seed: int, name: str = "seed") -> int:
    """A seed of 32 bits."""
    return to_int(seed, name, 0) & 0xFFFFFFFF


@dataclass(frozen=True)
class Settings(Checked):
    """The one option of what is chosen at random."""

    seed: int = checked(0, to_seed)
