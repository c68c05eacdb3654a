"""A level of the climb: a graph whose vertices are communities of the level below, as arrays.

Weights are multiples of one power of two, and all their sums are below 2**53 of it: so sums in float64 are exact, in
whatever order an engine adds, and engines agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.device_labels import find_device_labels
from graphla.algorithms.shared.communities.row_shares import share_out
from graphla.algorithms.shared.weight_sums import fold_rows
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.containers.matrix import Matrix
from graphla.engine.mpi.entries import list_entries
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import cast_indices, expand_rows, is_any, make_full, tally
from semirings import Monoid, binary, monoid
from semirings.dtypes import FP64

Array = Any
Join = Callable[[float, Monoid], float]
LEAST_GAIN = 2.0**-40
"""The least gain that moves a vertex, as a share of its weight: less may be rounding, and moves could go in circles."""
TOTAL_BITS = 52
"""All weights together are below two to this power, counted in the unit of the weights."""
LARGEST = 2**31 - 1
"""Vertices that labels of 32 bits tell apart."""
MARGIN = 1 + 2.0**-20
"""A sum of tenths may be 2048 or a little less, as engines and ranks add up: by this factor all find the same power."""


@dataclass(frozen=True)
class Level:
    """A graph with the weights of both directions added up.

    Attributes
    ----------
    rows : CompressedMatrix
        float64: A + A' without its diagonal; A alone if it equals its transpose. A level that the loop on the CPU has
        merged has its columns in no order.
    strengths : array
        float64 of shape (n, sides): the weights of the arcs that leave each vertex, loops included, and of a directed
        graph (two sides) those of the arcs that enter it.
    total : float
        The weight of all arcs.
    exponent : int
        Of two: the weight one of the graph in the unit of the weights.
    scale : float
        The weight that chance puts between two strengths of one.
    fixed : array, optional
        Whether each vertex stays in its community.
    sizes : array, optional
        float64: the vertices of the graph in each vertex, if `most` limits how many a community has.
    most : int
        The largest size of a community.
    slots : Slots, optional
        Which rank owns which vertices, if the rows are spread over ranks: those of other ranks are empty in `rows`, and
        all else is the same on each of them.
    """

    rows: CompressedMatrix
    strengths: Array
    total: float
    exponent: int = 0
    scale: float = 0.0
    fixed: Array | None = None
    sizes: Array | None = None
    most: int = 0
    slots: Any = None

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self.rows.nrows

    @cached_property
    def around(self) -> CompressedMatrix:
        """Of each vertex the neighbours whose rows are here; the values mean nothing."""
        if self.slots is None:
            return self.rows
        local = self.slots.ranks.local
        return local.transpose(replace(self.rows, values=make_full(local.xp, self.rows.nvals, True, "bool")))

    @cached_property
    def entries(self) -> int:
        """The entries of all rows."""
        return self.add_up(self.rows.nvals)

    def add_up(self, sums: Any) -> Any:
        """The sums over all rows, of those over the rows that are here: a number or an array."""
        return sums if self.slots is None else self.slots.ranks.world.all_reduce(sums, monoid.plus)

    def is_any(self, flags: Array) -> bool:
        """Whether a vertex is flagged; what is said of those of other ranks does not count."""
        if self.slots is None:
            return is_any(flags)
        own = is_any(flags[self.slots.first : self.slots.last])
        return bool(self.slots.ranks.world.all_reduce(own, monoid.lor))


def make_level(G: Graph) -> Level:
    """The lowest level: the graph itself; cached with it."""
    return G.cached("louvain.level", build_spread_level if G.engine.name == "mpi" else build_level)


def build_level(G: Graph) -> Level:
    """Round the weights, add up the directions, and drop the diagonal."""
    A, exponent = round_weights(G)
    W = A if G.symmetric else binary.plus(A | A.T).new()
    rows, total = Graph(W.select("offdiag").new()).csr, float(Graph(A).csr.values.sum())
    return Level(rows, add_strengths(A, 1 if G.symmetric else 2), total, exponent)


def add_strengths(A: Matrix, sides: int) -> Array:
    """The weights of the arcs that leave each vertex, and with two sides of those that enter it."""
    csr = Graph(A).csr
    if kernels := find_device_labels(csr.values):
        sums = kernels.xp.zeros((csr.nrows, sides))
        for side, ends in enumerate((expand_rows(csr), csr.indices)[:sides]):
            kernels.add_to(sums, ends, csr.values, side)
        return sums
    return np.stack([fold_rows(np.add, csr), tally(csr.indices, csr.ncols, csr.values)][:sides], 1)


def round_weights(G: Graph) -> tuple[Matrix, int]:
    """The adjacency matrix in FP64, its weights in a unit in which all sums are exact, and what power of two one is.

    Arcs of weight zero are dropped.

    Raises
    ------
    InvalidGraph
        If a weight is negative or infinite.
    """
    engine: Any = G.engine
    csr, exponent = G.csr, 0
    values, least = engine.cast(csr.values, FP64), 1.0
    if values.size:
        values, exponent = round_values(engine.xp, values)
        least = float(values.min())
    A = Matrix._from_storage(CompressedMatrix(G.n, G.n, csr.indptr, csr.indices, values), engine)
    return A if least > 0 else A.select("valuene", 0).new(), exponent


def keep(number: float, _: Any) -> float:
    """What a number of one process is over all processes."""
    return number


def round_values(xp: Any, values: Array, join: Join = keep) -> tuple[Array, int]:
    """The nearest multiples of the unit, counted in it, and what power of two one is.

    `join` combines a number of each process by a monoid.
    """
    ends = (float(values.min()), float(values.max())) if values.size else (np.inf, -np.inf)
    least, most = join(ends[0], monoid.min), join(ends[1], monoid.max)
    if least < 0 or not np.isfinite(most):
        raise InvalidGraph(
            f"an arc has the weight {least if least < 0 else most}: modularity adds weights up, and none may "
            f"be negative or infinite; gl.Graph(G.A.apply('one').new()) is the graph with all weights one"
        )
    down, kernels = int(np.frexp(most)[1]), find_device_labels(values)
    values = xp.ldexp(values, -down) if kernels is None else kernels.scale_by_power(values, -down)
    up = TOTAL_BITS - int(np.frexp(MARGIN * join(float(values.sum()), monoid.plus))[1])
    if kernels is None:
        return xp.rint(xp.ldexp(values, up)), up - down
    return kernels.round_scaled(values, 2.0**up), up - down


def build_spread_level(G: Graph) -> Level:
    """The lowest level of a graph that is spread over ranks."""
    engine: Any = G.engine
    if G.n > LARGEST:
        raise NotSupported(f"{G.n:,} vertices: labels of 32 bits number at most {LARGEST:,}")
    tails, heads, values, exponent = round_entries(G)
    ends = (tails,) if G.symmetric else (tails, heads)
    sums = engine.xp.stack([tally(each, G.n, values) for each in ends], 1)
    strengths = engine.ranks.world.all_reduce(sums, monoid.plus)
    if len(ends) == 2:
        tails, heads, values = (engine.xp.concatenate(pair) for pair in ((tails, heads), (heads, tails), (values,) * 2))
    there = tails != heads
    rows, slots = share_out(engine.ranks, (tails[there], heads[there], values[there]), G.n)
    return Level(rows, strengths, float(strengths[:, 0].sum()), exponent, slots=slots)


def round_entries(G: Graph) -> tuple[Array, Array, Array, int]:
    """The arcs of this rank's block with their weights, in a unit in which all sums are exact, and its exponent."""
    ranks: Any = G.engine.ranks  # type: ignore[attr-defined]
    tails, heads, values = list_entries(ranks, G.A._storage)
    values, exponent = ranks.local.cast(values, FP64), 0
    if G.nvals:
        values, exponent = round_values(ranks.xp, values, ranks.world.all_reduce)
    kept = values > 0
    tails, heads = (cast_indices(ends[kept], "int32") for ends in (tails, heads))
    return tails, heads, values[kept], exponent
