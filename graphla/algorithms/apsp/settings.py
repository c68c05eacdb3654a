"""What is asked of shortest paths between all pairs."""

from __future__ import annotations

from dataclasses import dataclass

from graphla.common.typing import DTypeLike
from graphla.problem import Settings as Checked
from graphla.problem import checked, flag


@dataclass(frozen=True)
class Settings(Checked):
    """Whether next hops are asked for, and the dtype of the distances, if it is not that of the weights."""

    next_hops: bool = flag()
    dtype: DTypeLike | None = checked(None, lambda value, _: value)
