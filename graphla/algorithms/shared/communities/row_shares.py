"""Rows that are the sum of entries of all ranks: each rank gets those of its own vertices, or all if they are few."""

from __future__ import annotations

from typing import Any

from graphla.containers.matrix import Matrix
from graphla.engine.mpi.entries import send_to
from graphla.engine.mpi.slots import Slots, cut_by_weight
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import tally
from semirings import binary, monoid

Array = Any
SMALL = 1 << 20
"""Arcs up to which a level is whole on every rank: they take 12 MB. A round on ranks waits for the others, some 50 µs,
about as long as a GPU takes to look at so many arcs."""


def share_out(ranks: Any, entries: tuple[Array, Array, Array], n: int) -> tuple[CompressedMatrix, Slots | None]:
    """Add up the entries that all ranks have: the rows of this rank's vertices, or all rows if they are few."""
    if ranks.add_up(entries[0].size) <= SMALL:
        return add_entries(ranks, [ranks.world.all_gather(part) for part in entries], n), None
    weights = ranks.world.reduce_scatter(tally(entries[0], n), monoid.plus, ranks.grid.cut(n))
    slots = cut_by_weight(ranks, weights + 1, n)
    return add_entries(ranks, send_to(ranks, slots.find_owners(entries[0]), *entries), n), slots


def add_entries(ranks: Any, entries: list[Array], n: int) -> CompressedMatrix:
    """A matrix of entries, those of one cell added up."""
    return Graph(Matrix.from_coo(*entries, nrows=n, ncols=n, dup_op=binary.plus, engine=ranks.local)).csr
