"""Graphs of CuPy and cupyx: read on their device, and answered there."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from graphla.common.errors import InvalidGraph
from graphla.containers.interop import to_cupyx
from graphla.doors.csgraph.delegate import is_on_device
from graphla.doors.csgraph.inputs import ZERO, Array
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import expand_pointers


class Edges(NamedTuple):
    """The edges of a graph of n vertices, row by row, with weights in float64."""

    n: int
    tails: Array
    heads: Array
    weights: Array


def require_square(csgraph: Any) -> int:
    """The number of vertices of what must be a square matrix."""
    shape = getattr(csgraph, "shape", ())
    if len(shape) != 2 or shape[0] != shape[1]:
        raise InvalidGraph(f"csgraph has shape {tuple(shape)}: compressed-sparse graph must be shape (N, N)")
    return shape[0]


def read_edges(csgraph: Any) -> Edges:
    """The edges of a sparse matrix, explicit zeros among them, or of a dense one, whose zeros are none."""
    n, xp = require_square(csgraph), get_engine("cuda").xp
    if not hasattr(csgraph, "tocsr"):
        cells = csgraph.astype(np.float64)
        tails, heads = xp.nonzero(xp.isfinite(cells) & (abs(cells) > ZERO))
        return Edges(n, tails.astype(np.int32), heads.astype(np.int32), cells[tails, heads])
    csr = cast_rows(csgraph)
    return Edges(n, expand_pointers(xp, csr.indptr, csr.indices.size, "int32"), csr.indices, csr.data)


def cast_rows(csgraph: Any) -> Any:
    """The rows of a sparse matrix in float64; repeated entries of another dtype are added, as SciPy's cast does."""
    csr = csgraph.tocsr()
    if csr.dtype != np.float64:
        csr = csr.astype(np.float64)
        csr.sum_duplicates()
    return csr


def join_directions(xp: Any, edges: Edges) -> Edges:
    """Every edge in both directions."""
    n, tails, heads, weights = edges
    both = (xp.concatenate(pair) for pair in ((tails, heads), (heads, tails), (weights, weights)))
    return Edges(n, *both)


def make_graph(csgraph: Any, directed: bool = True, unweighted: bool = False) -> Graph:
    """The graph on the GPU; the lightest of parallel edges stays."""
    n, engine = require_square(csgraph), get_engine("cuda")
    if directed and not unweighted and hasattr(csgraph, "tocsr"):
        return Graph(cast_rows(csgraph), dup="min", engine=engine)
    edges = read_edges(csgraph)
    if unweighted:
        edges = edges._replace(weights=engine.xp.ones_like(edges.weights))
    if not directed:
        edges = join_directions(engine.xp, edges)
    return Graph(tuple(edges[1:]), n=n, dup="min", engine=engine)


def make_pattern(csgraph: Any) -> Graph:
    """The graph on the GPU without its weights."""
    n, engine = require_square(csgraph), get_engine("cuda")
    return Graph(tuple(read_edges(csgraph)[1:3]), n=n, dup="first", engine=engine)


def make_sparse(n: int, indptr: Array, indices: Array, values: Array) -> Any:
    """A matrix of cupyx."""
    return to_cupyx(CompressedMatrix(n, n, indptr, indices, values), get_engine("cuda"))


def read_sources(n: int, indices: Any) -> tuple[list[int], tuple[int, ...]]:
    """The sources, and the shape in which they were given.

    Raises
    ------
    ValueError
        If one is no vertex.
    """
    given = np.arange(n) if indices is None else np.array(indices.get() if is_on_device(indices) else indices, np.int32)
    sources = np.where(given < 0, given + n, given)
    if sources.size and (sources.min() < 0 or sources.max() >= n):
        raise InvalidGraph(f"indices={indices!r}: indices out of range 0...{n}")
    return sources.reshape(-1).tolist(), sources.shape


def require_limit(limit: float) -> float:
    """Refuse a limit that is negative."""
    if not limit >= 0 and not math.isnan(limit):
        raise InvalidGraph(f"limit={limit}: limit must be >= 0")
    return float(limit)
