"""Every operation of the language on a Kronecker graph, on every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import graphla as gl
from graphla import binary, replace, select
from semirings import any_pair, min_plus, plus_pair, plus_second, plus_times

from .common import ENGINES, SAMPLING, graph, needs, source, synchronise

SPEC = {"cpu": "kron:16?weights=1..255", "cuda": "kron:20?weights=1..255"}
PRODUCTS = {"cpu": "kron:12?weights=1..255", "cuda": "kron:14?weights=1..255"}
"""These graphs are smaller, because a matrix product has many times the entries of its operands."""


def full(G: gl.Graph) -> gl.Vector:
    return G.cached("full", lambda G: gl.Vector.from_scalar(1, G.n, "INT32", engine=G.engine))


def one(G: gl.Graph) -> gl.Vector:
    vertex = source(SPEC[G.engine.name], G.engine.name)
    return G.cached("one", lambda G: gl.Vector.from_coo([vertex], [1], size=G.n, engine=G.engine))


def lower(G: gl.Graph) -> gl.Matrix:
    return G.cached("lower", lambda G: select.tril(G.A, -1).new())


def dense(G: gl.Graph) -> gl.Matrix:
    return G.cached("dense", lambda G: gl.Matrix.from_dense(G.engine.xp.ones((1024, 1024), "float32"), engine=G.engine))


def assign_quarter(G: gl.Graph, first: int = 0) -> gl.Vector:
    """Copy a full vector and assign to a quarter of it."""
    v = full(G).dup()
    v[first : G.n // 4] << 7
    return v


def count_triangles(G: gl.Graph) -> gl.Matrix:
    L = lower(G)
    C = gl.Matrix("INT64", G.n, G.n, engine=G.engine)
    C(L.S) << plus_pair(L @ L.T)
    return C


def surf(G: gl.Graph, run: Callable[[Callable[[Any], None], gl.Vector, gl.Vector], Any]) -> gl.Vector:
    """Ranks of the mean degree, repeated by `run`."""
    make = {"dtype": "FP32", "engine": G.engine}
    rank, before = (gl.Vector.from_scalar(1 / G.n, G.n, **make) for _ in range(2))
    A, n, share = G.A, G.n, 0.85 * G.n / G.nvals

    def step(_: Any) -> None:
        before << rank
        rank << 0.15 / n
        rank(binary.plus) << plus_second(A.T @ (before * share))

    run(step, rank, before)
    return rank


def repeat_in_python(step: Callable[[Any], None], *_: gl.Vector) -> None:
    for turn in range(20):
        step(turn)


def search_many(G: gl.Graph, run: Callable[[Callable[[Any], None], gl.Matrix], Any]) -> gl.Matrix:
    """Levels from 32 sources at once, repeated by `run` as long as there is a frontier."""
    F = gl.Matrix.from_coo(range(32), range(32), True, nrows=32, ncols=G.n, engine=G.engine)
    level = gl.Matrix("INT32", 32, G.n, engine=G.engine)

    def step(depth: Any) -> None:
        level(F.S) << depth
        F(~level.S, replace) << any_pair(F @ G.A)

    run(step, F)
    return level


def search_in_python(step: Callable[[Any], None], F: gl.Matrix) -> None:
    depth = 0
    while F.nvals:
        step(depth)
        depth += 1


def join_positions(G: gl.Graph) -> gl.Vector:
    """Join the values of a vector in the places that it names."""
    v, p = full(G).dup(), full(G).apply("rowindex").new("INT32")
    v(binary.min)[p] << p
    return v


OPERATIONS: dict[str, Callable[[gl.Graph], Any]] = {
    "mxv plus_times, pull": lambda G: plus_times(G.A @ full(G)).new(),
    "mxv min_plus, pull": lambda G: min_plus(G.A @ full(G)).new(),
    "vxm any_pair, push": lambda G: any_pair(one(G) @ G.A).new(),
    "ewise_add": lambda G: binary.plus(G.A | G.A).new(),
    "ewise_mult": lambda G: binary.times(G.A & G.A).new(),
    "ewise_union": lambda G: G.A.ewise_union(G.A, "plus", 0, 0).new(),
    "apply": lambda G: G.A.apply("ainv").new(),
    "select": lambda G: select.valuegt(G.A, 128).new(),
    "reduce_rowwise": lambda G: G.A.reduce_rowwise("max").new(),
    "reduce_columnwise": lambda G: G.A.reduce_columnwise("max").new(),
    "reduce_scalar": lambda G: G.A.reduce_scalar("plus").new(),
    "extract": lambda G: G.A[: G.n // 2, : G.n // 2].new(),
    "assign": assign_quarter,
    "dup": lambda G: G.A.dup(),
    "20 rounds of ranks, gl.loop": lambda G: surf(G, lambda step, *_: gl.loop(step, times=20)),
    "20 rounds of ranks, gl.loop while_true": lambda G: surf(
        G, lambda step, x, y: gl.loop(step, while_true=lambda: abs(x - y).reduce() >= 0, times=20)
    ),
    "32 searches, gl.loop": lambda G: search_many(G, lambda step, F: gl.loop(step, while_entries=F)),
    "32 searches, statements": lambda G: search_many(G, search_in_python),
    "20 rounds of ranks, statements": lambda G: surf(G, repeat_in_python),
    "extract by a vector": lambda G: full(G)[full(G)].new(),
    "assign by a vector, joined": join_positions,
}
OF_PRODUCTS: dict[str, Callable[[gl.Graph], Any]] = {
    "mxm plus_times, rows": lambda G: plus_times(G.A @ lower(G)).new(),
    "mxm plus_pair, dots": count_triangles,
    "mxm plus_pair, dots, the sum alone": lambda G: (
        plus_pair(lower(G) @ lower(G).T).mask(lower(G).S).reduce_scalar("plus").new()
    ),
    "mxm min_plus, tiles of 1024": lambda G: min_plus(dense(G) @ dense(G)).new(),
    "kronecker": lambda G: gl.Matrix.kronecker(G.A[:64, :64].new(), G.A[:64, :64].new(), binary.times).new(),
    "transpose": lambda G: G.engine.transpose(G.A[:, : G.n - 1].new()._to_compressed()),
}


class Operation:
    """A warm operation into a new container."""

    params = ([*OPERATIONS, *OF_PRODUCTS], list(ENGINES))
    param_names = ("operation", "engine")
    number, rounds, repeat, warmup_time, timeout = 1, 1, SAMPLING, 0, 300

    def setup(self, operation: str, engine: str) -> None:
        needs(engine)
        self.G = graph((SPEC if operation in OPERATIONS else PRODUCTS)[engine], engine)
        self.run = {**OPERATIONS, **OF_PRODUCTS}[operation]
        self.time_new(operation, engine)

    def time_new(self, operation: str, engine: str) -> None:
        self.run(self.G)
        synchronise(engine)
