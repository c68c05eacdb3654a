"""A level of the climb: a graph whose vertices are communities of the level below, as arrays.

Weights are multiples of one power of two, and all their sums are below 2**53 of it: so sums in float64 are exact, in
whatever order an engine adds, and engines agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.device_labels import find_device_labels
from graphla.common.errors import InvalidGraph
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import expand_rows
from semirings import binary
from semirings.dtypes import FP64

Array = Any
LEAST_GAIN = 2.0**-40
"""The least gain that moves a vertex, as a share of its weight: less may be rounding, and moves could go in circles."""
TOTAL_BITS = 52
"""All weights together are below two to this power, counted in the unit of the weights."""


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
    """

    rows: CompressedMatrix
    strengths: Array
    total: float
    exponent: int = 0
    scale: float = 0.0
    fixed: Array | None = None
    sizes: Array | None = None
    most: int = 0

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self.rows.nrows


def make_level(G: Graph) -> Level:
    """The lowest level: the graph itself; cached with it."""
    return G.cached("louvain.level", build_level)


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
    sums = A.reduce_rowwise("plus").new(), A.reduce_columnwise("plus").new()
    return A.engine.xp.stack([each.to_dense(0.0) for each in sums[:sides]], 1)


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


def round_values(xp: Any, values: Array) -> tuple[Array, int]:
    """The nearest multiples of the unit, counted in it, and what power of two one is."""
    least, most = float(values.min()), float(values.max())
    if least < 0 or not np.isfinite(most):
        raise InvalidGraph(
            f"an arc has the weight {least if least < 0 else most}: modularity adds weights up, and none may "
            f"be negative or infinite; gl.Graph(G.A.apply('one').new()) is the graph with all weights one"
        )
    down, kernels = int(np.frexp(most)[1]), find_device_labels(values)
    values = xp.ldexp(values, -down) if kernels is None else kernels.scale_by_power(values, -down)
    up = TOTAL_BITS - int(np.frexp(float(values.sum()))[1])
    if kernels is None:
        return xp.rint(xp.ldexp(values, up)), up - down
    return kernels.round_scaled(values, 2.0**up), up - down
