"""Rounds of a ranking on a GPU: the engine's product, and one kernel for all that is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.pagerank._settings import Settings
from graphla.planning.plan import choose_pull_schedule
from graphla.planning.steps import MatVec
from graphla.storage import BitmapVector, CompressedMatrix, FullVector
from semirings import plus_second, plus_times

KERNELS = Path(__file__).with_name("fused.cuh")
THREADS = 256
EACH = 4  # vertices per thread
LOOK = 8
"""The host looks at the change of the ranks after so many rounds."""
AHEAD = 256
"""Rounds whose sums are kept at once when the residual is not read in each round."""

Array = Any


class FinishParameters(NamedTuple):
    """The struct of fused.cuh."""

    n: int
    sums: Array
    present: Array
    every: bool
    inverse: Array
    teleport: Array
    teleport_step: int
    share: Array
    share_step: int
    ranks: Array
    contributions: Array
    residual: Array
    lost: Array
    damping: float
    tolerance: float


class Rounds:
    """The arrays of a ranking on the device."""

    def __init__(self, engine: Any, rows: CompressedMatrix, inverse: Array, s: Settings) -> None:
        xp, dtype = engine.xp, np.dtype(s.dtype.numpy)
        self.engine, self.rows, self.inverse, self.s = engine, rows, inverse, s
        self.ranks = xp.full(rows.nrows, 1 / rows.nrows, dtype)
        self.contributions = self.ranks * inverse
        self.teleport, self.share = (xp.asarray(each, dtype) for each in (s.teleport, s.share))
        self.step = make_product(rows, FullVector(self.contributions), s)
        self.none = FullVector(xp.zeros(rows.nrows, dtype))
        self.kernel = engine.kernel(KERNELS, f"finish_round<{engine.c_type(self.ranks)}>", takes=FinishParameters)

    def multiply(self) -> FullVector | BitmapVector:
        """What the in-neighbours of each vertex hand on; a vertex without entering arcs has no entry."""
        return self.none if self.rows.nvals == 0 else self.engine.matvec(self.step)

    def run(self, residual: Array, lost: Array) -> None:
        """One round; `residual` and `lost` begin with those of the round before."""
        sums, s, n = self.multiply(), self.s, self.rows.nrows
        parameters = FinishParameters(
            n=n,
            sums=sums.values,
            present=sums.present if isinstance(sums, BitmapVector) else self.engine.get_unread("bool"),
            every=not isinstance(sums, BitmapVector),
            inverse=self.inverse,
            teleport=self.teleport,
            teleport_step=min(1, self.teleport.size - 1),
            share=self.share,
            share_step=min(1, self.share.size - 1),
            ranks=self.ranks,
            contributions=self.contributions,
            residual=residual,
            lost=lost,
            damping=s.damping,
            tolerance=-1.0 if s.tolerance is None else s.tolerance,
        )
        self.kernel(-(-n // (THREADS * EACH)), THREADS, parameters)


def make_product(rows: CompressedMatrix, vector: FullVector, s: Settings) -> MatVec:
    """The sums over the rows of what the tails hand on; the vector's array is read anew in each round."""
    semiring = plus_times if s.weighted else plus_second
    schedule = choose_pull_schedule(rows, vector, semiring, s.dtype, None)
    return MatVec(rows, False, vector, semiring, s.dtype, rows.nrows, False, "pull", None, schedule)


def iterate(engine: Any, rows: CompressedMatrix, inverse: Array, s: Settings) -> tuple[Array, int, float]:
    """Ranks of the rows of entering arcs, the rounds that ran, and how much the last one changed."""
    xp, n = engine.xp, rows.nrows
    if n == 0:
        return xp.zeros(0, s.dtype.numpy), 0, 0.0
    rounds = Rounds(engine, rows, inverse, s)
    done, last = 0, float("inf")
    lost = (rounds.ranks * (inverse == 0)).sum(dtype="float64").reshape(1)
    while done < s.rounds and (s.tolerance is None or last > s.tolerance):
        count = min(AHEAD if s.tolerance is None else LOOK, s.rounds - done)
        told = xp.zeros((2, count + 1), np.float64)
        told[0, 0], told[1, :1] = np.inf, lost
        for k in range(count):
            rounds.run(told[0, k:], told[1, k:])
        lost, done = told[1, -1:], done + count
        if s.tolerance is not None:
            changes = engine.to_host(told[0, 1:])
            last, done = float(changes[-1]), done - int((changes[:-1] <= s.tolerance).sum())
    return rounds.ranks, done, 0.0 if s.tolerance is None else last
