"""The level above one whose rows are spread over ranks, on GPUs: each arc goes to the rank of its community first.

So it is sorted once, among those that this rank gets, and arcs of the same two communities are added up there.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.communities import row_shares
from graphla.algorithms.shared.communities.device_labels import DeviceLabels
from graphla.algorithms.shared.communities.level import Level
from graphla.engine.mpi.indices import join_arrays
from graphla.engine.mpi.slots import Slots, cut_by_weight
from graphla.storage import CompressedMatrix
from graphla.storage.convert import cast_indices, expand_rows, make_row_pointers, measure_rows, tally
from semirings import monoid

Array = Any


def merge(labels: DeviceLabels, level: Level, numbers: Array, count: int) -> Level:
    """The level whose vertices are groups, as `Rounds.merge` finds it; whole on each rank if its arcs are few."""
    ranks = level.slots.ranks
    slots: Slots | None = cut_groups(level, numbers, count)
    rows = labels.fold(*exchange(ranks, labels.list_between(level.rows, numbers, slots.bounds)), count)
    if ranks.add_up(rows.nvals) <= row_shares.SMALL:
        rows, slots = gather_rows(ranks, rows), None
    return Level(rows, labels.add_strengths(numbers, count, level.strengths), level.total, slots=slots)


def exchange(ranks: Any, parts: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Send part i to rank i; return what arrived: pairs of groups, and weights."""
    pairs, weights = ranks.world.all_to_all_several([pairs for pairs, _ in parts], [weights for _, weights in parts])
    return join_arrays(ranks.xp, pairs), join_arrays(ranks.xp, weights)


def cut_groups(level: Level, numbers: Array, count: int) -> Slots:
    """Cut groups so that the vertices of those of each rank have about as many arcs."""
    ranks, own = level.slots.ranks, slice(level.slots.first, level.slots.last)
    lengths = measure_rows(level.rows.indptr[level.slots.first : level.slots.last + 1])
    arcs = tally(numbers[own], count, cast_indices(lengths, "float64"))
    arcs = ranks.world.reduce_scatter(arcs, monoid.plus, ranks.grid.cut(count))
    return cut_by_weight(ranks, cast_indices(arcs, "int64") + 1, count)


def gather_rows(ranks: Any, rows: CompressedMatrix) -> CompressedMatrix:
    """The rows of all ranks, of which each has some that follow those of the rank before."""
    parts = expand_rows(rows), rows.indices, rows.values
    tails, heads, values = (ranks.world.all_gather(part) for part in parts)
    return CompressedMatrix(rows.nrows, rows.ncols, make_row_pointers(ranks.xp, tails, rows.nrows), heads, values)
