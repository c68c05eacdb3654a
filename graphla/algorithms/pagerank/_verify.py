"""What right ranks look like: a round in float64 by SciPy changes them no more than allowed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.fixed_point import ROUNDING
from graphla.common.errors import VerificationError

Array = Any


def make_round(csr: Any, s: Settings) -> Any:
    """A function that makes a round in float64."""
    from scipy.sparse import csr_array

    values = over_largest(csr) if s.weighted else np.ones(csr.nvals)
    A = csr_array((values, csr.indices, csr.indptr), shape=csr.shape)
    out = np.asarray(A.sum(axis=1)).ravel()
    inverse = np.divide(1, out, out=np.zeros(csr.nrows), where=out > 0)
    B = A.T.tocsr()

    def one_round(ranks: Array) -> Array:
        lost = ranks[out == 0].sum()
        return (1 - s.damping) * s.teleport + s.damping * (B @ (ranks * inverse) + lost * s.share)

    return one_round


def over_largest(csr: Any) -> Array:
    """The weights over the largest one of their row, in float64: their sums do not overflow."""
    lengths = np.diff(csr.indptr)
    largest = np.zeros(csr.nrows)
    np.maximum.at(largest, rows := np.repeat(np.arange(csr.nrows), lengths), csr.values.astype(np.float64))
    return csr.values / largest[rows]


def verify(csr: Any, ranks: Array, s: Settings) -> None:
    """Assert that a further round changes the ranks by no more than the tolerance, or that they are those of a round.

    Raises
    ------
    VerificationError
        Naming what differs and by how much.
    """
    if ranks.shape != (csr.nrows,):
        raise VerificationError(f"pagerank: ranks has shape {ranks.shape}, the graph has {csr.nrows} vertices")
    found = ranks.astype(np.float64)
    if not np.isfinite(found).all() or (found < 0).any():
        at = int(np.flatnonzero(~(found >= 0) | ~np.isfinite(found))[0])
        raise VerificationError(f"pagerank: vertex {at} has rank {found[at]}")
    one_round = make_round(csr, s)
    if s.epsilon is not None:
        verify_pushed(csr, one_round, found, s)
    elif s.top is not None:
        verify_top(one_round, found, s)
    elif s.tolerance is not None:
        compare(one_round(found), found, s.tolerance + ROUNDING[s.dtype.name], "a further round changes the ranks")
    else:
        expected = repeat(one_round, csr.nrows, s)
        compare(expected, found, ROUNDING[s.dtype.name], f"the ranks differ from those of {s.rounds} rounds")


def repeat(one_round: Any, n: int, s: Settings) -> Array:
    """The ranks of the rounds that are asked for, or of so many that they are settled."""
    expected, rounds = np.zeros(n) + s.begin(n), s.rounds
    if s.tolerance is not None:
        rounds = math.ceil(math.log(s.tolerance / 200) / math.log(s.damping)) + 1 if 0 < s.damping < 1 else s.rounds
    for _ in range(rounds):
        expected = one_round(expected)
    return expected


def verify_pushed(csr: Any, one_round: Any, found: Array, s: Settings) -> None:
    """Assert that no rank is too high, and no residual above its bound; of the highest alone residuals are unknown."""
    if s.top is not None:
        over = found - repeat(one_round, found.size, s)
    else:
        residuals = one_round(found) - found
        over = np.maximum(residuals - (s.epsilon or 0) * np.maximum(np.diff(csr.indptr), 1), -residuals)
    v = int(over.argmax()) if over.size else -1
    if v >= 0 and over[v] > ROUNDING[s.dtype.name]:
        raise VerificationError(
            f"pagerank: epsilon={s.epsilon:g}: vertex {v} of rank {found[v]:.8g} is off by {over[v]:.3g}"
        )


def verify_top(one_round: Any, found: Array, s: Settings) -> None:
    """Assert that no other vertex has a higher rank than those that are listed, and that no score is above the rank."""
    expected, chosen = repeat(one_round, found.size, s), np.flatnonzero(found)
    allowed = ROUNDING[s.dtype.name] + 2 * (s.tolerance or 0.0) / max(1 - s.damping, ROUNDING["FP32"])
    wanted = min(s.top or 0, int((expected > allowed).sum()))
    if not wanted <= chosen.size <= min(s.top or 0, found.size):
        raise VerificationError(f"pagerank: top={s.top} lists {chosen.size} vertices instead of {wanted}")
    over = chosen[found[chosen] > expected[chosen] + allowed]
    if over.size:
        v = over[0]
        raise VerificationError(f"pagerank: vertex {v} has rank {found[v]:.8g} instead of {expected[v]:.8g} or less")
    others = np.where(found > 0, 0.0, expected)
    least, most = expected[chosen].min(initial=np.inf), int(others.argmax()) if others.size else 0
    if chosen.size < found.size and others.size and others[most] > least + allowed:
        raise VerificationError(f"pagerank: vertex {most} of rank {others[most]:.8g} is missing: {least:.8g} is listed")


def compare(expected: Array, found: Array, allowed: float, what: str) -> None:
    """Refuse a sum of absolute differences that is larger than allowed."""
    differences = np.abs(expected - found)
    total = float(differences.sum())
    if not total <= allowed:
        worst = int(differences.argmax())
        raise VerificationError(
            f"pagerank: {what} by {total:.3g} in all, and {allowed:.3g} is allowed; most at vertex {worst}: "
            f"{found[worst]:.8g} instead of {expected[worst]:.8g}"
        )
