"""Shortest paths on the CPU: delta-stepping, breadth-first search and Bellman–Ford in float64, a source per core."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.algorithms.sssp.delta_stepping import DENSE, REACH, choose_share
from graphla.doors.csgraph.delegate import get_negative_cycle_error
from graphla.doors.csgraph.inputs import Array, Rows, read_rows
from graphla.doors.csgraph.request import Paths, Request
from graphla.engine.cpu.threads import run_for_each, run_over_rows

NOWHERE = -9999
"""What SciPy writes for the predecessor of a vertex that has none."""
ROUNDING = 1e-15
"""A cycle is negative if its weight is less than minus this, as for SciPy."""
AFFORDED = 2**31
"""Arcs that SciPy may relax to name its node of a negative cycle, a few seconds of them."""
INFINITY = int(np.float64(math.inf).view(np.uint64))
BUCKETS = 8
"""Buckets up to a limit, at least, so that few vertices relax their arcs twice."""
FINEST = 1024
"""How much narrower a bucket becomes at most for a small limit."""
SAMPLE = 4096
"""Weights from which the width of a bucket is estimated."""
ASKED = 32
"""Arcs that are looked for in the other direction."""
WORTH_A_PULL = 2**20
"""Arcs from which on a search is bound by memory, so that arcs had better wait."""
WORTH_A_TRANSPOSE = 6
"""Sources for which a transpose pays: it takes as long as a search, of which each becomes a quarter faster."""


def read_arcs(csgraph: Any, request: Request) -> Rows:
    """The arcs that a search may take, with weights in float64."""
    rows = read_rows(csgraph, transpose=not request.directed)
    return rows if request.directed else join_directions(rows, request.unweighted)


def is_non_negative(rows: Rows) -> bool:
    """Whether every weight is a finite number and none is negative."""
    if not rows.nvals or int(rows.values.view(np.uint64).max()) < INFINITY:
        return True  # the bits of non-negative numbers are in the order of the numbers, and those of others are greater
    return bool(rows.values.min() >= 0 and rows.values.max() < math.inf)  # there may be a −0.0


def is_bounded(rows: Rows) -> bool:
    """Whether no weight is NaN or minus infinity, along which no path is the shortest."""
    return not rows.nvals or bool(rows.values.min() > -math.inf)


def make_paths(n: int, request: Request) -> Paths:
    """Arrays to fill: a row per source, or one for all."""
    k = 1 if request.together else request.sources.size
    return Paths(np.full((k, n), np.inf), np.full((k, n if request.predecessors else 0), NOWHERE, np.int32))


def search(rows: Rows, request: Request) -> Paths:
    """Paths in a graph without negative weights."""
    from graphla.doors.csgraph import _search

    paths = make_paths(rows.nrows, request)
    reach = np.nextafter(request.limit, np.inf)
    if request.unweighted:
        one, each, options = _search.walk_from, _search.walk_each, (reach, rows[:2])
    else:
        step = choose_step(rows)
        step = min(step, max(request.limit / BUCKETS, step / FINEST))
        one, each, options = _search.search_from, _search.search_each, (reach, step, tuple(rows))
    if request.together:
        one(request.sources, *options, paths.distances[0], paths.parents[0])
    elif may_defer(rows, request) and (into := find_entering(rows, request)) is not None:
        search_and_pull(rows, into, request, paths)
    else:
        run_each(each, rows, request.sources, *options, *paths)
    return paths


def may_defer(rows: Rows, request: Request) -> bool:
    """Whether arcs that end far beyond the bulk of the graph had better wait, as in `gl.sssp`."""
    dense = rows.nvals >= max(DENSE * rows.nrows, WORTH_A_PULL)
    return dense and not request.unweighted and request.limit == math.inf


def find_entering(rows: Rows, request: Request) -> Rows | None:
    """The rows of the transposed matrix, if they are known or worth their cost."""
    if not request.directed or is_symmetric(rows):
        return rows
    return transpose(rows) if request.sources.size >= WORTH_A_TRANSPOSE else None


def remove_loops(request: Request, paths: Paths) -> None:
    """Neither a source nor a vertex without a path has a predecessor."""
    if request.predecessors:
        paths.parents[paths.parents < 0] = NOWHERE
        paths.parents[np.arange(request.sources.size), request.sources] = NOWHERE


def search_and_pull(rows: Rows, into: Rows, request: Request, paths: Paths) -> None:
    """Delta-stepping with the transposed matrix, in which arcs wait; a source per core."""
    from graphla.algorithms.sssp.delta_stepping_cpu import solve

    options = choose_step(rows), choose_limit(rows), rows.values.max(), math.inf
    A, AT = tuple(rows), tuple(into)
    run_for_each(
        lambda k: solve(A, AT, int(request.sources[k]), *options, paths.distances[k], paths.parents[k]),
        range(request.sources.size),
    )
    remove_loops(request, paths)


def search_by_rounds(rows: Rows, request: Request) -> Paths | None:
    """Bellman–Ford; None if SciPy is to say whether a cycle is negative."""
    if request.unweighted:
        return search(rows, request)
    paths = make_paths(rows.nrows, request._replace(predecessors=True))
    for source, distance, parent in zip(request.sources, *paths, strict=True):
        active = np.zeros(rows.nrows, bool)
        active[source], distance[source] = True, 0
        if not relax(rows, distance, parent, active):
            return None
    return paths


def search_with_potentials(rows: Rows, request: Request) -> Paths | None:
    """Johnson's algorithm; None if SciPy is to say whether a cycle is negative."""
    if request.unweighted or is_non_negative(rows):
        return search(rows, request)
    h, parent = np.zeros(rows.nrows), np.full(rows.nrows, NOWHERE, np.int32)
    if not relax(rows, h, parent, np.ones(rows.nrows, bool)):
        return None
    tails = np.repeat(h, np.diff(rows.indptr))
    paths = search(rows._replace(values=(rows.values + tails - h[rows.indices]).clip(0, None)), request)
    paths.distances[:] += h - h[request.sources, None]
    return paths


def relax(rows: Rows, distance: Array, parent: Array, active: Array) -> bool:
    """Relax arcs until no distance changes; False if SciPy had better answer.

    It names another node of a negative cycle, which only its own loop finds, and takes a cycle that is negative by no
    more than rounding for none.

    Raises
    ------
    NegativeCycleError
        If a cycle is negative, and SciPy would take long to say so.
    """
    from graphla.doors.csgraph._search import relax_until_stable

    found = int(relax_until_stable(tuple(rows), distance, parent, active))
    if found >= 0 and rows.nrows * rows.nvals > AFFORDED and add_up_cycle(rows, parent, found) < -ROUNDING:
        raise get_negative_cycle_error()(f"Negative cycle detected on node {found}")
    return found < 0


def add_up_cycle(rows: Rows, parent: Array, v: int) -> float:
    """The weight of the cycle of parents on which v is."""
    weights, u = [], v
    while not weights or u != v:
        before = int(parent[u])
        own = slice(rows.indptr[before], rows.indptr[before + 1])
        weights.append(rows.values[own][rows.indices[own] == u].min())
        u = before
    return math.fsum(weights)


def run_each(kernel: Callable[..., Any], rows: Rows, sources: Array, *arguments: Any) -> None:
    """Call a kernel for ranges of the sources on every core."""
    weight = rows.nvals + rows.nrows
    split = np.arange(sources.size + 1) * weight
    run_over_rows(kernel, split, sources.size * weight, sources, *arguments)


def choose_step(rows: Rows) -> float:
    """Choose the width of a bucket from a sample of the weights."""
    return estimate_quantile(rows, choose_share(rows.nvals, rows.nrows))


def choose_limit(rows: Rows) -> np.float64:
    """Choose the distance from which on arcs wait."""
    return estimate_quantile(rows, REACH * rows.nrows / rows.nvals)


def estimate_quantile(rows: Rows, share: float) -> np.float64:
    """A weight that is greater than about this share of those that are not zero; 1 if there are none."""
    places = np.linspace(0, rows.nvals - 1, min(SAMPLE, rows.nvals)).astype(np.int64)
    sample = np.sort(rows.values[places])
    sample = sample[sample > 0]
    return sample[int(share * sample.size)] if sample.size else np.float64(1)


def join_directions(rows: Rows, unweighted: bool) -> Rows:
    """A graph with the arcs of both directions; itself if it has them."""
    from graphla.doors.csgraph._search import join_rows

    if is_symmetric(rows, unweighted):
        return rows
    turned = transpose(rows)
    indptr = rows.indptr + turned.indptr if 2 * rows.nvals < 2**31 else rows.indptr.astype(np.int64) + turned.indptr
    joined = Rows(indptr, np.empty(2 * rows.nvals, np.int32), np.empty(2 * rows.nvals))
    run_over_rows(join_rows, indptr, joined.nvals, indptr, tuple(rows), tuple(turned), joined.indices, joined.values)
    return joined


def is_symmetric(rows: Rows, unweighted: bool = False) -> bool:
    """Whether arcs of the same weights go both ways: some that are looked for, then all by a fingerprint of 64 bits."""
    from graphla.doors.csgraph._search import sum_asymmetry

    if not all(goes_back(rows, int(k), unweighted) for k in np.linspace(0, rows.nvals - 1, min(ASKED, rows.nvals))):
        return False
    weigh = np.uint64(0 if unweighted else 1)
    arcs = rows.indptr, rows.indices, rows.values.view(np.uint64), weigh
    parts = run_over_rows(sum_asymmetry, rows.indptr, rows.nvals, *arcs)
    return sum(int(part) for part in parts) % 2**64 == 0


def goes_back(rows: Rows, k: int, unweighted: bool) -> bool:
    """Whether the arc of the k-th entry has one in the other direction, of the same weight."""
    u, v = np.searchsorted(rows.indptr, k, side="right") - 1, rows.indices[k]
    own = slice(rows.indptr[v], rows.indptr[v + 1])
    weights = rows.values[own][rows.indices[own] == u]
    return bool(weights.size and (unweighted or (weights == rows.values[k]).any()))


def transpose(rows: Rows) -> Rows:
    """The rows of the transposed matrix."""
    from scipy.sparse import csr_array

    n = rows.nrows
    turned = csr_array((rows.values, rows.indices, rows.indptr), shape=(n, n)).T.tocsr()
    return Rows(turned.indptr, turned.indices, turned.data)


def find_roots(parents: Array, distances: Array) -> Array:
    """The source from which each vertex was reached, at the root of its tree of parents."""
    own = np.arange(parents.size, dtype=np.int32)
    root = np.where(parents >= 0, parents, own)
    while not np.array_equal(further := root[root], root):
        root = further
    return np.where(np.isfinite(distances), root, np.int32(NOWHERE))
