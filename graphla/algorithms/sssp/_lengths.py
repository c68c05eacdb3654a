"""What lengths of paths add up in, for the k shortest ones and for those that bounds lead to."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.distance_range import find_largest_magnitude
from graphla.algorithms.shared.sorted_rows import sort_entering_arcs, sort_leaving_arcs
from graphla.algorithms.shared.weights import distance_dtype, infinity
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


def fit_in_32_bits(G: Graph) -> bool:
    """Whether `sssp` has INT32 for the distances of this graph, and n arcs of the largest weight fit it.

    Other integers are searched in INT64, for which more kernels come compiled than for unsigned ones.
    """
    return distance_dtype(G.dtype.numpy) == np.int32 and G.n * find_largest_magnitude(G) < int(infinity("int32"))


def find_dtype(G: Graph) -> np.dtype[Any]:
    """The dtype in which a search adds: INT32 if distances fit it, else that of lengths."""
    return np.dtype("int32" if fit_in_32_bits(G) else sum_type(G))


def widen(G: Any) -> Graph:
    """The graph with weights in the dtype of lengths; it knows its transpose."""
    leaving, dtype = hold(G.csr, get_sums(G)), lookup(sum_type(G))
    leaving.keep_transpose(leaving if G.csc is G.csr else hold(G.csc, G.engine.cast(G.csc.values, dtype)))
    return Graph(Matrix._from_storage(leaving, G.engine))


def hold(rows: CompressedMatrix, values: Array) -> CompressedMatrix:
    """The same arcs with other values."""
    return CompressedMatrix(rows.nrows, rows.ncols, rows.indptr, rows.indices, values)


def get_searched(G: Graph) -> Graph:
    """The graph with the weights that a search adds, kept with the graph; itself where these are its own."""
    return G if fit_in_32_bits(G) or G.dtype.numpy == sum_type(G) else G.cached("k_shortest.wide", widen)


def reverse(G: Any) -> Graph:
    """The graph against the arcs, which has its rows; on a GPU these are sorted by weight once."""
    G.csr.keep_transpose(G.csc)
    back = Graph(Matrix._from_storage(G.csc, G.engine))
    if G.engine.name == "cuda":
        back.cached("arcs_by_weight", lambda _: sort_entering_arcs(G))
        back.cached("entering_arcs_by_weight", lambda _: sort_leaving_arcs(G))
    return back


def get_reverse(G: Graph) -> Graph:
    """The graph against the arcs with the weights that a search adds, kept with the graph; itself if it is that."""
    searched = get_searched(G)
    return searched if searched.csc is searched.csr else searched.cached("k_shortest.reverse", reverse)


def begin_distances(G: Graph) -> None:
    """Begin to compile what takes longest of `find_distances` on a GPU."""
    if G.engine.name == "cuda" and G.n:
        fused.begin(G, find_dtype(G), parents=False)


def find_distances(G: Graph, source: int) -> Array:
    """The distances from a vertex of a graph with the weights that a search adds, in their dtype."""
    found, _ = compute_distances(G, [source])
    return found[0]


def open_detours(G: Graph, weights: Array) -> Detours:
    """Questions to a graph on its engine."""
    if G.engine.name == "cuda":
        from graphla.algorithms.sssp._detours_cuda import DeviceDetours

        return DeviceDetours(G, weights)
    return Detours(G, weights)
