"""Averages over neighbours: X ↦ D⁻¹ (W X), products of the graph with a matrix whose every cell is there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from graphla.common.arguments import show, to_array, to_bool
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph, NotSupported
from graphla.common.memory import require
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.convert import is_all
from graphla.storage.formats import as_compressed
from semirings import plus_second, plus_times

Array = Any


@dataclass(frozen=True, eq=False)
class Averages:
    """A graph with the sums of its weights.

    Parameters
    ----------
    G : Graph
        The graph.
    W : Matrix
        Its weights, FP32; the pattern if each arc weighs 1.
    sums : array
        float32[n]: of the weights of the arcs that leave each vertex.
    """

    G: Graph
    W: Matrix
    sums: Array

    def add_up(self, X: Array) -> Array:
        """W X: for each vertex the sum over the arcs that leave it; zeros if there are none.

        X has every cell, and so has each row of the product whose vertex has an arc: its values follow row by row.
        """
        xp = self.G.engine.xp
        held = Matrix.from_dense(X, engine=self.G.engine)
        product = (plus_second if self.W.dtype.name == "BOOL" else plus_times)(self.W @ held).new(X.dtype.name)
        if not X.shape[1]:
            return X
        values: Any = as_compressed(xp, product._storage).values
        filled = self.G.degrees > 0
        found = xp.zeros(X.shape, X.dtype)
        found[filled] = values.reshape(-1, X.shape[1])
        return found

    def average(self, X: Array) -> Array:
        """D⁻¹ W X: for each vertex the average over the arcs that leave it."""
        found = self.add_up(X)
        found /= self.G.engine.xp.where(self.sums > 0, self.sums, 1)[:, None]
        return found


def get_averages(G: Graph, weights: Any, name: str) -> Averages:
    """A graph for products with full matrices; weights must be finite and of zero or more."""
    require_graph(G)
    if G.engine.name == "mpi":
        raise NotSupported(f"{name}: this graph is spread over ranks: G.to('cpu') collects it")
    if not to_bool(weights, "weights") or not G.nvals or G.dtype.name == "BOOL":
        return Averages(G, G.A if G.dtype.name == "BOOL" else G.A.dup("BOOL"), G.degrees.astype("float32"))
    if G.min_weight < 0 or not math.isfinite(G.max_weight):
        worst = G.min_weight if G.min_weight < 0 else G.max_weight
        raise InvalidGraph(f"{name}: a weight is {worst}, and averages need finite weights of 0 or more")
    W = G.A.dup("FP32")
    return Averages(G, W, W.reduce_rowwise("plus").new().to_dense(0))


def to_vectors(engine: Any, X: Any, n: int | None = None, name: str = "X") -> Array:
    """A vector for each vertex as an array of the engine: float32 or float64, all finite."""
    given = X.to_dense(0) if isinstance(X, Matrix) else X
    found = to_array(engine.asarray, given, name, DomainMismatch)
    if found.dtype.kind not in "biuf":
        raise DomainMismatch(f"{name}={show(given)}: give real numbers")
    if found.ndim != 2 or (n is not None and found.shape[0] != n):
        rows = "a row" if n is None else f"{n:,} rows"
        raise DimensionMismatch(f"{name}: its shape is {found.shape}; give an array of {rows} for the vertices")
    found = found.astype("float64" if found.dtype == "float64" else "float32", copy=False)
    if not is_all(engine.xp.isfinite(found)):
        raise DomainMismatch(f"{name}: a number is NaN or infinite")
    return found


def scale_rows(xp: Any, X: Array) -> Array:
    """Rows scaled to a length of 1; rows of zeros stay."""
    lengths = xp.sqrt(xp.einsum("ij,ij->i", X, X))
    return X / xp.where(lengths > 0, lengths, 1)[:, None]


def require_room(engine: Any, n: int, columns: int) -> None:
    """Refuse vectors for which there is no memory: some matrices of them at once."""
    require(16 * n * columns, f"vectors of {columns:,} numbers", engine.xp, "ask for fewer dimensions")
