"""The Graph500 benchmark on many ranks: no rank holds the edges, or the graph.

Each rank draws its share of the edges and sends each arc to the rank that owns its tail. A search leaves levels and
parents with the owners. For the validation every rank gets the levels of all vertices; arcs stay where they are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from graphla.algorithms.bfs.ranks.levels import search
from graphla.algorithms.bfs.ranks.rows import ARCS_AT_ONCE, LOW, SHIFT, RankRows, build_rows, choose_slot, gather_places
from graphla.common.arguments import to_bool, to_int
from graphla.common.errors import InvalidGraph
from graphla.common.memory import require as require_memory
from graphla.engine import get_engine
from graphla.engine.mpi.agree import run_on_all
from graphla.engine.mpi.communicator import Communicator
from graphla.engine.mpi.world import get_world
from graphla.engine.protocol import EngineLike
from graphla.graphs.generators.kronecker import GRAPH500, list_new_numbers, make_quadrant_drawer, relabel
from graphla.measuring.graph500 import OUTSIDE, SOURCES, Graph500, require
from semirings import monoid

Array = Any
PIECE = 1 << 25
"""Edges that a rank draws at once, and arcs that it validates at once."""
ARC_BYTES, SORTED_BYTES, VERTEX_BYTES = 12, 48, 64
"""Bytes per own arc (a key and a column), per arc that is sorted at once, and per vertex of the graph at the peak."""


def graph500(
    scale: int,
    *,
    edge_factor: int = 16,
    engine: EngineLike = None,
    seed: int = 1,
    sources: int = SOURCES,
    validate: bool = True,
) -> Graph500:
    """The Graph500 benchmark: build a Kronecker graph on all ranks, search it, validate, report.

    Parameters
    ----------
    scale : int
        The graph has ``2**scale`` vertices; 1 to 30.
    edge_factor : int
        Edges per vertex in the list of edges.
    engine : {"cpu", "cuda"}, optional
        The engine of each rank.
    seed : int
        The seed of the graph and the sources; the edges are those of one process.
    sources : int
        Number of searches; the benchmark specifies 64.
    validate : bool
        Check each search by the five rules.

    Returns
    -------
    Graph500
        The same on every rank; a search takes the time of the slowest rank.

    Raises
    ------
    VerificationError
        On every rank, if a search breaks one of the five rules on any.
    InvalidGraph
        If no vertex has an edge to another.
    OutOfMemory
        If the part of a rank does not fit in its memory.

    Notes
    -----
    O(E / P) memory per rank and O(V) bytes for a permutation of the vertices and for levels. Specification:
    https://graph500.org/?page_id=12.

    Examples
    --------
    >>> import graphla as gl
    >>> found = gl.mpi.graph500(8, engine="cpu", sources=2)
    >>> found.scale, len(found.seconds)
    (8, 2)
    """
    world, device = get_world(), get_engine(engine)
    scale, edge_factor = to_int(scale, "scale", 1, 30), to_int(edge_factor, "edge_factor", 1)
    seed, sources, validate = to_int(seed, "seed", 0), to_int(sources, "sources", 1), to_bool(validate, "validate")
    arcs = (2 * edge_factor << scale) // world.size
    needed = ARC_BYTES * arcs + SORTED_BYTES * min(arcs, ARCS_AT_ONCE) + (VERTEX_BYTES << scale)
    run_on_all(world, lambda: require_memory(needed, f"graph500 at scale {scale}, per rank", device.xp))
    rows, ends, construction = build(world, device, scale, edge_factor, seed)
    seconds, traversed = [], []
    starts = choose_sources(rows, sources, seed)
    search(rows, starts[0], True)  # compiles
    for source in starts:
        (levels, parents), took = time_call(world, device, partial(search, rows, source, True))
        if validate:
            check_tree(rows, source, levels, parents)
        seconds.append(took)
        traversed.append(world.all_reduce(int(ends[levels >= 0].sum()), monoid.plus) // 2)
    return Graph500(scale, edge_factor, f"{device.name} × {world.size}", construction, tuple(seconds), tuple(traversed))


def build(world: Communicator, engine: Any, scale: int, edge_factor: int, seed: int) -> tuple[RankRows, Array, float]:
    """Return the rows, how often each own vertex is an end of an edge, and the seconds that building took."""
    n, slot = 1 << scale, choose_slot(1 << scale, world.size)
    ends = engine.xp.zeros(slot, np.int64)
    pieces = partial(draw_arcs, world, engine.xp, scale, edge_factor, seed)
    make = partial(build_rows, world, engine, n, pieces, symmetric=True, ends=ends)
    rows, construction = time_call(world, engine, make)
    return rows, ends[: rows.own], construction


def draw_arcs(world: Communicator, xp: Any, scale: int, edge_factor: int, seed: int) -> Iterator[tuple[Array, Array]]:
    """Yield both arcs of the edges of this rank's share, in as many pieces on each rank."""
    m = edge_factor << scale
    share, draw = -(-m // world.size), make_quadrant_drawer(scale, GRAPH500, seed, xp)
    new = list_new_numbers(1 << scale, seed, xp)
    first, last = min(m, world.rank * share), min(m, (world.rank + 1) * share)
    for step in range(0, share, PIECE):
        begin, end = min(first + step, last), min(first + step + PIECE, last)
        keys = relabel(draw(begin, end - begin), new)
        tails, heads = keys >> SHIFT, keys & LOW
        yield xp.concatenate([tails, heads]), xp.concatenate([heads, tails])


def time_call(world: Communicator, engine: Any, work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of `work` and the seconds until the last rank has finished it."""
    wait = engine.xp.cuda.Device().synchronize if hasattr(engine.xp, "cuda") else lambda: None
    wait()
    world.barrier()
    start = time.perf_counter()
    result = work()
    wait()
    return result, world.all_reduce(time.perf_counter() - start, monoid.max)


def choose_sources(rows: RankRows, count: int, seed: int) -> list[int]:
    """Choose distinct random vertices among those with an edge to another vertex: those of one process."""
    xp = rows.engine.xp
    has_arcs = xp.zeros(rows.slot, bool)
    has_arcs[: rows.own] = xp.diff(rows.out_indptr) > 0
    candidates = rows.engine.to_host(rows.world.all_gather(xp.packbits(has_arcs)))
    found = np.flatnonzero(np.unpackbits(candidates))
    if not found.size:
        raise InvalidGraph("no vertex has an edge to another: choose a larger scale or edge_factor")
    return [int(v) for v in found[np.random.default_rng(seed).permutation(found.size)[:count]]]


# --- the five rules


def check_tree(rows: RankRows, source: int, levels: Array, parents: Array) -> None:
    """Check the five rules of the specification on the parents; the levels are their certificate.

    A parent's level is one less than its child's, so there is no cycle and each vertex of the tree hangs on the source.
    """
    whole = gather_levels(rows, levels)
    run_on_all(rows.world, lambda: check_own(rows, source, whole, levels, parents))


def gather_levels(rows: RankRows, levels: Array) -> Array:
    """Return the levels of all vertices by place, -OUTSIDE outside the tree."""
    padded = rows.engine.xp.full(rows.slot, -OUTSIDE, np.int32)
    padded[: rows.own] = rows.engine.xp.where(levels >= 0, levels, -OUTSIDE)
    return gather_places(rows.world, padded)


def check_own(rows: RankRows, source: int, whole: Array, levels: Array, parents: Array) -> None:
    """Check the vertices and the arcs of this rank."""
    xp, place = rows.engine.xp, rows.to_place(source)
    if place < rows.own:
        is_root = int(parents[place]) == source and int(levels[place]) == 0
        require(is_root, "1: the source is not its own parent at level 0")
    require(bool(((levels >= 0) == (parents >= 0)).all()), "1: a vertex has a level and no parent, or the reverse")
    children = xp.flatnonzero((parents >= 0) & (xp.arange(rows.own) != place))
    above = rows.to_place(parents[children].astype(np.int64))
    require(bool((whole[above] + 1 == levels[children]).all()), "2: a tree edge does not join adjacent levels")
    for first in range(0, rows.own, step := max(1, PIECE // max(1, rows.in_indices.size // max(1, rows.own)))):
        check_arcs(rows, whole, levels, first, min(first + step, rows.own))
    require(bool(are_arcs(xp, rows, children, above).all()), "5: a tree edge is not an edge of the graph")


def check_arcs(rows: RankRows, whole: Array, levels: Array, first: int, last: int) -> None:
    """Check the arcs of the own vertices `first` to ``last - 1``."""
    xp, pointers = rows.engine.xp, rows.in_indptr
    begin, end = int(pointers[first]), int(pointers[last])
    heads = xp.searchsorted(pointers[first : last + 1], xp.arange(begin, end), side="right") - 1
    steps = abs(whole[rows.in_indices[begin:end]] - whole[first + heads])
    require(bool((steps < OUTSIDE).all()), "4: the tree does not span the component")
    require(bool((steps <= 1).all()), "3: an edge joins levels that differ by more than one")


def are_arcs(xp: Any, rows: RankRows, heads: Array, tails: Array) -> Array:
    """Return whether each pair is an arc, by binary searches in the sorted rows, all pairs at once."""
    columns = rows.in_indices
    low, high = rows.in_indptr[heads].astype(np.int64), rows.in_indptr[heads + 1].astype(np.int64)
    end = high.copy()
    for _ in range(32):
        middle = (low + high) // 2
        less = (low < high) & (columns[xp.minimum(middle, columns.size - 1)] < tails)
        low, high = xp.where(less, middle + 1, low), xp.where(less, high, xp.minimum(middle, high))
    return (low < end) & (columns[xp.minimum(low, columns.size - 1)] == tails)
