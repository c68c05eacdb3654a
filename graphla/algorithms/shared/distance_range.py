"""Detect distances that overflow their dtype, and widen the weights, so that no vertex is lost.

Every method adds in the dtype of the distances, where a sum that is too large becomes infinity. If that happens on a
shortest path, some arc leads from a vertex with a distance to one without: to the first vertex of the path that has
none. If there is no such arc, no path was lost, and every distance is right. A sum that is too small saturates at the
lowest number of the dtype. So two checks of the distances suffice. They are skipped if n − 1 arcs of the largest weight
fit the dtype.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from graphla.algorithms.shared.weights import distance_dtype, infinity
from graphla.common.errors import Overflow
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.storage import Distributed
from semirings import any_pair
from semirings.dtypes import lookup

Answer = TypeVar("Answer")
WIDER = {"int16": "INT64", "int32": "INT64", "uint32": "INT64", "float32": "FP64"}
"""The wider dtype for distances that do not fit this one."""
CELLS = 1 << 22
"""Distances that are checked together."""


def solve_in_range(G: Any, solve: Callable[[Any], Answer]) -> Answer:
    """Return ``solve(G)``, or the result for the graph with wider weights if distances overflow their dtype.

    Raises
    ------
    Overflow
        If there is no wider dtype, or distances overflow that one, too.
    """
    try:
        return solve(G)
    except Overflow:
        wider = WIDER.get(distance_dtype(G.dtype.numpy).name)
        if wider is None:
            raise
        return solve(G.cached(f"weights as {wider}", lambda g: Graph(g.A.dup(wider), name=g.name)))


def require_range(G: Any, distances: Any, *, reverse: bool = False, sign: int = 1) -> Any:
    """Return the distances, or raise if one of them does not fit its dtype.

    Parameters
    ----------
    G : Graph
    distances : array [n] or [k, n] of the engine or of the host, Vector or Matrix
        Distances from one source or several; infinity, or no entry, where no path was found.
    reverse : bool
        Whether G has the reversed arcs of the caller's graph, for the message.
    sign : int
        −1 if the caller's weights are the negatives of those of G, for the message.

    Raises
    ------
    Overflow
        If a distance overflows; the message names the arc.
    """
    if fits(G, distances.dtype):
        return distances
    if isinstance(G.A._storage, Distributed):
        raise Overflow(f"a path of {G.n - 1:,} arcs may be longer than {distances.dtype} holds: give smaller weights")
    dense = hasattr(distances, "to_dense")
    rows = distances.to_dense(infinity(distances.dtype.numpy)) if dense else distances
    rows = rows if rows.ndim == 2 else rows.reshape(1, -1)
    step = max(1, CELLS // max(1, G.n))
    for first in range(0, rows.shape[0], step):
        for row in find_suspicious_rows(G, rows[first : first + step]):
            require_row(G, rows[first + row], reverse, sign)
    return distances


def fits(G: Any, dtype: Any) -> bool:
    """Whether every path fits the dtype, judged by the number of its arcs and the largest weight."""
    longest = (G.n - 1) * find_largest_magnitude(G)
    dtype = np.dtype(getattr(dtype, "numpy", dtype))
    return longest < (float(np.finfo(dtype).max) / 2 if dtype.kind == "f" else int(infinity(dtype)))


def holds_every_path(G: Any, dtype: np.dtype[Any]) -> bool:
    """Whether an integer dtype holds every part of a path or of a simple cycle: it leaves each vertex at most once.

    Where weights have both signs, a part may be long though the whole is short, and sums may begin with any part. An
    arc of infinite weight is on no path: it must be longer than all others, whatever follows it.
    """
    if dtype.kind == "f":
        return True
    far = int(infinity(dtype))
    if G.n * find_largest_magnitude(G) < far:
        return True
    least, most = G.cached(f"paths.ends.{dtype}", lambda G: bound_paths(G, infinity(dtype)))
    return int(lowest(dtype)) < least and most < far and (G.max_weight != far or most - least <= far)


def bound_paths(G: Any, far: Any) -> tuple[int, int]:
    """Return numbers between which every part of a path is: the sums of the extreme weights that leave each vertex.

    Weights of `far` are infinite, and left out.
    """
    indptr, values = (G.engine.to_host(part) for part in (G.csr.indptr, G.csr.values))
    starts, finite = indptr[:-1][np.diff(indptr) > 0], np.where(values == far, values.dtype.type(0), values)
    least, most = (ends.reduceat(finite, starts) if starts.size else finite for ends in (np.minimum, np.maximum))
    return sum(w for w in least.tolist() if w < 0), sum(w for w in most.tolist() if w > 0)


def make_overflow_of_sums(G: Any, dtype: Any) -> Overflow:
    """Make the error that says which weights of both signs may add up to more than the dtype holds."""
    return Overflow(
        f"weights from {G.min_weight} to {G.max_weight} may add up along a path of {G.n:,} vertices to more than "
        f"{lookup(dtype).name} holds: {find_way_out(dtype)}"
    )


def find_largest_magnitude(G: Any) -> Any:
    """Return the largest magnitude of a weight as a Python number; 0 in a graph without arcs."""
    if not G.nvals:
        return 0
    return max(*(abs(each) if isinstance(each, float) else abs(int(each)) for each in (G.min_weight, G.max_weight)))


def find_suspicious_rows(G: Any, rows: Any) -> list[int]:
    """Return the rows that may have lost a vertex: some vertex has no distance, and another is near the dtype's end."""
    xp, far = G.engine.xp if not isinstance(rows, np.ndarray) else np, infinity(rows.dtype)
    known, low = rows != far, lowest(rows.dtype)
    farthest = xp.where(known, rows, low).max(axis=1)
    flagged = (farthest >= find_end(rows.dtype, find_largest_magnitude(G))) & ~known.all(axis=1)
    if (G.min_weight or 0) < 0:
        flagged |= xp.where(known, rows, far).min(axis=1) == low
    return [int(row) for row in flagged.nonzero()[0]]


def find_end(dtype: Any, weight: Any) -> Any:
    """Return the least distance from which adding the largest weight can overflow; at least that of the source."""
    if dtype.kind == "f":
        return dtype.type((1 - 1e-6) * max(float(np.finfo(dtype).max) - weight, 0.0))
    return dtype.type(max(int(infinity(dtype)) - weight, 0))


def lowest(dtype: Any) -> Any:
    """Return the number at which sums that are too small saturate."""
    return dtype.type(-np.inf if dtype.kind == "f" else np.iinfo(dtype).min)


def require_row(G: Any, row: Any, reverse: bool, sign: int = 1) -> None:
    """Raise if a distance from one source overflows."""
    row = G.engine.asarray(row)
    v, known = find_lost_vertex(G, row), row != infinity(row.dtype)
    if v is None and (G.min_weight or 0) < 0 and G.min_weight > -math.inf:
        low = (row == lowest(row.dtype)).nonzero()[0]
        v = int(low[0]) if low.size else None
    if v is not None:
        u, weight = find_arc_into(G, v, known)
        raise make_overflow(*((v, u) if reverse else (u, v)), sign * weight, row.dtype)


def find_lost_vertex(G: Any, row: Any) -> int | None:
    """Return a vertex without a distance that has an arc of finite weight from a vertex with one, or None."""
    reached = Vector._from_sentinel(row != infinity(row.dtype), False, G.engine)
    A = G.A.select("valuelt", math.inf).new() if G.max_weight == math.inf else G.A
    lost = Vector("BOOL", G.n, engine=G.engine)
    lost(~reached.S, direction="pull") << any_pair(A.T @ reached)
    return int(lost.to_coo()[0][0]) if lost.nvals else None


def find_arc_into(G: Any, v: int, known: Any) -> tuple[int, Any]:
    """Return tail and weight of the lightest arc into v from a vertex with a distance."""
    tails, _, values = (G.engine.to_host(part) for part in G.A[:, [v]].new().to_coo())
    reached = np.flatnonzero(G.engine.to_host(known)[tails])
    lightest = reached[values[reached].argmin()]
    return int(tails[lightest]), values[lightest].item()


def make_overflow(u: int, v: int, weight: Any, dtype: Any) -> Overflow:
    """Make the error that names the arc u → v and the way out."""
    return Overflow(
        f"the length of a path over the arc {u} → {v} of weight {weight} does not fit {lookup(dtype).name}: "
        f"{find_way_out(dtype)}"
    )


def find_way_out(dtype: Any) -> str:
    """Say what to do where distances do not fit a dtype."""
    wider = WIDER.get(dtype.name)
    way = f"ask for dtype={wider!r}" if wider else "make the weights smaller"
    if dtype.kind != "f" and not wider:
        way += ", or take them as floats, which round: gl.Graph(G.A.dup('FP64'))"
    return way
