"""The request of random walks, and the sums of weights from which steps are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_bool, to_int, to_real
from graphla.common.errors import InvalidGraph, InvalidOption
from graphla.common.memory import require
from graphla.problem import Settings as Checked
from graphla.storage.convert import expand_pointers

Array = Any
MOST = (1 << 64) - 1
LEAST_SHARE = 2.0**-20
"""Of the largest factor of node2vec the share that the smallest must have, or draws would be rejected too often."""
ROOM = 62
"""The sum of the weights of a row is below 2 to this power."""


@dataclass(frozen=True, eq=False)
class Settings(Checked):
    """A resolved request: an int32 array of starts on the engine, one per walk."""

    starts: Array
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
        length, each = to_int(asked["length"], "length", 0, 2**31 - 2), to_int(asked["walks"], "walks", 1)
        xp, starts = G.engine.xp, asked["starts"]
        chosen = (
            xp.arange(G.n, dtype=np.int32) if starts is None else xp.asarray(G.vertices(starts, "starts"), np.int32)
        )
        require(4 * int(chosen.size) * each * (length + 1), "the matrix of the walks", xp, "give fewer starts or steps")
        back, near, far = find_thresholds(asked["p"], asked["q"])
        seed = to_int(asked["seed"], "seed", 0)
        return cls(xp.tile(chosen, each), length, seed, check_weights(G, asked["weights"]), back, near, far)

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


def check_weights(G: Any, value: Any) -> bool:
    """Whether weights count; then none may be negative or infinite."""
    if not to_bool(value, "weights") or not G.nvals or G.dtype.name == "BOOL":
        return False
    if G.min_weight < 0 or not math.isfinite(G.max_weight):
        worst = G.min_weight if G.min_weight < 0 else G.max_weight
        raise InvalidGraph(f"weights=True: a weight is {worst}, and a step is drawn by finite weights of 0 or more")
    return True


def add_up_weights(G: Any) -> Array:
    """For each arc the sum of the weights of its row up to it: uint64, cached with the graph.

    Weights are rounded down to multiples of 2**-k of the largest of their row, with k such that the sum of the row has
    62 bits: at least 31 bits are left for a weight, and about 50 in a row of a thousand arcs. The sums are exact.
    """
    return G.cached("random_walks.sums", make_sums)


def make_sums(G: Any) -> Array:
    """Scale the weights of each row by a power of two, and add them up."""
    xp, csr = G.engine.xp, G.csr
    largest = G.A.dup("FP64").reduce_rowwise("max").new().to_dense(0)
    exponents = (
        xp.frexp(xp.where(largest > 0, largest, 1.0))[1] + xp.frexp(xp.maximum(G.degrees, 1).astype("float64"))[1]
    )
    tails = expand_pointers(xp, csr.indptr, csr.nvals)
    scaled = xp.floor(xp.ldexp(csr.values.astype(np.float64), (ROOM - exponents)[tails].astype(np.int32)))
    running = xp.zeros(csr.nvals + 1, np.uint64)
    running[1:] = xp.cumsum(scaled.astype(np.uint64))
    return running[1:] - running[csr.indptr[:-1]][tails]
