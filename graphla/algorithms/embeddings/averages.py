"""Averages over neighbours: X ↦ D⁻¹ (W X), products of the graph with a matrix whose every cell is there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_array, to_bool
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph, NotSupported
from graphla.common.memory import require
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage import CompressedMatrix, FullMatrix
from graphla.storage.convert import cast_indices
from graphla.storage.formats import as_compressed
from semirings import plus_second, plus_times

Array = Any
MOST_IN_ALL = 2.0**127
"""What weights may add up to, in FP32."""
SAFE_POWER = 40
"""Rows between 2 to the power of − this and of this have lengths as they are, in FP32 too."""


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

    def multiply(self, X: Array) -> CompressedMatrix:
        """W X as rows: each vertex that has an arc has every cell, for X has."""
        held = Matrix._from_storage(FullMatrix(X), self.G.engine)
        product = (plus_second if self.W.dtype.name == "BOOL" else plus_times)(self.W @ held).new(X.dtype.name)
        return as_compressed(self.G.engine.xp, product._storage)

    def add_up(self, X: Array) -> Array:
        """W X: for each vertex the sum over the arcs that leave it; zeros if there are none."""
        if not X.shape[1]:
            return X
        product = self.multiply(X)
        if self.G.engine.name == "cuda":
            from graphla.algorithms.embeddings._vectors_cuda import take_rows

            return take_rows(self.G.engine, product, self.sums, X.shape, averaged=False)
        found = np.zeros(X.shape, X.dtype)
        found[self.G.degrees > 0] = product.values.reshape(-1, X.shape[1])
        return found

    def average(self, X: Array) -> Array:
        """D⁻¹ W X: for each vertex the average over the arcs that leave it."""
        if self.G.engine.name == "cuda":
            from graphla.algorithms.embeddings._vectors_cuda import take_rows

            return take_rows(self.G.engine, self.multiply(X), self.sums, X.shape, averaged=True)
        found = self.add_up(X)
        found /= np.where(self.sums > 0, self.sums, 1)[:, None]
        return found

    def walk(self, V: Array, kept: float) -> Array:
        """A share of V that is kept, minus (D + I)⁻¹ (W + I) V."""
        if self.G.engine.name != "cuda" or not V.shape[1]:
            return kept * V - (self.add_up(V) + V) / (self.sums + 1)[:, None]
        from graphla.algorithms.embeddings._vectors_cuda import walk_rows

        return walk_rows(self.G.engine, self.multiply(V), self.sums, V, kept)


def get_averages(G: Graph, weights: Any, name: str, most: float = MOST_IN_ALL) -> Averages:
    """A graph for products with full matrices; weights must be finite, of zero or more, and in all not above `most`."""
    require_graph(G)
    if G.engine.name == "mpi":
        raise NotSupported(f"{name}: this graph is spread over ranks: G.to('cpu') collects it")
    if not to_bool(weights, "weights") or not G.nvals or G.dtype.name == "BOOL":
        return Averages(G, G.A if G.dtype.name == "BOOL" else G.A.dup("BOOL"), cast_indices(G.degrees, "float32"))
    if G.min_weight < 0 or not math.isfinite(G.max_weight):
        worst = G.min_weight if G.min_weight < 0 else G.max_weight
        raise InvalidGraph(f"{name}: a weight is {worst}, and averages need finite weights of 0 or more")
    if float(G.max_weight) * G.nvals > most:
        raise InvalidGraph(f"{name}: weights up to {G.max_weight:.3g} may add up to more than FP32 holds: divide them")
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
    found = found.astype("float64" if found.dtype == "float64" else "float32", order="C", copy=False)
    infinite = engine.lists.count_infinite(found) if engine.name == "cuda" else not np.isfinite(found).all()
    if infinite:
        raise DomainMismatch(f"{name}: a number is NaN or infinite")
    return found


def scale_rows(engine: Any, X: Array) -> Array:
    """Rows scaled to a length of 1, by a power of two first, so that squares are numbers; rows of zeros stay."""
    if engine.name == "cuda":
        from graphla.algorithms.embeddings._vectors_cuda import scale_rows as scale_on_device

        return scale_on_device(engine, X)
    if not X.size:
        return X.copy()
    _, powers = np.frexp(np.maximum(X.max(axis=1), -X.min(axis=1)))
    scaled = X if abs(powers).max() <= SAFE_POWER else np.ldexp(X, -powers[:, None])
    lengths = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    return scaled / np.where(lengths > 0, lengths, 1)[:, None]


def add_scaled_rows(engine: Any, total: Array, share: float, X: Array) -> None:
    """Add a share of rows scaled to a length of 1 to a total."""
    if engine.name == "cuda":
        from graphla.algorithms.embeddings._vectors_cuda import scale_rows as scale_on_device

        scale_on_device(engine, X, share, total)
    else:
        total += X.dtype.type(share) * scale_rows(engine, X)


def require_room(engine: Any, n: int, columns: int) -> None:
    """Refuse vectors for which there is no memory: some matrices of them at once."""
    require(16 * n * columns, f"vectors of {columns:,} numbers", engine.xp, "ask for fewer dimensions")
