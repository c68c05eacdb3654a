"""Small graphs of every shape, with weights of every dtype and at both of its ends; and what they are in Python."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import graphla as gl

SHAPES = ("directed", "undirected", "acyclic", "bipartite", "loops", "path", "undirected", "directed")
DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool")
KINDS = ("one", "small", "zero", "negative", "end", "denormal", "both ends", "beyond", "ulp", "fractional")
MOST = 11
"""Vertices, at most."""
MANY, IN_A_ROW = 10**7, 100
"""From so many seeds on, graphs in a row share a dtype, for which everything is compiled or loaded once."""


@dataclass(frozen=True, eq=False)
class Case:
    """The graph of a seed."""

    seed: int
    shape: str
    kind: str
    n: int
    rows: Any
    cols: Any
    weights: Any

    def graph(self, engine: Any) -> gl.Graph:
        """Of repeated arcs the first counts."""
        return gl.Graph((self.rows, self.cols, self.weights), n=self.n, dup="first", engine=engine)

    def __str__(self) -> str:
        arcs = [part.tolist() for part in (self.rows, self.cols)]
        weights = f"np.array({self.weights.tolist()}, '{self.weights.dtype}')"
        given = f"({arcs[0]}, {arcs[1]}, {weights}), n={self.n}, dup='first'"
        return f"seed {self.seed}, {self.shape}, {self.kind}: G = gl.Graph({given})"

    @property
    def undirected(self) -> bool:
        """Whether both arcs of each edge are there, of one weight."""
        return self.shape in ("undirected", "bipartite", "path")

    @cached_property
    def arcs(self) -> dict[tuple[int, int], Any]:
        """The weights of arcs as numbers of Python, which have no ends."""
        found: dict[tuple[int, int], Any] = {}
        for u, v, w in zip(*(part.tolist() for part in (self.rows, self.cols, self.weights)), strict=True):
            found.setdefault((u, v), w)
        return found

    @cached_property
    def out(self) -> list[dict[int, Any]]:
        """The heads of the arcs of each vertex, with weights."""
        found: list[dict[int, Any]] = [{} for _ in range(self.n)]
        for (u, v), w in self.arcs.items():
            found[u][v] = w
        return found

    @cached_property
    def near(self) -> list[set[int]]:
        """The neighbours of each vertex, itself left out, whatever the direction."""
        found: list[set[int]] = [set() for _ in range(self.n)]
        for u, v in self.arcs:
            if u != v:
                found[u].add(v)
                found[v].add(u)
        return found

    @cached_property
    def positive(self) -> bool:
        """Whether all weights are numbers above zero."""
        return all(w > 0 for w in self.arcs.values())

    def reach(self, source: int, out: Any = None) -> dict[int, int]:
        """The number of arcs to each vertex that a source reaches."""
        levels, queue = {source: 0}, [source]
        for u in queue:
            for v in (out or self.out)[u]:
                if v not in levels:
                    levels[v] = levels[u] + 1
                    queue.append(v)
        return levels


def draw(seed: int) -> Case:
    """A graph of a few vertices; some have none, or one."""
    rng = np.random.default_rng(seed)
    shape, kind, dtype = (str(rng.choice(names)) for names in (SHAPES, KINDS, DTYPES))
    dtype = DTYPES[seed // IN_A_ROW % len(DTYPES)] if seed >= MANY else dtype
    n = int(rng.choice([0, 1, 2, 3])) if rng.random() < 0.1 else int(rng.integers(2, MOST + 1))
    rows, cols = draw_arcs(rng, shape, n)
    weights = draw_weights(rng, kind, np.dtype(dtype), rows.size)
    if shape in ("undirected", "bipartite", "path"):
        rows, cols, weights = add_reverses(rows, cols, weights)
    order = rng.permutation(rows.size) if shape in ("directed", "acyclic", "loops") else np.arange(rows.size)
    return Case(seed, shape, kind, n, rows[order], cols[order], weights[order])


def draw_arcs(rng: Any, shape: str, n: int) -> tuple[Any, Any]:
    """Tails and heads; some arcs repeat."""
    count = int(rng.integers(0, 3 * n + 1)) if n else 0
    if n == 0 or shape == "path":
        steps = np.arange(max(0, n - 1))
        return steps, steps + 1
    rows, cols = rng.integers(0, n, (2, count))
    if shape == "acyclic":
        place = rng.permutation(n)
        apart = place[rows] != place[cols]
        rows, cols = rows[apart], cols[apart]
        forth = place[rows] < place[cols]
        return np.where(forth, rows, cols), np.where(forth, cols, rows)
    if shape == "bipartite":
        apart = (rows + cols) % 2 == 1
        return rows[apart], cols[apart]
    if shape == "loops":
        rows, cols = np.append(rows, np.arange(n)), np.append(cols, np.arange(n))
    elif rng.random() < 0.5:
        apart = rows != cols
        rows, cols = rows[apart], cols[apart]
    return rows, cols


def add_reverses(rows: Any, cols: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Both arcs of each edge, with the weight of its first one."""
    seen: dict[tuple[int, int], Any] = {}
    for u, v, w in zip(rows.tolist(), cols.tolist(), weights, strict=True):
        seen.setdefault((min(u, v), max(u, v)), w)
    low, high = np.array(list(seen), int).reshape(-1, 2).T
    held = np.array(list(seen.values()), weights.dtype)
    apart = low != high
    return np.append(low, high[apart]), np.append(high, low[apart]), np.append(held, held[apart])


def draw_weights(rng: Any, kind: str, dtype: Any, count: int) -> Any:
    """Weights of a kind, as far as the dtype has it."""
    if dtype.kind == "b" or kind == "one":
        return np.ones(count, dtype)
    whole = dtype.kind in "iu"
    info: Any = np.iinfo(dtype) if whole else np.finfo(dtype)
    if kind == "end":
        ends = [info.max, info.max - 1, info.max // 2] if whole else [info.max, info.max / 2, info.max / 3]
        return np.array(ends, dtype)[rng.integers(0, 3, count)]
    if kind in ("denormal", "both ends"):
        least = [1, 2, 3] if whole else [info.smallest_subnormal, 3 * info.smallest_subnormal, info.tiny]
        most = [] if kind == "denormal" else [info.max, 1]
        return np.array([*least, *most], dtype)[rng.integers(0, 3 + len(most), count)]
    if kind == "beyond":
        return beyond(rng, dtype, count)
    if kind == "ulp" and not whole:
        return (1 + rng.integers(0, 4, count) * float(info.eps)).astype(dtype)
    if kind == "fractional" and not whole:
        return rng.random(count).astype(dtype) + dtype.type(1e-3)
    low = {"zero": 0, "negative": -2 if dtype.kind != "u" else 0}.get(kind, 1)
    return rng.integers(low, 6, count).astype(dtype)


def beyond(rng: Any, dtype: Any, count: int) -> Any:
    """Whole numbers that a float of the next narrower precision does not hold."""
    digits = {"f": 24 if dtype.itemsize == 4 else 53}.get(dtype.kind, 53 if dtype.itemsize == 8 else 24)
    steps = rng.integers(0, 4, count)
    if dtype.kind in "iu" and dtype.itemsize < 4:
        return (steps + 1).astype(dtype)
    return (2**digits + steps.astype("int64")).astype(dtype)


def close(found: Any, wanted: Any, most: float = 1e-9) -> bool:
    """Whether numbers are the same but for rounding, beside the largest of them."""
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    if found.shape != wanted.shape or not np.isfinite(found).all():
        return False
    room = most * max(1e-300, float(abs(wanted).max(initial=0.0)))
    return bool((abs(found - wanted) <= room).all())


def is_finite(value: Any) -> bool:
    """Whether a number of Python is finite as a float."""
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False
