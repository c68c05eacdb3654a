"""How far a search goes: up to a limit, or until it has reached its targets.

An answer holds all vertices that are no farther than both: the limit, and the farthest target if all targets are
reached. So it is the same whatever the method, a tree of parents is whole, and a search from which nothing is kept
back may stop there. A method that cannot stop answers for all vertices, and the rest is cut off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphla.algorithms.shared.search_settings import Settings
from graphla.common.arguments import to_int, to_real
from graphla.common.errors import InvalidOption
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.language.masks import replace
from graphla.problem import checked
from graphla.storage.convert import is_all, is_any

Array = Any


def to_levels(value: Any, name: str) -> int | None:
    """A number of levels, or None."""
    return None if value is None else to_int(value, name, 0)


def to_distance(value: Any, name: str) -> float | int | None:
    """A distance that is not negative, or None; ints stay whole, for FP64 does not hold all of them."""
    number = None if value is None else to_real(value, name, 0)
    return int(value) if isinstance(value, int | np.integer) else number


@dataclass(frozen=True)
class Limits(Settings):
    """The tree of a search, how far it goes, and what it looks for."""

    limit: float | int | None = checked(None, to_distance)
    targets: tuple[int, ...] | None = checked(None, lambda value, name: value)
    ends: bool = field(init=False, repr=False)
    """Whether the search may end before it has seen all that can be reached."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ends", self.limit is not None or self.targets is not None)

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Any:
        """Check the options of a call; targets are vertices, in order."""
        if asked["targets"] is not None:
            targets = tuple(sorted(set(G.vertices(asked["targets"], "targets"))))
            if not targets:
                raise InvalidOption("targets=[]: name the vertices to look for, or leave it out")
            asked = {**asked, "targets": targets}
        return super().resolve(G, asked)

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options alone."""
        return {name: getattr(self, name) for name in asked}

    def find_last(self, dtype: Any) -> Any:
        """The greatest number of a dtype that is within the limit; the greatest of all without a limit."""
        dtype = np.dtype(dtype)
        end = dtype.type(np.inf if dtype.kind == "f" else np.iinfo(dtype).max)
        if self.limit is None or self.limit >= end:
            return end
        if dtype.kind != "f":
            return dtype.type(int(self.limit))
        near = dtype.type(self.limit)
        return near if float(near) <= self.limit else np.nextafter(near, dtype.type(0))

    def find_bound(self, reached: Array, absent: Any, dtype: Any) -> Any:
        """How far an answer goes that has these values at the targets, `absent` where there is none."""
        last = self.find_last(dtype)
        if reached.size == 0 or is_any(reached == absent):
            return last
        return min(last, reached.max())

    def reach_all(self, values: Any, absent: Any) -> bool:
        """Whether each search has found all its targets; `values` are an array, a vector or a matrix."""
        if self.targets is None:
            return False
        chosen, rows = list(self.targets), values.shape[0] if len(values.shape) == 2 else 1
        if isinstance(values, Vector | Matrix):
            at: Any = values[chosen] if isinstance(values, Vector) else values[:, chosen]
            return at.new().nvals == rows * len(chosen)
        return is_all(values[..., chosen] != absent)


@dataclass(frozen=True)
class Levels(Limits):
    """The same in levels."""

    limit: int | None = checked(None, to_levels)


WHOLE = Limits()
"""A search of all that can be reached."""


def cut(found: tuple[Any, ...], s: Limits, absent: Any) -> tuple[Any, ...]:
    """Values and parents of one search or of a row for each, without what is too far.

    Parameters
    ----------
    found : tuple of array, Vector or Matrix
        Values, and parents or None: arrays of an engine with `absent` and -1 where there is none.
    s : Limits
        How far.
    absent : number
        What the array holds where there is no entry.
    """
    values, parents = found
    if isinstance(values, Vector | Matrix):
        return cut_entries(values, parents, s, absent)
    last: Any = s.find_last(values.dtype)
    if s.targets is not None:
        at = values[..., list(s.targets)]
        farthest = at.max(axis=-1, keepdims=True)
        farthest[(at == absent).any(axis=-1, keepdims=True)] = last
        last = farthest.clip(max=last)
    far = values > last
    values[far] = absent
    if parents is not None:
        parents[far] = -1
    return values, parents


def cut_entries(values: Any, parents: Any, s: Limits, absent: Any) -> tuple[Any, Any]:
    """The same of a vector, or of a matrix with a row for each search."""
    if isinstance(values, Matrix) and s.targets is not None:
        dense, engine = values.to_dense(absent), values.engine
        return Matrix._from_sentinel(cut((dense, None), s, absent)[0], absent, engine), parents
    vector: Any = values
    last = s.find_last(values.dtype.numpy)
    if s.targets is not None:
        at = vector[list(s.targets)].new()
        last = min(last, at.reduce("max").new().value) if at.nvals == len(s.targets) else last
    near = values.select("valuele", last).new()
    if parents is not None:
        parents(near.S, replace) << parents
    return near, parents
