"""Potentials that make every weight non-negative, and the conversion of distances back to the original weights.

h[v] = min over u of (0 or h[u] + w(u, v)), a fixed point of min-plus products (Bellman–Ford), which exists unless a
cycle is negative; w'(u, v) = w + h[u] − h[v] ≥ 0 has the same shortest paths, and d(i, j) = d'(i, j) − h[i] + h[j].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp.initial import refuse_cycle
from graphla.algorithms.shared.weights import infinity
from graphla.common.errors import Overflow
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from semirings import binary, min_plus


def choose_potential_dtype(G: Any) -> str:
    """Choose the dtype of potentials: FP64 for floating-point weights, else INT64."""
    return "FP64" if G.csr.values.dtype.kind == "f" else "INT64"


def compute_potentials(G: Any) -> Any:
    """Compute h as an array of the engine; raise if there is a negative cycle."""
    A = G.A.dup(choose_potential_dtype(G))
    h = Vector.from_dense(np.zeros(G.n, A.dtype.numpy), engine=G.engine)
    for _ in range(G.n):
        nearer = binary.min(h | min_plus(A.T @ h)).new()
        if nearer.isequal(h):
            break
        h = nearer
    else:
        refuse_cycle(G, find_improved(G, A, h))
    return G.engine.asarray(h.to_dense(0))


def find_improved(G: Any, A: Matrix, h: Vector) -> int:
    """Return a vertex whose potential still decreases after n rounds, so that a negative cycle leads to it; or −1."""
    falls = binary.lt(min_plus(A.T @ h).new() & h).new().to_dense(False)
    return int(falls.argmax()) if G.n and falls.any() else -1


def reweight(G: Any, h: Any) -> Graph:
    """Return the graph with weights w + h[u] − h[v]; negative rounding errors become 0."""
    rows, cols, weights = (G.engine.asarray(part) for part in G.A.to_coo())
    values = (weights.astype(h.dtype) + h[rows] - h[cols]).clip(0, None)
    return Graph(Matrix.from_coo(rows, cols, values, choose_potential_dtype(G), nrows=G.n, ncols=G.n, engine=G.engine))


def make_restore(xp: Any, h: Any, dtype: np.dtype[Any]) -> Any:
    """Return a function that converts rows of distances back to the original weights, if they fit their dtype."""
    far, ends = infinity(h.dtype), np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    last = ends.max if dtype.kind == "f" else ends.max - 1  # the largest integer is infinity

    def restore(first: int, rows: Any) -> Any:
        true = xp.where(rows == far, 0, rows - h[first : first + rows.shape[0], None] + h[None, :])
        if bool(((true > last) | (true < ends.min)).any()):
            raise Overflow(f"a distance does not fit {dtype.name}: ask 'blocked_floyd_warshall' for a wider dtype=")
        return xp.where(rows == far, infinity(dtype), true.astype(dtype))

    return restore
