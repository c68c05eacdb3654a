"""Distances from the sources of a batch, in a dtype in which paths of equal length are found equal.

Lengths of 16 or 32 bits are added in FP64, so that paths that differ are not rounded to the same length.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp import sssp
from graphla.common.errors import InvalidGraph
from graphla.graphs.graph import Graph

Array = Any


def widen(G: Any) -> Any:
    """The graph with weights in which distances are added."""
    if G.csr.values.dtype.kind != "f" or G.csr.values.dtype.itemsize == 8:
        return G
    return G.cached("betweenness.lengths", lambda g: Graph(g.A.dup("FP64"), name=g.name, engine=g.engine))


def measure(G: Any, sources: list[int], method: str | None = None) -> tuple[Any, Array]:
    """The graph whose weights were added, and distances [k, n]: the largest number where there is no path.

    Raises
    ------
    InvalidGraph
        If the lightest arc is lost in the rounding of the largest distance.
    """
    L = widen(G)
    D = sssp(L, sources=sources, method=method)
    distances = D.to_dense(infinity(np.dtype(D.dtype.numpy)))
    require_exact(L, distances)
    return L, distances


def get_lengths(L: Any, distances: Array) -> tuple[Array, Array]:
    """The weights of leaving and of entering arcs in the dtype of the distances."""
    dtype = distances.dtype

    def convert(_: Any) -> tuple[Array, Array]:
        leaving = L.csr.values.astype(dtype, copy=False)
        return leaving, leaving if L.csc is L.csr else L.csc.values.astype(dtype, copy=False)

    return L.cached(f"betweenness.lengths.{dtype}", convert)


def require_exact(G: Any, distances: Array) -> None:
    """Refuse distances so large that an arc does not add to them."""
    if distances.dtype.kind != "f" or not distances.size:
        return
    reached = distances[distances < np.inf]
    largest = float(reached.max()) if reached.size else 0.0
    if G.min_weight < math.ulp(largest):
        raise InvalidGraph(
            f"weights=True: an arc of weight {G.min_weight:g} is lost beside a distance of {largest:g} in FP64; give "
            "weights that differ less in size"
        )
