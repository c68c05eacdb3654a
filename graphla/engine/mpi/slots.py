"""Vertices cut so that each rank owns about as many arcs, and arrays of which each rank writes its slot.

Rank r owns the vertices ``bounds[r]`` … ``bounds[r + 1] - 1``. Vertex v of rank r has the place
``r · width + v - bounds[r]``: the slots of all ranks have one width, so that MPI and NCCL gather them in place. In one
box the ranks of CPUs write and read the same memory, and nothing is sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.engine.mpi.entries import list_entries, send_to
from graphla.engine.mpi.indices import find_blocks
from graphla.storage import Array, BitmapVector, CompressedMatrix, Coo, DistributedMatrix, DistributedVector, FullVector
from graphla.storage.convert import csr_from_coo
from semirings import monoid

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks

LINE = 64
"""Slots begin at multiples of so many elements, and hold so many beyond the vertices at least."""


@dataclass(frozen=True, eq=False)
class Slots:
    """Which vertices each rank owns.

    Attributes
    ----------
    ranks : Ranks
        All ranks.
    size : int
        Vertices.
    bounds : list of int
        Of P + 1 bounds, from 0 to `size`.
    """

    ranks: Ranks
    size: int
    bounds: list[int]

    @property
    def width(self) -> int:
        """Places of a slot."""
        largest = max(last - first for first, last in pairwise(self.bounds))
        return (largest // LINE + 2) * LINE

    @property
    def places(self) -> int:
        """Places of all slots."""
        return self.width * self.ranks.size

    @property
    def first(self) -> int:
        """The first vertex of this rank."""
        return self.bounds[self.ranks.world.rank]

    @property
    def last(self) -> int:
        """The vertex after the last of this rank."""
        return self.bounds[self.ranks.world.rank + 1]

    @property
    def own(self) -> int:
        """How many vertices this rank owns."""
        return self.last - self.first

    def find_owners(self, vertices: Array) -> Array:
        """Return the rank that owns each vertex."""
        return find_blocks(vertices, self.bounds)

    def to_places(self, vertices: Array) -> Array:
        """Return the places of vertices."""
        shifts = np.arange(self.ranks.size) * self.width - np.array(self.bounds[:-1])
        return vertices + self.ranks.xp.asarray(shifts)[self.find_owners(vertices)]


def cut_by_weight(ranks: Ranks, weights: Array, size: int) -> Slots:
    """Cut vertices so that those of each rank weigh about the same: a rank owns those whose middle is in its share.

    Parameters
    ----------
    ranks : Ranks
        All ranks; all of them call this.
    weights : array of int64
        The weights of this rank's block of a vector of `size` vertices.
    size : int
        Vertices.
    """
    ends, world = weights.cumsum(), ranks.world
    totals = world.all_gather(np.array([int(ends[-1]) if ends.size else 0]))
    before, total = int(totals[: world.rank].sum()), int(totals.sum())
    goals = np.array([total * rank // world.size - before for rank in range(1, world.size)], np.int64)
    found = ranks.xp.searchsorted(2 * ends - weights, ranks.xp.asarray(2 * goals), side="right")
    counts = ranks.local.to_host(found)
    cuts = world.all_reduce(counts.astype(np.int64), monoid.plus).tolist() if goals.size else []
    return Slots(ranks, size, [0, *cuts, size])


def collect_entering(slots: Slots, matrix: DistributedMatrix, weighted: bool) -> CompressedMatrix:
    """Send each entry to the rank that owns its column; return a row per own vertex, whose columns are places.

    Without `weighted` no values are sent, and all are True.
    """
    rows, columns, values = list_entries(slots.ranks, matrix)
    return collect(slots, columns, slots.to_places(rows), values if weighted else None, slots.places)


def collect_leaving(slots: Slots, matrix: DistributedMatrix, weighted: bool, as_places: bool) -> CompressedMatrix:
    """Send each entry to the rank that owns its row; return a row per own vertex, whose columns are places or vertices.

    Without `weighted` no values are sent, and all are True.
    """
    rows, columns, values = list_entries(slots.ranks, matrix)
    others, width = (slots.to_places(columns), slots.places) if as_places else (columns, slots.size)
    return collect(slots, rows, others, values if weighted else None, width)


def collect(slots: Slots, owned: Array, others: Array, values: Array | None, width: int) -> CompressedMatrix:
    """Send arcs to the ranks that own one end; return a row of other ends per own vertex, with `width` columns."""
    sent = owned, others.astype("int32"), values
    ends, columns, values = send_to(slots.ranks, slots.find_owners(owned), *sent)
    return csr_from_coo(Coo(slots.own, width, (ends - slots.first).astype("int32"), columns, values))


def pad_rows(slots: Slots, own: CompressedMatrix) -> CompressedMatrix:
    """Return a row for each vertex, of which those of other ranks are empty."""
    xp, kind = slots.ranks.xp, own.indptr.dtype
    before, after = xp.zeros(slots.first, kind), xp.full(slots.size - slots.last, own.nvals, kind)
    return CompressedMatrix(slots.size, own.ncols, xp.concatenate([before, own.indptr, after]), own.indices, own.values)


def take_own(slots: Slots, vector: DistributedVector) -> Array:
    """Return the values of a full vector at the own vertices of this rank."""
    return exchange_ranges(slots.ranks, vector.part.values, slots.ranks.grid.cut(slots.size), slots.bounds)


def hold_own(slots: Slots, own: Array) -> DistributedVector:
    """Return a value of each own vertex as a full vector, whose blocks are cut in another way."""
    block = exchange_ranges(slots.ranks, own, slots.bounds, slots.ranks.grid.cut(slots.size))
    return DistributedVector(slots.size, FullVector(block), slots.ranks)


def hold_found(slots: Slots, own: Array, absent: Any) -> DistributedVector:
    """Return the vector of the values of own vertices that are not `absent`."""
    values = hold_own(slots, own).part.values
    present = values != absent
    part = BitmapVector(present, values, int(slots.ranks.xp.count_nonzero(present)))
    return DistributedVector(slots.size, slots.ranks.to_best(part), slots.ranks)


def exchange_ranges(ranks: Ranks, held: Array, bounds: list[int], wanted: list[int]) -> Array:
    """Return the elements of the range `wanted` of this rank, of an array of which each rank has that of `bounds`."""
    first, last = bounds[ranks.world.rank], bounds[ranks.world.rank + 1]
    cuts = [min(max(bound, first), last) - first for bound in wanted]
    return ranks.xp.concatenate(ranks.world.all_to_all([held[a:b] for a, b in pairwise(cuts)]))


class SlotArrays:
    """Two arrays over all places in turn: the ranks read one, and each writes its slot of the other.

    Attributes
    ----------
    now : array
        What all ranks have written before the last `turn`.
    own : array
        The slot of this rank in the next one.
    """

    def __init__(self, slots: Slots, dtype: Any) -> None:
        self.world, self.rank, self.width = slots.ranks.world, slots.ranks.world.rank, slots.width
        nbytes = slots.places * np.dtype(dtype).itemsize
        self.memory = self.world.share_memory(2 * nbytes)
        held = np.empty(2 * nbytes, np.uint8) if self.memory is None else self.memory.array[: 2 * nbytes]
        self.now, self.next = held[:nbytes].view(dtype), held[nbytes:].view(dtype)

    @property
    def own(self) -> Array:
        return self.next[self.rank * self.width : (self.rank + 1) * self.width]

    def turn(self, *numbers: float) -> list[float]:
        """Let all ranks read what each has written; return the sums of up to `LINE` numbers of each rank.

        The numbers travel at the end of the slots.
        """
        at = -len(numbers)
        view_numbers(self.next, self.width)[self.rank, at:] = numbers
        if self.memory is None:
            self.world.fill_slots(self.next)
        else:
            self.memory.meet()
        self.now, self.next = self.next, self.now
        return view_numbers(self.now, self.width)[:, at:].sum(axis=0).tolist()


def view_numbers(array: Array, width: int) -> Array:
    """Return the slots of an array as rows of FP64 numbers."""
    return array.reshape(-1, width).view(np.float64)
