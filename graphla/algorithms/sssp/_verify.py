"""Verify shortest paths: no arc improves a distance, and a tree of arcs justifies all distances.

Weights may be negative. Sums are computed in the dtype of the distances, as the methods compute them, so the checks are
exact, for floats, too: floating-point addition is monotone, so the least sum along a path does not depend on the order
in which arcs are relaxed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.limits import WHOLE, Limits
from graphla.algorithms.shared.weights import add_saturating, distance_dtype, infinity
from graphla.common.errors import VerificationError

Array = np.ndarray[Any, Any]


def _list_arcs(n: int, indptr: Array, indices: Array, values: Array, dtype: Any) -> tuple[Array, Array, Array]:
    rows = np.repeat(np.arange(n), np.diff(indptr))
    return rows, np.asarray(indices, np.int64), np.asarray(values).astype(dtype)


def _fail(v: int, what: str) -> None:
    raise VerificationError(f"sssp: vertex {v}: {what}")


def verify(
    n: int,
    indptr: Array,
    indices: Array,
    values: Array,
    source: int,
    distances: Array,
    parents: Array | None = None,
    s: Limits = WHOLE,
) -> None:
    """Assert that the distances are those of the shortest paths, and that the parents walk them.

    Asserted: the source has distance 0 (or less, never: a negative cycle has no distances); no arc u → v has
    d[u] + w < d[v]; each reached vertex but the source has an arc with d[u] + w = d[v]; walking such arcs leads back to
    the source; unreached vertices have no parent, and no arc of finite weight leads to them from a reached vertex,
    whatever the dtype makes of the sum; the parents, if given, are a tree of such arcs with the source as root. Where
    the limits end the search there is no distance, and arcs that lead farther do not count.

    Raises
    ------
    VerificationError
        Naming the first vertex that breaks a property, and the property.
    """
    d = np.asarray(distances)
    dtype = distance_dtype(d.dtype)
    none = infinity(dtype)
    if d.dtype != dtype or d.shape != (n,):
        raise VerificationError(f"sssp: distances are {d.dtype}{d.shape}, not {dtype}({n},)")
    if d[source] != 0:
        _fail(source, f"is the source, and its distance is {d[source]}, not 0")
    rows, cols, w = _list_arcs(n, indptr, indices, values, dtype)
    last = s.find_bound(d[list(s.targets or ())], none, dtype)
    beyond = np.flatnonzero((d > last) & (d != none))
    if beyond.size:
        _fail(int(beyond[0]), f"distance {d[beyond[0]]} is beyond {last}, with which the search ends")
    sums = add_saturating(d[rows], w, none)
    if last != none:
        w, sums = np.where(sums > last, none, w), np.where(sums > last, none, sums)
    loose = np.flatnonzero(sums < d[cols])
    if loose.size:
        e = loose[0]
        _fail(int(cols[e]), f"distance {d[cols[e]]}, but the arc from {rows[e]} gives {sums[e]}")
    finite = (w != none) | ((w.dtype.kind != "f") & (last == none))
    lost = np.flatnonzero((d[rows] != none) & (d[cols] == none) & finite)
    if lost.size:
        e = lost[0]
        _fail(int(cols[e]), f"has no distance, but the arc from {rows[e]} of weight {w[e]} leads to it: beyond {dtype}")
    tight = (sums == d[cols]) & (d[cols] != none) & (d[rows] != none)
    _check_reached(n, source, d, none, rows[tight], cols[tight])
    if parents is not None:
        _check_parents(n, source, d, none, rows[tight], cols[tight], np.asarray(parents))


def _check_reached(n: int, source: int, d: Array, none: Any, rows: Array, cols: Array) -> None:
    """Check that the tight arcs lead from the source to every vertex that has a distance."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    tight = csr_array((np.ones(rows.size), (rows, cols)), shape=(n, n))
    walked = np.zeros(n, bool)
    walked[breadth_first_order(tight, source, return_predecessors=False)] = True
    astray = np.flatnonzero(walked != (d != none))
    if astray.size:
        _fail(int(astray[0]), f"distance {d[astray[0]]}, but no path from source {source} has that length")


def _check_parents(n: int, source: int, d: Array, none: Any, rows: Array, cols: Array, p: Array) -> None:
    if p.shape != (n,) or p[source] != source:
        _fail(source, f"is the source, and its parent is {p[source] if p.size else None}, not itself")
    wrong = np.flatnonzero((p >= 0) != (d != none))
    if wrong.size:
        _fail(int(wrong[0]), f"distance {d[wrong[0]]} and parent {p[wrong[0]]} do not agree")
    children = np.flatnonzero((p >= 0) & (np.arange(n) != source))
    false = children[~np.isin(p[children].astype(np.int64) * n + children, rows.astype(np.int64) * n + cols)]
    if false.size:
        v = int(false[0])
        _fail(v, f"parent {p[v]} with distance {d[p[v]]} does not give its distance {d[v]}")
    root = np.where(p >= 0, p, np.arange(n))
    for _ in range(max(n, 2).bit_length()):
        root = root[root]
    astray = np.flatnonzero((p >= 0) & (root != source))
    if astray.size:
        _fail(int(astray[0]), "its parents run in a circle")


def compute_reference_distances(n: int, indptr: Array, indices: Array, values: Array, source: int) -> Array:
    """Compute distances with SciPy: float64, inf where there is no path, exact for sums below 2**53.

    Uses Dijkstra's algorithm, or Bellman–Ford if a weight is negative. Arcs of weight zero count, because SciPy keeps
    stored zeros.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import bellman_ford, dijkstra

    weights = np.asarray(values).astype(np.float64)
    A = csr_array((weights, np.asarray(indices), np.asarray(indptr)), shape=(n, n))
    find = bellman_ford if weights.size and weights.min() < 0 else dijkstra
    return np.asarray(find(A, indices=source))
