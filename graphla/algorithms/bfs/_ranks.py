"""The direction-optimising search of a graph that is spread over many ranks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from graphla.algorithms.bfs._rank_levels import search
from graphla.algorithms.bfs._rank_rows import RankRows, build_rows
from graphla.containers.vector import Vector
from graphla.graph import Graph
from graphla.storage import BitmapVector, DistributedVector
from graphla.storage.formats import as_compressed, list_row_ids

Array = Any


def run_on_ranks(G: Graph, source: int, *, parents: bool = False) -> tuple[Vector, Vector | None]:
    """Levels, and parents if asked, as vectors that are spread over the ranks.

    The first search sends each arc to the rank that owns its head; the rows are kept with the graph.
    """
    rows: RankRows = G.cached("bfs.ranks", make_rows)
    levels, above = search(rows, source, parents)
    return hold(G, rows, levels), hold(G, rows, above) if parents else None


def make_rows(G: Any) -> RankRows:
    """Send the arcs of this rank's block to the ranks that own their ends."""
    ranks, symmetric = G.engine.ranks, G.symmetric
    (first_row, _), (first_column, _) = ranks.grid.find_corner(G.A.shape)
    block = as_compressed(ranks.xp, G.A._storage.part)

    def draw() -> Iterator[tuple[Array, Array]]:
        yield list_row_ids(block).astype(np.int64) + first_row, block.indices.astype(np.int64) + first_column

    return build_rows(ranks.world, ranks.local, G.n, draw, symmetric)


def hold(G: Any, rows: RankRows, own: Array) -> Vector:
    """Return an array of the own vertices of each rank as a vector, whose blocks are cut in another way."""
    ranks = G.engine.ranks
    starts = [min(rank * rows.slot, G.n) for rank in range(rows.ranks + 1)]
    first = starts[rows.world.rank]
    bounds = [min(max(bound, first), first + own.size) - first for bound in ranks.grid.cut(G.n)]
    block = ranks.xp.concatenate(rows.world.all_to_all([own[a:b] for a, b in pairwise(bounds)]))
    present = block >= 0
    part = BitmapVector(present, block, int(present.sum()))
    return Vector._from_storage(DistributedVector(G.n, part, ranks), G.engine)
