"""Small graphs of every kind, and the record that a method needs to see one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from graphla.storage import CompressedMatrix

N = 300


class TinyGraph:
    """What methods ask of a graph, with row pointers of either width."""

    def __init__(self, matrix: Any, engine: Any, pointers: type = np.int32) -> None:
        rows = sp.csr_array(matrix)
        rows.sort_indices()
        columns = sp.csr_array(rows.T)
        columns.sort_indices()
        self.engine, self.n, self.nvals = engine, rows.shape[0], int(rows.nnz)
        self.symmetric = bool((rows != columns).nnz == 0)
        self.csr = self.to_record(rows, pointers)
        self.csc = self.csr if self.symmetric else self.to_record(columns, pointers)
        self.degrees = np.diff(self.csr.indptr).astype(np.int32)
        self.max_degree = int(self.degrees.max(initial=0))
        self._cache: dict[str, Any] = {}

    @property
    def plain(self) -> TinyGraph:
        return self

    @staticmethod
    def to_record(rows: Any, pointers: type) -> CompressedMatrix:
        values = rows.data
        return CompressedMatrix(*rows.shape, rows.indptr.astype(pointers), rows.indices.astype(np.int32), values)

    def cached(self, name: str, make: Callable[[Any], Any]) -> Any:
        if name not in self._cache:
            self._cache[name] = make(self)
        return self._cache[name]


def from_arcs(n: int, tails: Any, heads: Any, both_ways: bool = True) -> Any:
    tails, heads = np.asarray(tails), np.asarray(heads)
    if both_ways:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    return sp.csr_array((np.ones(len(tails)), (tails, heads)), shape=(n, n))


def uniform(n: int, arcs: int, seed: int, both_ways: bool = True) -> Any:
    return from_arcs(n, *np.random.default_rng(seed).integers(0, n, (2, arcs)), both_ways)


def kronecker(scale: int, seed: int) -> Any:
    random = np.random.default_rng(seed)
    tails, heads = np.zeros((2, 8 << scale), int)
    for bit in range(scale):
        low = random.random(tails.size) > 0.76
        right = random.random(tails.size) > np.where(low, 0.79, 0.75)
        tails, heads = tails | low << bit, heads | right << bit
    return from_arcs(1 << scale, tails, heads)


def grid(rows: int, columns: int) -> Any:
    at = np.arange(rows * columns).reshape(rows, columns)
    tails = np.concatenate([at[1:].ravel(), at[:, 1:].ravel()])
    return from_arcs(at.size, tails, np.concatenate([at[:-1].ravel(), at[:, :-1].ravel()]))


def path(n: int) -> Any:
    return from_arcs(n, np.arange(n - 1), np.arange(1, n))


def star(n: int) -> Any:
    return from_arcs(n, np.zeros(n - 1, int), np.arange(1, n))


def crossing_hub(n: int) -> Any:
    """A path whose every fifth vertex has eleven leaves: rows longer than any padded one."""
    feet = np.repeat(np.arange(0, n, 5), 11)
    leaves = n + np.arange(feet.size)
    return from_arcs(n + feet.size, np.r_[np.arange(n - 1), feet], np.r_[np.arange(1, n), leaves])


def fan(n: int) -> Any:
    """0 leads to n vertices, each of which leads to one of its own: a frontier of n rows of one arc."""
    middle = np.arange(1, n + 1)
    return from_arcs(2 * n + 1, np.r_[np.zeros(n, int), middle], np.r_[middle, middle + n], both_ways=False)


def layers(count: int, width: int, degree: int) -> Any:
    """Each vertex of a layer is joined to some of the next: no tail falls at random."""
    tails = np.repeat(np.arange((count - 1) * width), degree)
    heads = tails // width * width + width + np.random.default_rng(9).integers(0, width, tails.size)
    return from_arcs(count * width, tails, heads)


def hairy_clique(size: int, length: int) -> Any:
    """A clique with a long tail, whose source pushes many arcs, then few."""
    tails, heads = np.nonzero(np.triu(np.ones((size, size)), 1))
    path = np.arange(size - 1, size + length - 1)
    return from_arcs(size + length, np.r_[tails, path], np.r_[heads, path + 1])


def make_leaves() -> Any:
    """A caterpillar, two pairs, a pair with loops, a loop alone and a vertex alone, undirected."""
    spine = np.arange(60)
    tails = np.concatenate([spine[:-1], spine, spine[::3], [160, 162, 164, 164, 165, 166]])
    heads = np.concatenate([spine[1:], spine + 60, 120 + spine[::3] // 3, [161, 163, 165, 164, 165, 166]])
    return from_arcs(168, tails, heads)


GRAPHS = {
    "fan": fan(700),
    "uniform": uniform(N, 900, 0),
    "dense": uniform(120, 4000, 1),
    "kronecker": kronecker(8, 2),
    "grid": grid(13, 17),
    "path": path(70),
    "long rows": crossing_hub(60),
    "star": star(2500),
    "layers": layers(30, 20, 8),
    "hairy clique": hairy_clique(40, 30),
    "two components": sp.block_diag([uniform(90, 200, 3), uniform(80, 150, 4)]),
    "no arcs": sp.csr_array((40, 40)),
    "single vertex": sp.csr_array((1, 1)),
    "self-loops": uniform(40, 60, 5) + sp.eye_array(40),
    "directed": uniform(N, 900, 6, both_ways=False),
    "directed path": from_arcs(50, np.arange(49), np.arange(1, 50), both_ways=False),
    "isolated vertices": uniform(500, 260, 7),
}
