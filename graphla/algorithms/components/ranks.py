"""Union-find of a graph that is spread over the ranks of one machine: all join trees in the memory that they share.

Each rank has the rows of some vertices, cut so that all have about as many arcs, and runs the kernels of one process on
them. A compare-and-swap on shared memory is one between processes, too; the ranks meet after each pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.components import Settings
from graphla.algorithms.shared.undirected import is_undirected
from graphla.common.errors import OutOfMemory
from graphla.containers.aggregators import agg
from graphla.containers.vector import Vector
from graphla.engine.cpu.threads import run_over_rows
from graphla.engine.mpi.slots import Slots, collect_leaving, cut_by_weight, hold_own, pad_rows
from graphla.storage import CompressedMatrix
from semirings import monoid

NUMBERS = 8
"""Bytes per vertex of two numbers."""


def run_on_ranks(G: Any, s: Settings) -> tuple[Vector]:
    """The smallest vertex of each vertex's component, as a vector in parts."""
    from graphla.algorithms.components.afforest_cpu import find_components

    slots, rows = G.cached("components.ranks", collect_arcs)
    parent = find_components(rows, rows if is_undirected(G) else None, Team(slots))
    return (Vector._from_storage(hold_own(slots, parent[slots.first : slots.last]), G.engine),)


def collect_arcs(G: Any) -> tuple[Slots, CompressedMatrix]:
    """Cut the vertices by their leaving arcs, and send each arc to the rank that owns its tail."""
    slots = cut_by_leaving(G)
    return slots, pad_rows(slots, collect_leaving(slots, G.A._storage, weighted=False, as_places=False))


def cut_by_leaving(G: Any) -> Slots:
    """Cut the vertices so that about as many arcs leave those of each rank."""
    degrees = G.A.reduce_rowwise(agg.count).new("INT64")
    degrees(~degrees.S) << 0
    return cut_by_weight(G.engine.ranks, degrees._storage.part.values + 1, G.n)


class Team:
    """The ranks of one machine, each with the rows of the vertices that it owns."""

    def __init__(self, slots: Slots) -> None:
        self.world, self.n, self.first, self.last = slots.ranks.world, slots.size, slots.first, slots.last
        self.memory: Any = None

    def share(self) -> tuple[Any, Any]:
        """The parents of the vertices, and a number of each, in memory of all ranks."""
        numbers = take_memory(self, NUMBERS * self.n).view(np.int32)
        return numbers[: self.n], numbers[self.n :]

    def meet(self) -> None:
        """Wait for all ranks."""
        if self.memory is not None:
            self.memory.meet()

    def find_largest(self, value: int, where: int) -> tuple[int, int]:
        """The largest value of all ranks, and the first place where it is."""
        largest = self.world.all_reduce(value, monoid.max)
        return largest, self.world.all_reduce(where if value == largest else self.n, monoid.min)

    def over(self, kernel: Any, rows: Any, *arguments: Any) -> None:
        """Run a kernel on the own rows, and wait for the others; its atomic operations are those of machine code."""
        from graphla.engine.cpu.late import compile_at_once

        first, own = self.first, rows.indptr[self.first : self.last + 1]
        part = lambda start, end: kernel(first + start, first + end, rows.indptr, *arguments)  # noqa: E731
        with compile_at_once():
            run_over_rows(part, own, rows.nvals + own.size)
        self.meet()


def take_memory(team: Team, nbytes: int) -> Any:
    """Bytes that all ranks of a team read and write."""
    if team.world.size == 1:
        return np.empty(nbytes, np.uint8)
    team.memory = team.world.share_memory(nbytes)
    if team.memory is None:
        raise OutOfMemory(f"components: {nbytes:,} bytes do not fit into the memory that the ranks share, /dev/shm")
    return team.memory.array[:nbytes]


def refuse_on_ranks(G: Any) -> str | None:
    """Refuse graphs over ranks that share no memory."""
    way_out = "method='algebraic' sends what others need"
    if G.engine.local.name != "cpu":
        return f"ranks with GPUs share no memory; {way_out}"
    if not G.engine.ranks.world.can_share(NUMBERS * G.n):
        return f"the ranks run on several machines, or do not share {NUMBERS * G.n:,} bytes of memory; {way_out}"
    return None
