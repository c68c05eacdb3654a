"""Distances after insertions and decreases: x = min(x, x min.plus A), from the heads of the arcs that changed.

With C, the arcs that are new or shorter, q = x min.plus C where that is less than x; then in each round x takes q, and
q becomes q min.plus A where that is less. Levels are the same by (q + 1) min.first A. On the CPU the vertices whose
distance falls wait in a heap instead, and each is looked at once.

Source: Ramalingam, Reps, "An Incremental Algorithm for a Generalization of the Shortest-Path Problem", Journal of
Algorithms 21(2), 1996.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphla.algorithms.shared.weights import get_weights, infinity
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.batches import unite
from graphla.graphs.changes import Arcs, Change, locate, read_values
from graphla.graphs.graph import Graph
from graphla.storage.convert import is_any
from semirings import binary, min_first, min_plus

SHARE_OF_LEVELS = 1 / 8
"""The share of the arcs after which new levels are searched from nothing on a CPU: a whole search takes as long."""
SEARCH_ARCS = 10_000
"""Arcs that are looked through in any case: the call of a search takes as long."""


def shorten_levels(
    before: Graph, made: Graph, old: Vector, change: Change, options: Mapping[str, Any]
) -> Vector | None:
    """The levels of a graph with more arcs; None if some have gone, many fall, or more than levels is asked for."""
    if options.keys() != {"source"} or change.gone.rows.size:
        return None
    most = max(SEARCH_ARCS, int(SHARE_OF_LEVELS * made.nvals))
    return shorten(made, old, change.fresh, weighted=False, most=most)


def shorten_distances(
    before: Graph, made: Graph, old: Vector, change: Change, options: Mapping[str, Any]
) -> Vector | None:
    """The distances in a graph with more and shorter arcs; None if some have gone or grown, or a weight is negative."""
    if options.keys() != {"source"} or change.gone.rows.size or (made.nvals and made.min_weight < 0):
        return None
    was = read_values(before.engine, before.csr, locate(before.engine, before.csr, change.changed)[0])
    if is_any(change.changed.values > was):
        return None
    arcs = unite((change.fresh, change.changed))
    return shorten(made, old, arcs, weighted=made.dtype.name != "BOOL", most=made.nvals)


def shorten(made: Graph, old: Vector, arcs: Arcs, weighted: bool, most: int) -> Vector | None:
    """The distances when some arcs are new or shorter; None if one leaves the dtype, or `most` arcs are too few."""
    none = infinity(old.dtype.numpy)
    if made.engine.name != "cpu":
        x = shorten_by_rounds(made, old, arcs, weighted)
        return None if x.nvals and x.reduce("max").new().value >= none else x
    from graphla.algorithms.following._shorten_cpu import shorten_on_cpu

    distance = np.full(made.n, none, old.dtype.numpy)
    distance[: old.size] = old.to_dense(none)
    ones = np.ones(1, distance.dtype)
    weights, changed = (get_weights(made), arcs.values.astype(distance.dtype)) if weighted else (ones, ones)
    if not shorten_on_cpu(made.csr, weights, arcs, changed, none, distance, most):
        return None
    return Vector._from_sentinel(distance, none, made.engine)


def shorten_by_rounds(made: Graph, old: Vector, arcs: Arcs, weighted: bool) -> Vector:
    """The same as algebra, in rounds."""
    places, values = old.to_coo()
    x = Vector.from_coo(places, values, old.dtype, size=made.n, engine=made.engine)
    tails, heads, weights = map(made.engine.asarray, (arcs.rows, arcs.cols, arcs.values))
    C = Matrix.from_coo(tails, heads, weights, made.dtype, nrows=made.n, ncols=made.n, engine=made.engine)

    def extend(q: Vector, A: Matrix) -> Vector:
        return (min_plus(q @ A) if weighted else min_first((q + 1).new(x.dtype) @ A)).new(x.dtype)

    t = extend(x, C)
    while True:
        less = binary.lt(t & x).new()
        q = t.dup(mask=~x.S)
        q(less.V) << t
        if not q.nvals:
            return x
        x(q.S) << q
        t = extend(q, made.A)
