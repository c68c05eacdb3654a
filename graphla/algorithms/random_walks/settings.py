"""The request of random walks, and the sums of weights from which steps are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphla.algorithms.shared.weight_sums import check_weights
from graphla.common.arguments import show, to_int, to_real
from graphla.common.errors import InvalidOption
from graphla.common.memory import require
from graphla.problem import Settings as Checked
from graphla.storage.convert import make_range

Array = Any
MOST = (1 << 64) - 1
LEAST_SHARE = 2.0**-20
"""Of the largest factor of node2vec the share that the smallest must have, or draws would be rejected too often."""


@dataclass(frozen=True, eq=False)
class Settings(Checked):
    """A resolved request: int32 starts and uint64 numbers on the engine, one of each per walk."""

    starts: Array
    numbers: Array
    length: int
    seed: int
    weighted: bool
    back: int
    near: int
    far: int
    """Up to which draw of 64 bits a step back, to a neighbour of the last vertex, or farther away is taken."""

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options as they are given."""
        return asked

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Settings:
        """Check the options of a call."""
        chosen, each, s = cls.read(G, asked)
        xp, count = G.engine.xp, int(chosen.size) * each
        require(4 * count * (s.length + 1), "the matrix of the walks", xp, "give fewer starts or steps")
        starts = chosen if each == 1 else xp.tile(chosen, each)
        return replace(s, starts=starts, numbers=make_range(xp, range(count)).view(np.uint64))

    @classmethod
    def read(cls, G: Any, asked: Mapping[str, Any]) -> tuple[Array, int, Settings]:
        """Check the options of a call: where walks start, how many from each start, and how they go."""
        length, each = to_int(asked["length"], "length", 0, 2**31 - 2), to_int(asked["walks"], "walks", 1, 2**31 - 1)
        xp, starts = G.engine.xp, asked["starts"]
        chosen = (
            make_range(xp, range(G.n), "int32")
            if starts is None
            else xp.asarray(G.vertices(starts, "starts"), np.int32)
        )
        thresholds = find_thresholds(asked["p"], asked["q"])
        weighted, none = check_weights(G, asked["weights"]), xp.zeros(0, np.uint64)
        return chosen, each, cls(chosen, none, length, to_int(asked["seed"], "seed", 0), weighted, *thresholds)

    @property
    def biased(self) -> bool:
        """Whether a step depends on the one before."""
        return min(self.back, self.near, self.far) < MOST


def find_thresholds(p: Any, q: Any) -> tuple[int, int, int]:
    """The factors 1 / p, 1 and 1 / q of node2vec, over the largest of them, of 2**64."""
    factors = []
    for name, value in (("p", p), ("q", q)):
        if not to_real(value, name, 0) > 0:
            raise InvalidOption(f"{name}={show(value)}: give a number above 0")
        factors.append(1 / float(value))
    back, near, far = factors[0], 1.0, factors[1]
    largest = max(back, near, far)
    if min(back, near, far) < LEAST_SHARE * largest or not math.isfinite(largest):
        raise InvalidOption(f"p={show(p)}, q={show(q)}: 1 / p, 1 and 1 / q may differ by a factor of 2**20 at most")
    return tuple(min(MOST, int(factor / largest * 2.0**64)) for factor in (back, near, far))  # type: ignore[return-value]
