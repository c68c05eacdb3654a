"""What is asked of shortest paths, and how the answer is shaped."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from graphla.doors.csgraph.inputs import Array, count_cells, is_worth_an_engine

METHODS = ("FW", "D", "BF", "J")


class Request(NamedTuple):
    """What is asked for beside the graph; `shape` is that of the sources as they were given."""

    directed: bool
    sources: Array
    shape: tuple[int, ...]
    predecessors: bool
    unweighted: bool
    limit: float = math.inf
    together: bool = False


class Paths(NamedTuple):
    """Distances of shape (k, n), inf where there is no path, and parents, empty unless asked for."""

    distances: Array
    parents: Array


def read_request(
    csgraph: Any,
    directed: bool,
    indices: Any,
    predecessors: bool,
    unweighted: bool,
    limit: Any = math.inf,
    together: bool = False,
    rounds: float = 1,
) -> Request | None:
    """What is asked, or None if SciPy is to answer: it is faster, or must refuse an argument.

    `rounds` tells how much longer than a search SciPy takes for a source.
    """
    sources = read_sources(csgraph, indices)
    if sources is None or not is_limit(limit):
        return None
    if not is_worth_an_engine(csgraph, rounds * (1 if together else sources.size)):
        return None
    flat = sources.reshape(-1)
    return Request(
        bool(directed), flat, sources.shape, bool(predecessors), bool(unweighted), float(limit), bool(together)
    )


def read_sources(csgraph: Any, indices: Any) -> Array | None:
    """The sources as int32, or None if there are none, or SciPy must refuse them."""
    if not count_cells(csgraph):
        return None
    n = csgraph.shape[0]
    if indices is None:
        return np.arange(n, dtype=np.int32)
    try:
        sources = np.array(indices, np.int32, order="C")
    except (TypeError, ValueError, OverflowError):
        return None
    sources = np.where(sources < 0, sources + np.int32(n), sources).astype(np.int32)
    return sources if sources.size and sources.min() >= 0 and sources.max() < n else None


def is_limit(limit: Any) -> bool:
    """Whether it is a number that no distance is less than."""
    return isinstance(limit, int | float | np.integer | np.floating) and bool(limit >= 0)


def choose_method(csgraph: Any, method: Any, indices: Any) -> str | None:
    """The method that SciPy takes, or None if SciPy must refuse the arguments."""
    if not count_cells(csgraph) or (method == "FW" and indices is not None):
        return None
    if method != "auto":
        return method if method in METHODS else None
    edges = read_weights(csgraph)
    if indices is None and edges.size >= csgraph.shape[0] ** 2 / 4:
        return "FW"
    return "J" if bool((edges < 0).any()) else "D"


def read_weights(csgraph: Any) -> Array:
    """The weights of the edges, in any order."""
    if hasattr(csgraph, "tocsr"):
        return csgraph.data if csgraph.format in ("csr", "csc", "coo") else csgraph.tocoo().data
    if isinstance(csgraph, np.ma.MaskedArray):
        return csgraph.compressed()
    return csgraph[np.isfinite(csgraph) & (csgraph != 0)]


def shape_paths(paths: Paths, request: Request, sources: Array | None = None) -> Any:
    """The answer in SciPy's order and shape; `sources` is the nearest source of each vertex."""
    shape = (-1,) if request.together else (*request.shape, paths.distances.shape[1])
    distances = paths.distances.reshape(shape)
    if not request.predecessors:
        return distances
    parents = paths.parents.reshape(shape)
    return (distances, parents) if sources is None else (distances, parents, sources)
