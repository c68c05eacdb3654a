"""The same operands in graphla and in python-graphblas, of graphs of several kinds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import graphla as gl

SEED = 3
BLOCK = 64
SOURCES = 4
PART = 0.3
"""The share of the entries of A that M has."""


@dataclass(frozen=True)
class Graph:
    """The cells of a matrix."""

    rows: Any
    columns: Any
    shape: tuple[int, int]


def make_kronecker(scale: int) -> Graph:
    rows, columns, _ = map(np.asarray, gl.generate.kronecker(scale, engine="cpu").A.to_coo())
    return Graph(rows, columns, (1 << scale, 1 << scale))


def make_distinct(rows: Any, columns: Any, shape: tuple[int, int]) -> Graph:
    cells = np.unique(rows.astype("int64") * shape[1] + columns)
    return Graph(cells // shape[1], cells % shape[1], shape)


def make_uniform(n: int, ncols: int | None = None, degree: int = 16) -> Graph:
    rng, shape = np.random.default_rng(SEED), (n, ncols or n)
    count = degree * n
    return make_distinct(rng.integers(0, shape[0], count), rng.integers(0, shape[1], count), shape)


def make_hubs(n: int, hubs: int = 3) -> Graph:
    """Return a uniform graph of degree 4 and a few vertices that are neighbors of all."""
    uniform, every = make_uniform(n, degree=4), np.arange(n)
    centers = np.repeat(np.arange(hubs) * (n // hubs), n)
    others = np.tile(every, hubs)
    rows = np.concatenate([uniform.rows, uniform.columns, centers, others])
    columns = np.concatenate([uniform.columns, uniform.rows, others, centers])
    return make_distinct(rows, columns, (n, n))


def make_grid(side: int) -> Graph:
    at = np.arange(side * side).reshape(side, side)
    pairs = np.concatenate(
        [np.stack([at[:, 1:], at[:, :-1]]).reshape(2, -1), np.stack([at[1:], at[:-1]]).reshape(2, -1)], 1
    )
    return make_distinct(np.concatenate(pairs), np.concatenate(pairs[::-1]), (side * side, side * side))


def make_hollow(n: int) -> Graph:
    """Return a uniform graph in which nine rows of ten are empty."""
    graph = make_uniform(n)
    here = graph.rows % 10 == 0
    return Graph(graph.rows[here], graph.columns[here], graph.shape)


GRAPHS: dict[str, Callable[[], Graph]] = {
    "kron16": lambda: make_kronecker(16),
    "kron13": lambda: make_kronecker(13),
    "kron9": lambda: make_kronecker(9),
    "small": lambda: make_uniform(1_000, degree=10),
    "uniform": lambda: make_uniform(1 << 15),
    "hubs": lambda: make_hubs(1 << 15),
    "grid": lambda: make_grid(256),
    "wide": lambda: make_uniform(1 << 11, 1 << 17, degree=200),
    "tall": lambda: make_uniform(1 << 17, 1 << 11, degree=4),
    "hollow": lambda: make_hollow(1 << 16),
}
"""`kron9` and `small` have about 10,000 entries."""


def draw_values(rng: Any, count: int, dtype: str) -> Any:
    """Draw small whole numbers, whose sums are exact."""
    return rng.random(count) < 0.8 if dtype == "bool" else rng.integers(1, 200, count).astype(dtype)


class Operands:
    """What the operations work on, in one of the two libraries."""

    def __init__(self, lib: Any, graph: Graph, dtype: str):
        self.lib, self.graph, self.dtype = lib, graph, dtype
        self.op, self.ring, self.agg, self.replace = lib.binary, lib.semiring, lib.agg, lib.replace
        self.n, self.m = graph.shape
        self.square = self.n == self.m
        rng = np.random.default_rng(SEED)
        self.values = draw_values(rng, graph.rows.size, dtype)
        self.order = rng.permutation(graph.rows.size)
        self.part = rng.random(graph.rows.size) < PART
        self.row_order, self.column_order = rng.permutation(self.n), rng.permutation(self.m)
        self.number = np.dtype(dtype).type
        self.add, self.mul = (self.op.lor, self.op.land) if dtype == "bool" else (self.op.plus, self.op.times)
        self.most = "lor" if dtype == "bool" else "max"
        self.ours = lib is gl

    def index(self, places: Any) -> Any:
        return places if self.ours else places.astype("uint64")

    def make(self, rows: Any, columns: Any, values: Any, shape: tuple[int, int] | None = None) -> Any:
        shape = shape or self.graph.shape
        return self.lib.Matrix.from_coo(
            self.index(rows), self.index(columns), values, nrows=shape[0], ncols=shape[1], **self.where
        )

    @property
    def where(self) -> dict[str, Any]:
        return {"engine": "cpu"} if self.ours else {}

    @cached_property
    def A(self) -> Any:
        return self.make(self.graph.rows, self.graph.columns, self.values)

    @cached_property
    def P(self) -> Any:
        """A with its rows and columns permuted."""
        return self.make(self.row_order[self.graph.rows], self.column_order[self.graph.columns], self.values)

    @cached_property
    def M(self) -> Any:
        """A part of A; some of its values are zero."""
        values = self.values[self.part].copy()
        values[::3] = 0
        return self.make(self.graph.rows[self.part], self.graph.columns[self.part], values)

    @cached_property
    def L(self) -> Any:
        return self.A.select("tril", -1).new()

    @cached_property
    def x(self) -> Any:
        return self.lib.Vector.from_dense(draw_values(np.random.default_rng(5), self.m, self.dtype), **self.where)

    @cached_property
    def y(self) -> Any:
        return self.lib.Vector.from_dense(draw_values(np.random.default_rng(6), self.n, self.dtype), **self.where)

    def sparse_vector(self, share: float, size: int) -> Any:
        rng = np.random.default_rng(7)
        places = np.flatnonzero(rng.random(size) < share)
        values = draw_values(rng, places.size, self.dtype)
        return self.lib.Vector.from_coo(self.index(places), values, size=size, **self.where)

    @cached_property
    def half(self) -> Any:
        return self.sparse_vector(0.5, self.m)

    @cached_property
    def few(self) -> Any:
        return self.sparse_vector(0.01, self.m)

    @cached_property
    def halves(self) -> Any:
        return self.sparse_vector(0.5, self.n)

    def rows(self, k: int, share: float) -> Any:
        """Return a k x n matrix in which a share of the cells has entries."""
        rng = np.random.default_rng(8)
        if share == 1:
            return self.lib.Matrix.from_dense(draw_values(rng, k * self.n, self.dtype).reshape(k, self.n), **self.where)
        cells = np.flatnonzero(rng.random(k * self.n) < share)
        return self.make(cells // self.n, cells % self.n, draw_values(rng, cells.size, self.dtype), (k, self.n))

    def columns(self, k: int, share: float) -> Any:
        """Return an m x k matrix in which a share of the cells has entries."""
        rng = np.random.default_rng(9)
        if share == 1:
            return self.lib.Matrix.from_dense(draw_values(rng, k * self.m, self.dtype).reshape(self.m, k), **self.where)
        cells = np.flatnonzero(rng.random(k * self.m) < share)
        return self.make(cells // k, cells % k, draw_values(rng, cells.size, self.dtype), (self.m, k))

    @cached_property
    def sources(self) -> Any:
        """The vertices of most arcs, of which betweenness is computed."""
        return np.argsort(-np.bincount(self.graph.rows, minlength=self.n))[:SOURCES]

    @cached_property
    def quarter_rows(self) -> Any:
        return self.index(np.sort(np.random.default_rng(10).permutation(self.n)[: self.n // 4]))

    @cached_property
    def quarter_columns(self) -> Any:
        return self.index(np.sort(np.random.default_rng(11).permutation(self.m)[: self.m // 4]))

    @cached_property
    def block_rows(self) -> Any:
        return self.index(np.sort(np.random.default_rng(12).permutation(self.n)[:BLOCK]))

    @cached_property
    def block_columns(self) -> Any:
        return self.index(np.sort(np.random.default_rng(13).permutation(self.m)[:BLOCK]))
