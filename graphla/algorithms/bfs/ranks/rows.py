"""A graph of which each rank holds the rows of its own vertices.

The n vertices are cut into as many slots as there are ranks, of `slot` vertices each (a multiple of 128); rank r owns
slot r. Within a rank vertex v has the place (v - r · slot) mod (ranks · slot): the own vertices stand first, those of
the next rank follow, and so on around the end. Columns are stored as places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphla.common.errors import NotSupported
from graphla.engine.mpi.communicator import Communicator
from graphla.storage.convert import get_array_module
from semirings import monoid

Array = Any
GROUP = 128
"""A slot has whole groups of so many vertices, so that its bits are whole words on every engine."""
SHIFT, LOW = 32, 0xFFFFFFFF
ARCS_AT_ONCE = 1 << 29
"""Arcs that are sorted together."""


@dataclass(frozen=True, eq=False)
class RankRows:
    """The rows of this rank's vertices, by tails (`in`) and by heads (`out`); the same arrays if symmetric.

    `blank` is a bitmap over all places of the vertices without arcs and of the padding.
    """

    world: Communicator
    engine: Any
    n: int
    slot: int
    nvals: int
    in_indptr: Array
    in_indices: Array
    out_indptr: Array
    out_indices: Array
    blank: Array
    strongest: Array
    open: int
    open_everywhere: int
    kept: dict[str, Any] = field(default_factory=dict)

    @property
    def ranks(self) -> int:
        return self.world.size

    @property
    def own(self) -> int:
        """How many vertices this rank owns."""
        return int(self.in_indptr.size) - 1

    @property
    def first(self) -> int:
        """The first vertex of this rank."""
        return self.world.rank * self.slot

    def to_place(self, vertices: Any) -> Any:
        """Return the places of vertices."""
        return (vertices - self.first) % (self.ranks * self.slot)

    def to_vertex(self, places: Any) -> Any:
        """Return the vertices at places."""
        return (places + self.first) % (self.ranks * self.slot)

    def grid(self, kernel: Any, threads: int) -> int:
        """Return how many blocks of a kernel the device holds at once."""
        if kernel not in self.kept:
            self.kept[kernel] = kernel.resident_blocks(threads)
        return self.kept[kernel]

    def order_parts(self, array: Array) -> list[Array]:
        """Return the slots of an array over all places, by the rank that owns them."""
        size = array.size // self.ranks
        slots = [array[j * size : (j + 1) * size] for j in range(self.ranks)]
        return [slots[(rank - self.world.rank) % self.ranks] for rank in range(self.ranks)]


def choose_slot(n: int, ranks: int) -> int:
    """Return the vertices of a slot."""
    if n > 2**31 - GROUP * ranks:
        raise NotSupported(f"{n:,} vertices: places of 32 bits number fewer than {2**31:,}")
    return max(1, -(-n // (GROUP * ranks))) * GROUP


def count_own(n: int, slot: int, rank: int) -> int:
    return max(0, min(slot, n - rank * slot))


def build_rows(
    world: Communicator, engine: Any, n: int, draw: Callable[[], Any], symmetric: bool, ends: Array = None
) -> RankRows:
    """Build the rows from arcs that are anywhere.

    Parameters
    ----------
    world : Communicator
        The ranks.
    engine : Engine
        Of this rank.
    n : int
        Vertices of the graph.
    draw : callable
        Returns an iterator of pieces (tails, heads), int64 arrays; each arc comes on one rank. Every rank has the same
        number of pieces.
    symmetric : bool
        Whether both arcs of each edge come, so that the rows by heads are those by tails.
    ends : array of `slot` int64, optional
        Gets how many arcs enter each own vertex, repeats and loops included.
    """
    slot, xp = choose_slot(n, world.size), engine.xp
    into = collect_rows(world, engine, n, slot, ((heads, tails) for tails, heads in draw()), ends)
    out = into if symmetric else collect_rows(world, engine, n, slot, draw())
    if out[0].dtype != into[0].dtype:
        into, out = ((rows[0].astype(np.int64), rows[1]) for rows in (into, out))
    degrees = xp.diff(out[0])
    arcs = degrees if symmetric else degrees + xp.diff(into[0])
    padded = xp.zeros(slot, np.int64)
    padded[: arcs.size] = arcs
    blank = gather_places(world, pack_bits(engine, padded == 0))
    nvals = world.all_reduce(int(into[1].size), monoid.plus)
    strongest = find_strongest(world, engine, slot, degrees, into)
    own = int((arcs > 0).sum())
    everywhere = world.all_reduce(own, monoid.plus)
    return RankRows(world, engine, n, slot, nvals, *into, *out, blank, strongest, own, everywhere)


def collect_rows(
    world: Communicator, engine: Any, n: int, slot: int, pieces: Any, ends: Array = None
) -> tuple[Array, Array]:
    """Send each arc to the rank that owns its first end; return pointers and the places of the second ends."""
    xp, width, first = engine.xp, world.size * slot, world.rank * slot
    kept = []
    for firsts, others in pieces:
        owners, keys = firsts // slot, firsts << SHIFT | others
        sent = [keys[owners == rank] for rank in range(world.size)]
        for part in world.all_to_all(sent):
            own = (part >> SHIFT) - first
            kept.append(own << SHIFT | ((part & LOW) - first) % width)
            if ends is not None:
                ends += xp.bincount(own, minlength=slot)
    return sort_rows(xp, count_own(n, slot, world.rank), kept)


def sort_rows(xp: Any, own: int, parts: list[Array]) -> tuple[Array, Array]:
    """Sort packed arcs by ranges of rows, without loops and repeats; return pointers and columns."""
    total = sum(part.size for part in parts)
    pointers, columns, filled = xp.zeros(own + 1, np.int64), xp.empty(total, np.int32), 0
    step = max(1, -(-own // max(1, -(-total // ARCS_AT_ONCE))))
    for first in range(0, own, step):
        last = min(first + step, own)
        inside = [part[(part >> SHIFT >= first) & (part >> SHIFT < last)] for part in parts]
        arcs = xp.concatenate([part[part >> SHIFT != part & LOW] for part in inside]) if inside else xp.zeros(0, int)
        arcs.sort()
        is_new = xp.ones(arcs.size, bool)
        is_new[1:] = arcs[1:] != arcs[:-1]
        arcs = arcs[is_new]
        columns[filled : filled + arcs.size] = arcs & LOW
        counts = xp.bincount((arcs >> SHIFT) - first, minlength=last - first)
        pointers[first + 1 : last + 1] = filled + xp.cumsum(counts)
        filled += int(arcs.size)
    return pointers.astype(np.int32 if filled < 2**31 else np.int64), columns[:filled]


def pack_bits(engine: Any, truths: Array) -> Array:
    """Return truths as words of bits, the lowest first: of 64 on the CPU, of 32 on a GPU."""
    word = np.uint64 if engine.name == "cpu" else np.uint32
    return engine.xp.packbits(truths, bitorder="little").view(word)


def gather_places(world: Communicator, own: Array) -> Array:
    """Return the arrays of all ranks, of one length, by place."""
    gathered = world.all_gather(own).reshape(world.size, -1)
    return get_array_module(own).roll(gathered, -world.rank, axis=0).reshape(-1)


def find_strongest(world: Communicator, engine: Any, slot: int, degrees: Array, into: tuple[Array, Array]) -> Array:
    """Return the tail of most arcs of each own vertex, for the GPU's pull."""
    if engine.name == "cpu":
        return None
    from graphla.algorithms.bfs.ranks import _cuda

    padded = engine.xp.zeros(slot, np.int32)
    padded[: degrees.size] = degrees
    return _cuda.find_strongest(engine, degrees.size, slot, gather_places(world, padded), *into)
