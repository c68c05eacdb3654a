"""Algorithms as LAGraph writes them, in the words that both libraries share."""

from __future__ import annotations

from typing import Any

import numpy as np

from .operations import Case

ROUNDS = 10
TRUSS = 4


def search(o: Any) -> Any:
    """Levels of a breadth-first search."""
    A, n, source = o.A, o.n, busiest(o)
    level = o.lib.Vector("INT32", n, **o.where)
    q = o.lib.Vector.from_coo([source], [True], size=n, **o.where)
    depth = 0
    while q.nvals:
        level(q.S) << depth
        q(~level.S, replace=True) << o.ring.any_pair(A.T @ q)
        depth += 1
    return level


def busiest(o: Any) -> int:
    return int(np.argmax(np.bincount(o.graph.rows, minlength=o.n)))


def relax(o: Any) -> Any:
    """Distances by Bellman and Ford."""
    d = o.lib.Vector.from_coo([busiest(o)], [o.number(0)], size=o.n, **o.where)
    for _ in range(ROUNDS):
        d(o.op.min) << o.ring.min_plus(d @ o.A)
    return d


def rank(o: Any) -> Any:
    """Rounds of PageRank (LAGr_PageRankGAP)."""
    n, damping, A = o.n, np.float32(0.85), o.A
    degrees = A.reduce_rowwise(o.agg.count).new("FP32")
    d = degrees.apply(o.op.truediv, right=damping).new("FP32")
    ranks = o.lib.Vector("FP32", n, **o.where)
    ranks << np.float32(1 / n)
    for _ in range(ROUNDS):
        before = ranks
        w = before.ewise_mult(d, o.op.truediv).new("FP32")
        ranks = o.lib.Vector("FP32", n, **o.where)
        ranks << np.float32(0.15 / n)
        ranks(o.op.plus) << o.ring.plus_second(A.T @ w)
        before(o.op.minus) << ranks
        before << before.apply("abs")
        before.reduce("plus").new().value  # the condition of the loop
    return ranks


def betweenness(o: Any) -> Any:
    """Betweenness of a few sources (LAGr_Betweenness)."""
    A, n, lib, count = o.A, o.n, o.lib, len(o.sources)
    paths = lib.Matrix.from_coo(
        o.index(np.arange(count)), o.index(o.sources), np.ones(count), nrows=count, ncols=n, **o.where
    )
    frontier = o.ring.plus_first(paths @ A).new("FP64", mask=~paths.S)
    levels = []
    while frontier.nvals:
        levels.append(frontier.dup(dtype="BOOL"))
        paths(o.op.plus) << frontier
        frontier(~paths.S, replace=True) << o.ring.plus_first(frontier @ A)
    update = lib.Matrix.from_dense(np.ones((count, n)), **o.where)
    for depth in range(len(levels) - 1, 0, -1):
        w = update.ewise_mult(paths, o.op.truediv).new(mask=levels[depth].S)
        w(levels[depth - 1].S, replace=True) << o.ring.plus_first(w @ A.T)
        update(o.op.plus) << w.ewise_mult(paths, o.op.times)
    return update.reduce_columnwise("plus").new()


def join(o: Any) -> Any:
    """Components by labels: min_second and shortcuts (FastSV)."""
    n, A = o.n, o.A
    parent = o.lib.Vector.from_dense(np.arange(n, dtype="int64"), **o.where)
    for _ in range(20):
        before = parent.dup()
        least = o.ring.min_second(A @ parent).new()
        parent(o.op.min) << least
        grand = parent[o.index(parent.to_coo()[1].astype("int64"))].new()
        parent(o.op.min) << grand
        if parent.isequal(before):
            break
    return parent


def thin(o: Any) -> Any:
    """The k-truss (LAGraph_KTruss)."""
    C = o.A
    for _ in range(ROUNDS):
        support = o.ring.plus_pair(C @ C).new(mask=C.S)
        kept = support.select("valuege", TRUSS - 2).new()
        if kept.nvals == C.nvals:
            break
        C = kept
    return C


def count(form: str) -> Any:
    """Triangles in one of LAGraph's forms."""

    def run(o: Any) -> Any:
        A, pair = o.A, o.ring.plus_pair
        L, U = A.select("tril", -1).new(), A.select("triu", 1).new()
        left, right, mask = {
            "Burkhardt": (A, A, A), "Cohen": (L, U, A), "Sandia LL": (L, L, L),
            "Sandia UU": (U, U, U), "Sandia LUT": (L, U.T, L), "Sandia ULT": (U, L.T, U),
        }[form]  # fmt: skip
        return pair(left @ right).new(mask=mask.S).reduce_scalar("plus").new()

    return run


FORMS = ("Burkhardt", "Cohen", "Sandia LL", "Sandia UU", "Sandia LUT", "Sandia ULT")
ALGORITHMS: dict[str, Case] = {
    "BFS": lambda o: lambda: search(o),
    "Bellman-Ford": lambda o: lambda: relax(o),
    "PageRank": lambda o: lambda: rank(o),
    "betweenness": lambda o: lambda: betweenness(o),
    "components": lambda o: lambda: join(o),
    "k-truss": lambda o: lambda: thin(o),
} | {f"triangles, {form}": (lambda o, form=form: lambda: count(form)(o)) for form in FORMS}
