"""What lengths of paths add up in, for the k shortest ones and for those that bounds lead to."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.sssp import fused
from graphla.algorithms.sssp._detours import Detours
from graphla.algorithms.sssp.batched import compute_distances
from graphla.common.errors import NotSupported, Overflow
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from semirings.dtypes import lookup

Array = Any


def require_lengths(G: Graph, what: str) -> None:
    """Refuse graphs over ranks, and weights that no path may have, or that do not add up twice along all vertices."""
    if G.engine.name == "mpi":
        raise NotSupported(f"{what} runs in one process, and G is spread over ranks: take G.to('cpu')")
    if not G.nvals:
        return
    if G.min_weight < 0:
        raise NotSupported(f"{what}: the smallest weight is {G.min_weight}, and none may be negative")
    if sum_type(G) == "int64" and 2 * G.n * int(G.max_weight) >= 2**63:
        raise Overflow(
            f"{what}: {2 * G.n:,} arcs of the largest weight, {G.max_weight}, exceed INT64; make the weights FP64, as "
            "gl.Graph(G.A.dup(dtype='FP64'))"
        )


def sum_type(G: Graph) -> str:
    """The dtype of lengths."""
    return "float64" if np.dtype(G.dtype.numpy).kind == "f" else "int64"


def get_sums(G: Any) -> Array:
    """The weights in the dtype of lengths, kept with the graph."""
    return G.cached("k_shortest.weights", lambda g: g.engine.cast(g.csr.values, lookup(sum_type(g))))


def reverse(G: Any) -> Graph:
    """The graph against the arcs, with weights that add up; itself if it is that."""
    csc, dtype = G.csc, lookup(sum_type(G))
    if csc is G.csr and csc.values.dtype == dtype.numpy:
        return G
    held = CompressedMatrix(csc.nrows, csc.ncols, csc.indptr, csc.indices, G.engine.cast(csc.values, dtype))
    return Graph(Matrix._from_storage(held, G.engine))


def get_reverse(G: Any) -> Graph:
    """The graph against the arcs, kept with the graph."""
    return G.cached("k_shortest.reverse", reverse)


def begin_distances(G: Graph) -> None:
    """Begin to compile what takes longest of `find_distances` on a GPU."""
    if G.engine.name == "cuda" and G.n:
        fused.begin(G, np.dtype(sum_type(G)), parents=False)


def find_distances(G: Graph, target: int) -> Array:
    """The distance from each vertex to the target."""
    found, _ = compute_distances(get_reverse(G), [target])
    return found[0]


def open_detours(G: Graph, weights: Array) -> Detours:
    """Questions to a graph on its engine."""
    if G.engine.name == "cuda":
        from graphla.algorithms.sssp._detours_cuda import DeviceDetours

        return DeviceDetours(G, weights)
    return Detours(G, weights)
