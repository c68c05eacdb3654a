"""A level of the climb: a graph whose vertices are communities of the level below, as arrays.

Weights are multiples of one power of two, and all their sums are below 2**53 of it: so sums in float64 are exact, in
whatever order an engine adds, and engines agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.common.errors import InvalidGraph
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from semirings import binary

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
    """

    rows: CompressedMatrix
    strengths: Array
    total: float

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self.rows.nrows


def make_level(G: Graph) -> Level:
    """The lowest level: the graph itself; cached with it."""
    return G.cached("louvain.level", build_level)


def build_level(G: Graph) -> Level:
    """Round the weights, add up the directions, and drop the diagonal."""
    A = round_weights(G)
    strengths = [A.reduce_rowwise("plus").new().to_dense(0.0)]
    if not G.symmetric:
        strengths.append(A.reduce_columnwise("plus").new().to_dense(0.0))
    W = A if G.symmetric else binary.plus(A | A.T).new()
    return Level(Graph(W.select("offdiag").new()).csr, G.engine.xp.stack(strengths, 1), float(strengths[0].sum()))


def round_weights(G: Graph) -> Matrix:
    """The adjacency matrix in FP64, its weights in a unit in which all sums are exact; arcs of weight zero are dropped.

    Raises
    ------
    InvalidGraph
        If a weight is negative or infinite.
    """
    xp, csr = G.engine.xp, G.csr
    values = csr.values.astype(np.float64)
    if values.size:
        values = round_values(xp, values)
    A = Matrix.from_csr(csr.indptr, csr.indices, values, "FP64", ncols=G.n, engine=G.engine)
    return A if bool((values > 0).all()) else A.select("valuene", 0).new()


def round_values(xp: Any, values: Array) -> Array:
    """The nearest multiples of the unit, counted in it."""
    least, most = float(values.min()), float(values.max())
    if least < 0 or not np.isfinite(most):
        raise InvalidGraph(
            f"an arc has the weight {least if least < 0 else most}: modularity adds weights up, and none may "
            f"be negative or infinite; gl.Graph(G.A.apply('one').new()) is the graph with all weights one"
        )
    values = xp.ldexp(values, -int(np.frexp(most)[1]))
    return xp.rint(xp.ldexp(values, TOTAL_BITS - int(np.frexp(float(values.sum()))[1])))
