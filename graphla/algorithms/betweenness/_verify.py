"""A betweenness computed anew on the host: SciPy's distances, and sums over the arcs that lie on shortest paths.

Distances of large integers are exact. Nothing is shared with the methods but the factors. Paths are counted in NumPy's
widest float, which holds up to 10⁴⁹³² on most machines.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from graphla.algorithms.betweenness.settings import Settings
from graphla.common.errors import VerificationError
from graphla.containers.container import move_storage
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.engine import get_engine

Array = Any
WIDE = np.longdouble
TOLERANCE = {"FP32": 1e-4, "FP64": 1e-9}
ROUNDING = {"FP32": 1e-7, "FP64": 1e-14}
"""What a value may differ by beyond its own tolerance, in the unit of the largest one."""


def compare(found: Array, expected: Array, dtype: str) -> Array:
    """Where two answers agree."""
    largest = np.nanmax(np.abs(expected), initial=0.0)
    return np.isclose(found, expected, rtol=TOLERANCE[dtype], atol=ROUNDING[dtype] * largest, equal_nan=True)


def verify(G: Any, values: Any, s: Settings) -> None:
    """Assert the values of vertices, or of arcs."""
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    found, what = read_values(csr, values, s)
    expected = compute(csr, s)
    wrong = np.flatnonzero(~compare(found, expected, s.dtype.name))
    if wrong.size:
        at = int(wrong[0])
        raise VerificationError(
            f"betweenness: {what(at)} has {found[at]:.9g} instead of {expected[at]:.9g} ({wrong.size:,} differ)"
        )


def read_values(csr: Any, values: Any, s: Settings) -> tuple[Array, Any]:
    """The values as an array, and how to call a place in it."""
    shape = csr.shape if s.edges else (csr.nrows,)
    fits = isinstance(values, Matrix if s.edges else Vector) and values.shape == shape
    if not fits or values.nvals != (csr.nvals if s.edges else csr.nrows):
        raise VerificationError(
            f"betweenness: give a value for each {'arc' if s.edges else 'vertex'}, of shape {shape}"
        )
    if not s.edges:
        return values.to_numpy(0).astype(float), lambda v: f"vertex {v}"
    tails = list_tails(csr)
    rows, cols, held = (np.asarray(values.engine.to_host(part)) for part in values.to_coo())
    if not (np.array_equal(rows, tails) and np.array_equal(cols, csr.indices)):
        raise VerificationError("betweenness: the entries are not the arcs of the graph")
    return held.astype(float), lambda k: f"arc {tails[k]} → {csr.indices[k]}"


def list_tails(csr: Any) -> Array:
    """The tail of each arc."""
    return np.repeat(np.arange(csr.nrows, dtype=csr.indices.dtype), np.diff(csr.indptr))


def compute(csr: Any, s: Settings) -> Array:
    """What is right, in float64."""
    total, tails, heads = np.zeros(csr.nvals if s.edges else csr.nrows, WIDE), list_tails(csr), csr.indices
    lengths = read_lengths(csr) if s.weighted else np.ones(csr.nvals)
    for source in s.sources.tolist():
        d = measure(csr, lengths, source, s.weighted)
        with np.errstate(invalid="ignore"):
            tight = np.flatnonzero((d[tails] < d[heads]) & (d[tails] + lengths == d[heads]) & (d[heads] < np.inf))
        vertices, arcs = accumulate(csr.nrows, source, tails[tight], heads[tight])
        reached = d < np.inf
        if s.edges:
            total[tight] += arcs
        else:
            vertices[source] = reached.sum() - 1 if s.endpoints else 0
            total += vertices + s.endpoints * (reached & (np.arange(csr.nrows) != source))
    return scale(csr, total, s)


def read_lengths(csr: Any) -> Array:
    """The weights in float64, or as Python's integers where a path may be longer than float64 can tell apart."""
    exact = csr.values.dtype.kind in "iu" and csr.nvals and int(csr.values.max()) * csr.nrows > 2**53
    return csr.values.astype(object if exact else np.float64)


def measure(csr: Any, lengths: Array, source: int, weighted: bool) -> Array:
    """The distance of each vertex: by SciPy, or by a search in Python's integers."""
    if lengths.dtype == object:
        return measure_exactly(csr, lengths.tolist(), source)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    A = csr_array((lengths, csr.indices, csr.indptr), shape=csr.shape)
    return dijkstra(A, directed=True, indices=source, unweighted=not weighted)


def measure_exactly(csr: Any, lengths: list[int], source: int) -> Array:
    """The distances as Python's integers, infinite where there is no path."""
    found, heap = np.full(csr.nrows, np.inf, object), [(0, source)]
    found[source] = 0
    while heap:
        distance, u = heapq.heappop(heap)
        for k in range(csr.indptr[u], csr.indptr[u + 1]) if distance == found[u] else ():
            v, longer = int(csr.indices[k]), distance + lengths[k]
            if longer < found[v]:
                found[v] = longer
                heapq.heappush(heap, (longer, v))
    return found


def accumulate(n: int, source: int, tails: Array, heads: Array) -> tuple[Array, Array]:
    """The dependency of each vertex, and of each arc on a shortest path, in rounds over these arcs."""
    rounds = list(split_by_round(n, source, tails, heads))
    paths, parts = np.zeros(n, WIDE), np.zeros(tails.size, WIDE)
    paths[source] = 1
    for arcs in rounds:
        np.add.at(paths, heads[arcs], paths[tails[arcs]])
    dependency = np.zeros(n, WIDE)
    for arcs in reversed(rounds):
        parts[arcs] = paths[tails[arcs]] / paths[heads[arcs]] * (1 + dependency[heads[arcs]])
        np.add.at(dependency, tails[arcs], parts[arcs])
    return dependency, parts


def split_by_round(n: int, source: int, tails: Array, heads: Array) -> Any:
    """The arcs that leave the source, then those that leave vertices all of whose arcs have been listed, and so on."""
    order, waiting = np.argsort(tails, kind="stable"), np.bincount(heads, minlength=n)
    starts = np.searchsorted(tails[order], np.arange(n + 1))
    frontier = np.array([source])
    while frontier.size:
        counts = starts[frontier + 1] - starts[frontier]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        arcs = order[np.repeat(starts[frontier], counts) + within]
        yield arcs
        np.subtract.at(waiting, heads[arcs], 1)
        reached = np.unique(heads[arcs])
        frontier = reached[waiting[reached] == 0]


def scale(csr: Any, total: Array, s: Settings) -> Array:
    """The sums by their factors; of undirected edges those of both arcs."""
    factor, own = s.scale(csr.nrows)
    values = total * factor
    if s.edges and not s.directed:
        tails, back = list_tails(csr), np.lexsort((list_tails(csr), csr.indices))
        assert np.array_equal(csr.indices[back], tails), "the graph is not symmetric"
        values = values + values[back]
    elif own != factor:
        values[s.sources] = total[s.sources] * own
    return values.astype(np.float64)
