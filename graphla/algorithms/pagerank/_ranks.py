"""Rounds of a ranking of a graph that is spread over many ranks.

Each rank owns the entering arcs of some vertices, about as many arcs as the others, and runs the kernels of one process
on them. After a round it hands the contributions of its vertices to all others, with the change of their ranks and what
is lost: n numbers arrive at each rank. In one box the ranks of CPUs write and read the same memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphla.algorithms.pagerank.distribution import Distribution
from graphla.algorithms.pagerank.settings import Settings
from graphla.containers.aggregators import agg
from graphla.containers.vector import Vector
from graphla.engine.mpi.slots import SlotArrays, Slots, collect_entering, cut_by_weight, hold_own, take_own
from graphla.storage import CompressedMatrix
from semirings import plus_times

Array = Any
FP64_BLOCKS = 2
"""Numbers of `algebraic` are of FP64, those by rows of FP32."""


@dataclass(frozen=True, eq=False)
class OwnArcs:
    """The entering arcs of this rank's vertices, and what a vertex hands on for each unit of an arc."""

    slots: Slots
    rows: CompressedMatrix
    inverse: Array


def prefer_blocks(G: Any) -> tuple[str, str] | None:
    """Let the matrix lie in blocks where a rank would receive more than twice as many numbers by rows."""
    grid, world = G.engine.ranks.grid, G.engine.ranks.world
    blocks = 1 / grid.rows + 1 / grid.columns
    if FP64_BLOCKS * blocks >= 1 or world.can_share(1):
        return None
    return "algebraic", f"each of {world.size} ranks receives {blocks:.2g} numbers per vertex, by rows one"


def run_on_ranks(G: Any, s: Settings) -> tuple[Vector, int, float]:
    """Ranks as a vector in parts, the rounds that ran, and how much the last one changed."""
    arcs: OwnArcs = G.cached(f"pagerank.ranks.{s.weighted}.{s.dtype}", lambda _: collect_arcs(G, s))
    start = None if s.start is None else s.start[arcs.slots.first : arcs.slots.last]
    own = replace(s, seeds=take_part(arcs.slots, s.seeds), sinks=take_part(arcs.slots, s.sinks), start=start)
    found, rounds, residual = iterate(G.engine.local, arcs, own)
    return Vector._from_storage(hold_own(arcs.slots, found), G.engine), rounds, residual


def collect_arcs(G: Any, s: Settings) -> OwnArcs:
    """Cut the vertices by their entering arcs, and send each arc to the rank that owns its head."""
    ranks, xp = G.engine.ranks, G.engine.xp
    slots = G.cached("pagerank.slots", lambda _: cut_by_weight(ranks, count_entering(G) + 1, G.n))
    rows = collect_entering(slots, G.A._storage, s.weighted)
    if s.weighted:
        rows = replace(rows, values=rows.values.astype(s.dtype.numpy))
    sums = take_own(slots, spread_full(add_rows(G) if s.weighted else G.A.reduce_rowwise(agg.count), "FP64"))
    return OwnArcs(slots, rows, xp.where(sums > 0, 1 / xp.where(sums > 0, sums, 1), 0).astype(s.dtype.numpy))


def add_rows(G: Any) -> Any:
    """The sum of the weights of each row, in FP64."""
    return plus_times(G.A @ Vector.from_scalar(1.0, G.n, "FP64", engine=G.engine))


def count_entering(G: Any) -> Array:
    """The arcs that enter each vertex of this rank's block."""
    return spread_full(G.A.reduce_columnwise(agg.count), "INT64").part.values


def spread_full(expression: Any, dtype: str) -> Any:
    """The storage of a vector, with 0 where it has no entry."""
    vector = expression.new(dtype)
    vector(~vector.S) << 0
    return vector._storage


def take_part(slots: Slots, distribution: Distribution) -> Distribution:
    """The part for the own vertices of a distribution over all."""
    full = distribution.full
    return Distribution(slots.own, None, full if full.size == 1 else full[slots.first : slots.last])


def iterate(local: Any, arcs: OwnArcs, s: Settings) -> tuple[Array, int, float]:
    """Ranks of the own vertices, the rounds that ran, and how much the last one changed."""
    if local.name == "cpu":
        from graphla.algorithms.pagerank._fused_cpu import iterate as iterate_on_cpu

        values = arcs.rows.values if s.weighted else None
        board = SlotArrays(arcs.slots, np.dtype(s.dtype.numpy))
        return iterate_on_cpu(arcs.rows, values, arcs.inverse, s, arcs.slots.size, board)
    from graphla.algorithms.pagerank._fused_cuda import iterate_on_ranks

    return iterate_on_ranks(local, arcs.slots, arcs.rows, arcs.inverse, s)
