"""Rounds of a ranking on a GPU: the engine's product, and one kernel for all that is left."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.start import cast_anew
from graphla.engine.cuda.matvec import pull
from graphla.engine.cuda.records import read_struct
from graphla.planning.schedules import choose_pull_schedule
from graphla.planning.steps import MatVec
from graphla.storage import BitmapVector, CompressedMatrix, FullVector
from semirings import Semiring, monoid, plus_second, plus_times

KERNELS = Path(__file__).with_name("fused.cuh")
THREADS = 256
EACH = 4  # vertices per thread
LOOK = 8
"""The host looks at the change of the ranks after so many rounds, at most."""
WORTH_A_LOOK = 4e6
"""Arcs whose product takes as long as a look."""
USUAL = 20
"""Rounds until most ranks have settled."""
AHEAD = 256
"""Rounds whose sums are kept at once when the residual is not read in each round."""

SUMS_BYTES = 16
"""Bytes of the struct RoundSums."""

Array = Any
FinishParameters = read_struct(KERNELS, "FinishParameters")


class Rounds:
    """The arrays of a ranking on the device: of all vertices, or of those that a rank owns.

    `contributions` holds what all n vertices hand on, and `own` is the part of it for these rows.
    """

    def __init__(
        self, engine: Any, rows: CompressedMatrix, inverse: Array, s: Settings, n: int, contributions: Array, own: Array
    ) -> None:
        xp, dtype = engine.xp, np.dtype(s.dtype.numpy)
        self.engine, self.rows, self.inverse, self.s, self.own = engine, rows, inverse, s, own
        self.ranks = xp.empty(rows.nrows, dtype) if s.start is None else cast_anew(s.start, dtype)
        self.lost = xp.zeros(1, np.float64)
        names = name_kernels(engine.c_type(self.ranks))
        start, self.begin = (engine.kernel(KERNELS, name, beside=names) for name in names[:2])
        given = np.int32(rows.nrows), dtype.type(1 / n), np.bool_(s.start is None), inverse, self.ranks, own, self.lost
        start(count_blocks(rows.nrows), THREADS, given)
        self.teleport, self.share = (xp.asarray(each, dtype) for each in (s.teleport, s.share))
        self.step = make_product(rows, FullVector(contributions), s)
        self.none = FullVector(xp.zeros(rows.nrows, dtype))
        self.kernel = engine.kernel(KERNELS, names[2], takes=FinishParameters, beside=names)

    def multiply(self) -> FullVector | BitmapVector:
        """What the in-neighbours of each vertex hand on; a vertex without entering arcs has no entry."""
        return self.none if self.rows.nvals == 0 else self.engine.compute(self.step)

    def run(self, before: Array, after: Array, mix: float) -> None:
        """One round; `before` is the change and what was lost in the round before, `after` in this one: zeros yet."""
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
            contributions=self.own,
            before=before,
            after=after,
            damping=s.damping,
            mix=mix,
            tolerance=-1.0 if s.tolerance is None else s.tolerance,
        )
        self.kernel(count_blocks(n), THREADS, parameters)


def count_blocks(n: int) -> int:
    """Return how many blocks share out n vertices."""
    return max(1, -(-n // (THREADS * EACH)))


def name_kernels(kind: str) -> tuple[str, str, str]:
    """Name the kernels of rounds over ranks of a type."""
    return f"start_ranks<{kind}>", "begin_rounds", f"finish_round<{kind}>"


def begin(G: Any, s: Settings) -> None:
    """Begin to compile what a ranking needs, before the arcs that enter vertices are there."""
    engine, semiring = G.engine, get_semiring(s)
    begin_arcs(engine, s)
    if choose_pull_schedule(G.csr, FullVector(engine.xp.empty(0, s.dtype.numpy)), semiring, s.dtype, None) == "rows":
        pointer, value = engine.c_type(G.csr.indptr), s.dtype if s.weighted else G.csr.type
        pull.begin_product(engine, pointer, semiring, value, s.dtype, s.dtype)


def begin_arcs(engine: Any, s: Settings) -> None:
    """Begin to compile what makes the entering arcs, and what vertices hand on for each."""
    kind = s.dtype.c
    engine.begin(KERNELS, f"invert<{'double' if s.weighted else 'int'}, {kind}>", *name_kernels(kind))
    engine.lists.begin("transpose", "rows")


def get_semiring(s: Settings) -> Semiring:
    """The semiring of the product: an arc hands on what its tail has, or that times its weight."""
    return plus_times if s.weighted else plus_second


def invert_sums(engine: Any, sums: Array, dtype: str) -> Array:
    """Return 1 over each sum, and 0 where there is none."""
    n, inverse = int(sums.shape[0]), engine.xp.empty(sums.shape[0], dtype)
    kind = engine.c_type(inverse)
    kernel = engine.kernel(KERNELS, f"invert<{engine.c_type(sums)}, {kind}>", beside=name_kernels(kind))
    kernel(count_blocks(n), THREADS, (np.int32(n), sums, inverse))
    return inverse


def make_product(rows: CompressedMatrix, vector: FullVector, s: Settings) -> MatVec:
    """The sums over the rows of what the tails hand on; the vector's array is read anew in each round."""
    semiring = get_semiring(s)
    schedule = choose_pull_schedule(rows, vector, semiring, s.dtype, None)
    return MatVec(rows, False, vector, semiring, s.dtype, rows.nrows, False, "pull", None, schedule)


def count_ahead(arcs: int) -> int:
    """The rounds L between two looks that cost least: USUAL / L looks, and a product in (L − 1) / 2 rounds too many."""
    return max(1, min(LOOK, round(math.sqrt(2 * USUAL * WORTH_A_LOOK / max(1, arcs)))))


def iterate(
    engine: Any, rows: CompressedMatrix, inverse: Array, s: Settings, look: int | None = None
) -> tuple[Array, int, float]:
    """Ranks of the rows of entering arcs, the rounds that ran, and how much the last one changed.

    `look` is after how many rounds the host looks at first.
    """
    if rows.nrows == 0:
        return engine.xp.zeros(0, s.dtype.numpy), 0, 0.0
    contributions = engine.xp.empty_like(inverse)
    rounds = Rounds(engine, rows, inverse, s, rows.nrows, contributions, contributions)
    done, last = repeat(rounds, rounds.run, rounds.lost, look)
    return rounds.ranks, done, last


def repeat(
    rounds: Rounds, run: Callable[[Array, Array, float], None], lost: Array, look: int | None = None
) -> tuple[int, float]:
    """Run rounds; return how many, and how much the last one changed."""
    engine, s, done, last = rounds.engine, rounds.s, 0, float("inf")
    usual = AHEAD if s.tolerance is None else count_ahead(rounds.rows.nvals)
    while done < s.rounds and (s.tolerance is None or last > s.tolerance):
        count = min(usual if done or look is None else look, s.rounds - done)
        told = engine.xp.zeros((count + 1, 2), np.float64)
        rounds.begin(1, 1, (lost, told))
        for k in range(count):
            run(told[k], told[k + 1], s.mix(done + k))
        lost, done = told[-1, 1:], done + count
        if s.tolerance is not None:
            changes = engine.to_host(told)[1:, 0]
            last, done = float(changes[-1]), done - int((changes[:-1] <= s.tolerance).sum())
    return done, 0.0 if s.tolerance is None else last


def iterate_on_ranks(engine: Any, slots: Any, rows: Any, inverse: Array, s: Settings) -> tuple[Array, int, float]:
    """The same for the rows that this rank owns, whose columns are places of slots."""
    xp, world, width = engine.xp, slots.ranks.world, slots.width
    held = xp.zeros(slots.places, inverse.dtype)
    first = world.rank * width
    rounds = Rounds(engine, rows, inverse, s, max(1, slots.size), held, held[first : first + slots.own])
    numbers, stride = held.view(np.float64), width * held.itemsize // SUMS_BYTES
    sums = numbers[2 * (stride - 1) :]
    join = engine.kernel(KERNELS, "join_sums")

    def run(before: Array, after: Array, mix: float) -> None:
        rounds.run(before, sums[2 * stride * world.rank :], mix)
        world.fill_slots(held)
        join(1, 32, (sums, np.int64(stride), np.int32(world.size), np.int32(world.rank), before, after, tolerance))

    tolerance = np.float64(-1 if s.tolerance is None else s.tolerance)
    lost = world.all_reduce(rounds.lost, monoid.plus)
    world.fill_slots(held)
    done, last = repeat(rounds, run, lost)
    return rounds.ranks, done, last
