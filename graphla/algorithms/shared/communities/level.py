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
from graphla.storage.convert import is_all
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
    strengths = [A.reduce_rowwise("plus").new().to_dense(0.0)]
    if not G.symmetric:
        strengths.append(A.reduce_columnwise("plus").new().to_dense(0.0))
    W = A if G.symmetric else binary.plus(A | A.T).new()
    rows, total = Graph(W.select("offdiag").new()).csr, float(strengths[0].sum())
    return Level(rows, G.engine.xp.stack(strengths, 1), total, exponent)


def round_weights(G: Graph) -> tuple[Matrix, int]:
    """The adjacency matrix in FP64, its weights in a unit in which all sums are exact, and what power of two one is.

    Arcs of weight zero are dropped.

    Raises
    ------
    InvalidGraph
        If a weight is negative or infinite.
    """
    csr, exponent = G.csr, 0
    values = csr.values.astype(np.float64)
    if values.size:
        values, exponent = round_values(G.engine.xp, values)
    A = Matrix.from_csr(csr.indptr, csr.indices, values, "FP64", ncols=G.n, engine=G.engine)
    return A if is_all(values > 0) else A.select("valuene", 0).new(), exponent


def round_values(xp: Any, values: Array) -> tuple[Array, int]:
    """The nearest multiples of the unit, counted in it, and what power of two one is."""
    least, most = float(values.min()), float(values.max())
    if least < 0 or not np.isfinite(most):
        raise InvalidGraph(
            f"an arc has the weight {least if least < 0 else most}: modularity adds weights up, and none may "
            f"be negative or infinite; gl.Graph(G.A.apply('one').new()) is the graph with all weights one"
        )
    down = int(np.frexp(most)[1])
    values = xp.ldexp(values, -down)
    up = TOTAL_BITS - int(np.frexp(float(values.sum()))[1])
    return xp.rint(xp.ldexp(values, up)), up - down
