"""Samples on a GPU: one launch for each hop of a relation, and one look at the counts when all hops are done.

How many vertices and arcs a hop finds stays on the device, where the next one reads it. Arrays have room for the most
that the fan-outs allow, up to a limit; where a hop draws more than it has room for, all begin again with more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.sampling.options import Asked, How, Relation
from graphla.algorithms.sampling.rooms import Step, plan_steps
from graphla.algorithms.shared.random_words import hash_seed
from graphla.common.config import config
from graphla.common.errors import OutOfMemory
from graphla.common.memory import LARGE, require
from graphla.engine.cuda.records import read_struct

Array = Any
HOP_THREADS, WARP = 512, 32
MOST_DRAWS = 1 << 29
"""Draws of a sample; the table of their heads has fewer than 2³¹ slots then."""
BYTES_A_DRAW = 16 + 24 + 16 + 48
"""Scratch, an arc, a vertex, and the table."""
BARRIER, ZERO, SEEDS, RESULTS = 0, 1, 2, 3
"""Where the barrier, a zero, and the counts of seeds stand among the counts; and how many counts each step writes."""
WAY_OUT = "give fewer seeds, or smaller fan-outs"
KERNELS = Path(__file__).with_name("hops.cuh")
HopParameters = read_struct(KERNELS, "HopParameters")
RowsParameters = read_struct(KERNELS, "RowsParameters")
HowParameters = read_struct(KERNELS, "HowParameters")
NumbersParameters = read_struct(KERNELS, "NumbersParameters")
DrawsParameters = read_struct(KERNELS, "DrawsParameters")
CountsParameters = read_struct(KERNELS, "CountsParameters")


@dataclass(eq=False)
class Found:
    """Arcs of a relation or vertices of a type: arrays with room, and where their counts stand after each hop."""

    arrays: tuple[Array, ...]
    latest: int
    counts: list[int] = field(default_factory=list)

    def close_hop(self) -> None:
        """Nothing more comes in this hop."""
        self.counts.append(self.latest)

    def cut(self, device: Any, held: list[int]) -> tuple[list[Array], list[int]]:
        """What the arrays hold, and how much came first and in each hop; of arrays that are rather empty copies."""
        sizes = [held[place] for place in self.counts]
        parts = [each[: sizes[-1]] for each in self.arrays]
        wide = any(2 * sizes[-1] < each.size for each in self.arrays)
        return [device.copy(part) if wide else part for part in parts], [sizes[0], *(b - a for a, b in pairwise(sizes))]


def grow(asked: Asked, how: How) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Arcs by relation and vertices by type, as on a CPU."""
    limits: dict[tuple[int, int], int] = {}
    while True:
        growth = Growth(asked, how, plan_steps(asked, how, limits))
        held = growth.run()
        if not (short := growth.find_short(held)):
            return growth.cut(held)
        limits |= short


class Growth:
    """The launches of one sample.

    Parameters
    ----------
    asked, how
        The request.
    steps : list of Step
        The hops of its relations that may draw.
    """

    def __init__(self, asked: Asked, how: How, steps: list[Step]) -> None:
        self.asked, self.how, self.steps = asked, how, steps
        self.engine, self.xp = asked.engine, asked.engine.xp
        self.seed = hash_seed(how.seed)
        self.require(sum(step.room for step in steps))
        self.first_result = SEEDS + len(asked.kinds)
        self.upload()
        self.arcs = {relation.key: self.make_arcs(relation) for relation in asked.relations}
        self.numbers = {kind: self.make_numbers(kind) for kind in {step.relation.far: None for step in steps}}
        self.vertices = {kind: self.make_vertices(kind, place) for place, kind in enumerate(asked.kinds)}
        self.make_draws()

    def require(self, draws: int) -> None:
        """Ask for much memory, and for any where there is a limit; else a GPU says itself what does not fit."""
        if draws > MOST_DRAWS:
            raise OutOfMemory(f"a sample of up to {draws:,} arcs; {MOST_DRAWS:,} are the most: {WAY_OUT}")
        if BYTES_A_DRAW * draws >= LARGE or config.memory_limit is not None:
            require(BYTES_A_DRAW * draws, "the arcs of a sample", self.xp, WAY_OUT)

    def upload(self) -> None:
        """All that the host has to say, in one array: the counts, room for those of the steps, seeds, their times."""
        seeds, times = list(self.asked.seeds.values()), self.asked.times
        times = np.zeros(0, np.int64) if times is None else times
        kinds = {times.dtype.kind, *(relation.rows.times.dtype.kind for relation in self.asked.relations)}
        self.stamp = np.float64 if times.size and "f" in kinds else np.int64
        counts = np.zeros(self.first_result + RESULTS * len(self.steps), np.int64)
        counts[SEEDS : SEEDS + len(seeds)] = [each.size for each in seeds]
        trees = np.arange(self.asked.trees if self.asked.disjoint else 0)
        held = self.engine.asarray(np.concatenate([counts, *seeds, trees, times.astype(self.stamp).view(np.int64)]))
        ends = np.cumsum([counts.size, *(each.size for each in seeds)]).tolist()
        self.counts, self.barrier = held[: counts.size], held[BARRIER:ZERO].view(np.uint32)
        self.seeds = {kind: held[a:b] for kind, (a, b) in zip(self.asked.seeds, pairwise(ends), strict=True)}
        firsts = [end - ends[0] for end in ends]
        trees = held[ends[-1] : ends[-1] + trees.size]
        self.trees = {kind: trees[a:b] for kind, (a, b) in zip(self.asked.seeds, pairwise(firsts), strict=True)}
        self.limits = held[ends[-1] + trees.size :].view(self.stamp)

    def make_arcs(self, relation: Relation) -> Found:
        """Room for the arcs of a relation."""
        room = sum(step.room for step in self.steps if step.relation is relation)
        return Found(tuple(self.xp.empty(room, np.int64) for _ in range(3)), ZERO)

    def make_numbers(self, kind: Any) -> Any:
        """Room for the vertices of a type, and a table of their numbers."""
        xp, room = self.xp, sum(step.room for step in self.steps if step.relation.far == kind)
        room += self.asked.seeds[kind].size if kind in self.asked.seeds else 0
        slots = 1 << (2 * room).bit_length()
        return NumbersParameters(
            keys=xp.zeros(slots, np.uint64),
            numbers=xp.zeros(slots, np.uint32),
            mask=slots - 1,
            vertices=xp.empty(room, np.int64),
            trees=xp.empty(room if self.asked.disjoint else 0, np.int64),
            disjoint=self.asked.disjoint,
        )

    def make_vertices(self, kind: Any, place: int) -> Found:
        """The vertices of a type; the seeds alone if no step leads there."""
        held, none = self.numbers.get(kind), self.xp.empty(0, np.int64)
        if held is None:
            return Found((self.seeds.get(kind, none), self.trees.get(kind, none)), SEEDS + place)
        return Found((held.vertices, held.trees), SEEDS + place)

    def make_draws(self) -> None:
        """Scratch for the step that needs most."""
        xp, room = self.xp, max((step.room for step in self.steps), default=0)
        self.offsets = xp.empty(max((step.drawing for step in self.steps), default=0), np.int64)
        self.drawers, self.slots = xp.empty(room, np.int32), xp.empty(room, np.int32)
        self.drawn = xp.empty(room, np.int64)

    def run(self) -> list[int]:
        """Launch all; what the counts are in the end."""
        places = {(step.hop, step.number): place for place, step in enumerate(self.steps)}
        found = (*self.arcs.values(), *self.vertices.values())
        for each in found:
            each.close_hop()
        for hop in range(self.asked.hops):
            for number, _ in enumerate(self.asked.relations):
                if (place := places.get((hop, number))) is not None:
                    self.launch(self.steps[place], self.first_result + RESULTS * place)
            for each in found:
                each.close_hop()
        return self.engine.to_host(self.counts).tolist()

    def launch(self, step: Step, written: int) -> None:
        """Draw the arcs of a step, number their heads, and write three counts."""
        far, arcs = self.vertices[step.relation.far], self.arcs[step.relation.key]
        begin, end = self.find_front(step)
        at = CountsParameters(
            counts=self.counts, begin=begin, end=end, known=far.latest, arcs=arcs.latest, written=written
        )
        rows, how = self.describe_rows(step.relation.rows), self.describe_draws(step)
        name = f"hop<{self.engine.c_type(rows.indptr)}, {'double' if self.stamp is np.float64 else 'long long'}>"
        kernel = self.engine.kernel(KERNELS, name, cooperative=True, takes=HopParameters)
        threads = max(step.room, how.lanes * step.drawing)
        blocks = min(kernel.resident_blocks(HOP_THREADS), -(-threads // HOP_THREADS))
        given = HopParameters(
            rows=rows,
            how=how,
            far=self.numbers[step.relation.far],
            draws=DrawsParameters(
                offsets=self.offsets,
                totals=self.xp.empty(2 * blocks, np.int64),
                drawers=self.drawers,
                drawn=self.drawn,
                slots=self.slots,
            ),
            at=at,
            limits=self.limits,
            room=step.room,
            barrier=self.barrier,
            **self.find_vertices(step),
            **dict(zip(("tails", "heads", "arcs"), arcs.arrays, strict=True)),
        )
        kernel(blocks, HOP_THREADS, given)
        far.latest, arcs.latest = written, written + 1

    def find_front(self, step: Step) -> tuple[int, int]:
        """Where it stands at which numbers the vertices that draw begin and end."""
        counts = self.vertices[step.relation.near].counts
        return counts[step.hop - 1] if step.hop else ZERO, counts[step.hop]

    def find_vertices(self, step: Step) -> dict[str, Any]:
        """The vertices that draw; and the seeds of the far type, if nothing has come to it yet."""
        near, far, none = step.relation.near, step.relation.far, self.engine.get_unread("int64")
        first = self.vertices[far].latest < self.first_result and far in self.seeds
        vertices, trees = self.vertices[near].arrays if step.hop else (self.seeds[near], self.trees[near])
        return {
            "vertices": vertices,
            "trees": trees,
            "seeds": self.seeds[far] if first else none,
            "seed_trees": self.trees[far] if first else none,
            "planted": int(self.seeds[far].size) if first else 0,
        }

    def describe_rows(self, rows: Any) -> Any:
        """The rows as kernels take them."""
        return RowsParameters(
            indptr=rows.indptr,
            indices=rows.indices,
            places=rows.places,
            sums=rows.sums,
            times=rows.times.astype(self.stamp, copy=False) if rows.times.size else rows.times,
            placed=rows.places.size > 0,
            weighted=rows.sums.size > 0,
            timed=rows.times.size > 0,
        )

    def describe_draws(self, step: Step) -> Any:
        """How a step draws; a team has a lane for each arc, but draws by weight follow one another."""
        lanes = WARP if step.fanout < 0 else min(WARP, 1 << max(0, step.fanout - 1).bit_length())
        by_weight = step.fanout > 0 and step.relation.rows.sums.size > 0 and not self.how.replace
        return HowParameters(
            seed=self.seed,
            word=step.hop << 32 | step.number << 48,
            fanout=step.fanout,
            lanes=1 if by_weight else lanes,
            replace=self.how.replace,
            latest=self.how.latest,
        )

    def find_short(self, held: list[int]) -> dict[tuple[int, int], int]:
        """The first step that had too little room, with the draws that it has; empty if there is none."""
        for step, draws in zip(self.steps, held[self.first_result + 2 :: RESULTS], strict=True):
            if draws > step.room:
                return {(step.hop, step.number): draws}
        return {}

    def cut(self, held: list[int]) -> tuple[dict[Any, Any], dict[Any, Any]]:
        """What is found."""
        arcs = {key: each.cut(self.engine.device, held) for key, each in self.arcs.items()}
        return (
            {key: (parts, counts[1:]) for key, (parts, counts) in arcs.items()},
            {kind: each.cut(self.engine.device, held) for kind, each in self.vertices.items()},
        )
