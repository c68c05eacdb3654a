"""The direction-optimising search of a graph that is spread over many ranks.

What the ranks do, `choose_way` decides. Small graphs are searched by each GPU alone, which holds the whole, because
that takes less time than the meetings of the ranks; so are deep ones, such as roads. Other graphs are searched in
parts: in a box by one launch on each GPU (peers.cuh), else level by level.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from graphla.algorithms.bfs.fused import NARROW_DEGREE
from graphla.algorithms.bfs.fused import search as search_fused
from graphla.algorithms.bfs.ranks.levels import get_peers, search
from graphla.algorithms.bfs.ranks.rows import RankRows, build_rows
from graphla.algorithms.shared.search_settings import Settings
from graphla.common.memory import budget
from graphla.containers.aggregators import agg
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.storage import SentinelBlocks
from graphla.storage.formats import as_compressed, list_row_ids
from semirings import monoid, unary

Array = Any
WHOLE_ARCS = 200_000_000
"""Arcs up to which one H200 takes less time for a search of a Kronecker graph than two: 0.132 ms against 0.153 at
128 M, 0.335 against 0.261 at 521 M."""
COLLECT_BYTES = 64
"""Bytes per arc while a rank collects the whole graph."""


@dataclass(frozen=True)
class Way:
    """How the ranks search a graph: each the whole of it, or all in parts; and why."""

    whole: bool
    why: str


def run_on_ranks(G: Graph, source: int, s: Settings) -> tuple[Vector, Vector | None]:
    """Levels, and parents if asked, as vectors that are spread over the ranks.

    The first search sends each arc to the rank that owns its head, or to all; the rows are kept with the graph.
    """
    if choose_way(G).whole:
        return search_whole(G, source, s.parents)
    rows: RankRows = G.cached("bfs.ranks", make_rows)
    levels, above = search(rows, source, s.parents)
    return hold(G, rows, levels), hold(G, rows, above) if s.parents else None


def choose_way(G: Any) -> Way:
    """Decide how the ranks search a graph; all ranks decide alike."""
    way: Way = G.cached("bfs.way", find_way)
    return way


def find_way(G: Any) -> Way:
    """Decide by the arcs, by the degrees where these are few per vertex, and by the memory of all ranks."""
    ranks, arcs = G.engine.ranks, f"{G.nvals:,} arcs"
    if not has_gpus(ranks):
        return Way(False, f"ranks on the engine {ranks.local.name} share the work of each level")
    small = G.nvals <= WHOLE_ARCS
    deep = not small and G.nvals <= NARROW_DEGREE * G.n and find_largest_degree(G) <= NARROW_DEGREE
    if not small and not deep:
        return Way(False, f"{arcs} are more than {WHOLE_ARCS:,}")
    if not ranks.world.all_reduce(COLLECT_BYTES * G.nvals <= budget(ranks.xp), monoid.land):
        return Way(False, f"a rank has no memory for all {arcs}")
    return Way(True, f"{arcs} are at most {WHOLE_ARCS:,}" if small else f"no vertex has more than {NARROW_DEGREE} arcs")


def has_gpus(ranks: Any) -> bool:
    """Whether there are several ranks, each with a GPU."""
    return bool(ranks.xp.__name__ == "cupy" and ranks.size > 1)


def find_largest_degree(G: Any) -> int:
    """Return the most arcs of a row."""
    return int(G.A.reduce_rowwise(agg.count).new().reduce(monoid.max).value or 0)


def explain(G: Any) -> str:
    """Say how the ranks search a graph, and why; every rank calls it."""
    way = choose_way(G)
    if way.whole:
        return f"each rank searches the whole graph ({way.why})"
    rows: RankRows = G.cached("bfs.ranks", make_rows)
    how = "level by level" if get_peers(rows) is None else "by one launch on each GPU, which stores into its peers"
    return f"all ranks search their parts {how} ({way.why})"


def search_whole(G: Any, source: int, parents: bool) -> tuple[Vector, Vector | None]:
    """Search the whole graph on this rank, and keep the block of the answer that is its own."""
    levels, above = search_fused(G.cached("bfs.whole", collect_graph), source, parents)
    first, last = G.engine.ranks.grid.find_block(G.n)
    found = None if above is None else make_vector(G, above[first:last].copy())
    return make_vector(G, levels[first:last].copy()), found


def collect_graph(G: Any) -> Graph:
    """Return the whole graph on the engine of this rank, without weights."""
    truths = G.A.apply(unary.one).new("BOOL")
    return Graph(Matrix._from_storage(G.engine.collect(truths._storage), G.engine.local))


def make_rows(G: Any) -> RankRows:
    """Send the arcs of this rank's block to the ranks that own their ends."""
    ranks, symmetric = G.engine.ranks, G.symmetric
    (first_row, _), (first_column, _) = ranks.grid.find_corner(G.A.shape)
    block = as_compressed(ranks.xp, G.A._storage.part)

    def draw() -> Iterator[tuple[Array, Array]]:
        yield list_row_ids(block).astype(np.int64) + first_row, block.indices.astype(np.int64) + first_column

    return build_rows(ranks.world, ranks.local, G.n, draw, symmetric)


def hold(G: Any, rows: RankRows, own: Array) -> Vector:
    """Return an array of the own vertices of each rank as a vector, whose blocks may be cut in another way."""
    ranks, cut = G.engine.ranks, list(G.engine.ranks.grid.cut(G.n))
    starts = [min(rank * rows.slot, G.n) for rank in range(rows.ranks + 1)]
    if starts == cut:
        return make_vector(G, own)
    first = starts[rows.world.rank]
    bounds = [min(max(bound, first), first + own.size) - first for bound in cut]
    return make_vector(G, ranks.xp.concatenate(rows.world.all_to_all([own[a:b] for a, b in pairwise(bounds)])))


def make_vector(G: Any, block: Array) -> Vector:
    """Return the blocks of all ranks, with -1 where there is no entry, as a vector."""
    return Vector._from_storage(SentinelBlocks(G.n, block, -1, G.engine.ranks), G.engine)
