"""The option that searches from a source have in common."""

from __future__ import annotations

from dataclasses import dataclass

from graphla.problem import Settings as Checked
from graphla.problem import flag


@dataclass(frozen=True)
class Settings(Checked):
    """Whether the tree of the search is asked for, too."""

    parents: bool = flag()
