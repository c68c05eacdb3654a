"""The options of a ranking: those of the call and of its convention, checked and resolved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from graphla.algorithms.pagerank.distribution import Distribution, make_distribution
from graphla.algorithms.shared.rounds import check_dtype, check_rounds, check_weights, is_number
from graphla.algorithms.shared.start import read_start
from graphla.common.arguments import show, to_int
from graphla.common.errors import InvalidOption, NotConverged
from graphla.problem import Settings as Checked
from graphla.storage.convert import divide
from semirings.dtypes import FP64, DType

Array = Any
TELEPORT, IGNORE = "teleport", "ignore"
DEFAULTS: Mapping[str, Any] = {"dangling": TELEPORT, "weights": False, "tolerance": 1e-6, "dtype": None}
CONVENTIONS: Mapping[str, Mapping[str, Any]] = {
    "gap": {"dangling": IGNORE, "tolerance": 1e-4},
    "graphalytics": {"dtype": "FP64", "tolerance": None},
    "networkx": {"weights": True, "dtype": "FP64"},
}
"""What a convention does otherwise than `DEFAULTS`."""
MAX_ROUNDS = 100
FP32_ROUNDING = 2.0**-23
"""What a round in FP32 may change in all by rounding alone: ranks, and what they hand on."""


@dataclass(frozen=True, eq=False)
class Settings(Checked):
    """A resolved request.

    `tolerance` is the change of a round, in the sum of absolute differences, at which the rounds end; None for a
    number of `rounds`. `sinks` says where the rank of vertices without leaving arcs goes: its shares are 0 if nowhere.
    `top` is how many vertices are asked for, None for all, and `epsilon` the largest residual per leaving arc, where
    that is asked for instead of the tolerance. `start` are ranks to begin with, float64 on the engine; None
    for equal ones. With `in_rounds` the ranks are those of rounds from these on, as NetworkX's are, and not others that
    are within the tolerance as well.
    """

    damping: float
    tolerance: float | None
    rounds: int
    seeds: Distribution
    sinks: Distribution
    weighted: bool
    dtype: DType
    top: int | None = None
    epsilon: float | None = None
    in_rounds: bool = False
    start: Array | None = None

    teleport, share = property(attrgetter("seeds.full")), property(attrgetter("sinks.full"))
    """Where teleports go, and the rank of vertices without leaving arcs: a share of each vertex, or an array of size 1
    if all are alike."""

    def begin(self, n: int) -> Array:
        """The ranks that rounds begin with: of each vertex, or an array of size 1 of what all have."""
        return np.full(1, 1 / max(1, n)) if self.start is None else self.start

    @property
    def takes_any(self) -> bool:
        """Whether all ranks answer that a round changes by no more than the tolerance, not those of rounds alone."""
        return self.tolerance is not None and not self.in_rounds

    def mix(self, rounds: int) -> float:
        """How much of the ranks before is added to those of a round, after so many rounds.

        Where trees, or other parts whose arcs all cross between two sides, have been joined or cut, the sides swing by
        −d in each round, longer than most else takes to settle. (r′ + d r) / (1 + d) has nothing left of that. The
        first round from ranks that are given does so, where rounds end by their change.
        """
        return self.damping if rounds == 0 and self.start is not None and self.takes_any else 0.0

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Settings:
        """Check the options of a call and fill in those of its convention."""
        name = asked["convention"]
        if name is not None and not (isinstance(name, str) and name in CONVENTIONS):
            raise InvalidOption(f"convention={show(name)} is none of {', '.join(map(repr, CONVENTIONS))}")
        usual = {**DEFAULTS, **CONVENTIONS.get(name or "", {})}
        chosen = {key: usual[key] if asked[key] is None else asked[key] for key in usual}
        seeds = make_distribution(G, asked["personalization"], "personalization")
        damping, end = check_damping(asked["damping"]), find_end(G, name, asked, chosen["tolerance"])
        sinks = find_sinks(G, chosen["dangling"], seeds)
        return cls(
            damping=damping,
            **end,
            seeds=seeds,
            sinks=sinks,
            start=read_ranks(G, asked["start"], may_lose=not sinks.shares.any()),
            weighted=check_weights(G, chosen["weights"]),
            dtype=check_dtype(choose_dtype(damping, end["tolerance"]) if chosen["dtype"] is None else chosen["dtype"]),
            epsilon=check_epsilon(asked["epsilon"]),
            top=None if asked["top"] is None else min(to_int(asked["top"], "top", 1), max(1, G.n)),
            in_rounds=name == "networkx",
        )

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options as they are given."""
        return asked

    def has_converged(self, residual: float) -> bool:
        """Whether the last round has changed the ranks by no more than the tolerance, if there is one."""
        return self.tolerance is None or residual <= self.tolerance

    def advise_dtype(self) -> str:
        """What FP32 cannot reach."""
        least = FP32_ROUNDING / max(1 - self.damping, FP32_ROUNDING)
        return (
            f", or dtype='FP64': with damping={self.damping:g} rounding of FP32 alone may change ranks by {least:.2g}"
        )

    def require_convergence(self, residual: float) -> None:
        """Raise if the last round has changed the ranks by more than the tolerance."""
        if self.has_converged(residual):
            return
        finer = "" if self.dtype.name == "FP64" else self.advise_dtype()
        raise NotConverged(
            f"max_rounds={self.rounds}: the last round changed the ranks by {residual:.3g} in all, which is more than "
            f"tolerance={self.tolerance:g}; give a larger max_rounds=, a larger tolerance={finer}",
            residual,
        )


def choose_dtype(damping: float, tolerance: float | None) -> str:
    """FP32 if its rounding, which each round adds and damps, leaves the change below the tolerance."""
    return "FP32" if tolerance is None or tolerance * (1 - damping) >= FP32_ROUNDING else "FP64"


def find_end(G: Any, convention: str | None, asked: Mapping[str, Any], tolerance: Any) -> dict[str, Any]:
    """When the rounds end: the tolerance, if there is one, and the most rounds."""
    if asked["rounds"] is not None:
        for other in ("tolerance", "max_rounds"):
            if asked[other] is not None:
                raise InvalidOption(f"rounds={asked['rounds']!r} and {other}={asked[other]!r}: give one of them")
        return {"tolerance": None, "rounds": check_rounds("rounds", asked["rounds"], 0)}
    if tolerance is None:
        raise InvalidOption("convention='graphalytics' counts rounds: give rounds=, or a tolerance=")
    if not is_number(tolerance) or not tolerance > 0:
        raise InvalidOption(f"tolerance={show(tolerance)}: give a positive number, or rounds= for a number of rounds")
    tolerance = float(tolerance) * (max(1, G.n) if convention == "networkx" else 1)
    if asked["max_rounds"] is not None:
        return {"tolerance": tolerance, "rounds": check_rounds("max_rounds", asked["max_rounds"], 1)}
    return {"tolerance": tolerance, "rounds": count_enough_rounds(check_damping(asked["damping"]), tolerance)}


def count_enough_rounds(damping: float, tolerance: float) -> int:
    """Rounds after which the change is within the tolerance: it is 2 at most, and falls by the factor `damping`.

    That of sweeps in place falls so, too, from 2 / (1 − damping) on, which bounds how much a rank can still grow. One
    round, which mixes, takes off 2 damping / (1 + damping) at least, and with one more round more than `damping`.
    """
    if not 0 < damping < 1:
        return MAX_ROUNDS
    return max(MAX_ROUNDS, math.ceil((math.log(min(tolerance / 2, 1)) + math.log1p(-damping)) / math.log(damping)) + 2)


def check_damping(value: Any) -> float:
    """A number from 0 to 1."""
    if not is_number(value) or not 0 <= value <= 1:
        raise InvalidOption(f"damping={show(value)}: give the probability of following an arc, from 0 to 1")
    return float(value)


def read_ranks(G: Any, value: Any, may_lose: bool) -> Array | None:
    """The ranks that a caller begins with, over their sum; or as they are, if rank may be lost and they sum to less."""
    ranks = None if value is None else read_start(G, value, FP64)
    if ranks is None or not G.n:
        return ranks
    most = float(ranks.max())
    shares = divide(ranks, most)  # their sum is a number, however large or small the ranks are
    total = float(shares.sum())
    return ranks if may_lose and total * most <= 1 else divide(shares, total)


def check_epsilon(value: Any) -> float | None:
    """A positive number, or None."""
    if value is not None and not (is_number(value) and value > 0):
        raise InvalidOption(f"epsilon={show(value)}: give a positive number, the largest residual per leaving arc")
    return None if value is None else float(value)


def refuse_epsilon(G: Any, request: Mapping[str, Any]) -> str | None:
    """Refuse a bound of residuals where rounds end by their change."""
    return None if request.get("epsilon") is None else "epsilon= ends the pushes of method='push' alone"


def find_sinks(G: Any, dangling: Any, seeds: Distribution) -> Distribution:
    """Where the rank of vertices without leaving arcs goes."""
    if isinstance(dangling, str):
        if dangling not in (TELEPORT, IGNORE):
            raise InvalidOption(f"dangling={dangling!r}: give {TELEPORT!r}, {IGNORE!r} or weights of vertices")
        return seeds if dangling == TELEPORT else Distribution(G.n, None, np.zeros(1))
    return make_distribution(G, dangling, "dangling")
