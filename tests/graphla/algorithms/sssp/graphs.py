"""Small graphs of every kind that has broken a shortest-path code before, as (n, rows, cols, weights)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Arcs = tuple[int, Any, Any, Any]
KINDS: dict[str, Callable[[np.random.Generator], Arcs]] = {}


def add_kind(make: Callable[[np.random.Generator], Arcs]) -> Callable[[np.random.Generator], Arcs]:
    KINDS[make.__name__] = make
    return make


def add_reverse(n: int, u: Any, v: Any, w: Any) -> Arcs:
    keep = u != v
    u, v, w = np.asarray(u)[keep], np.asarray(v)[keep], np.asarray(w)[keep]
    low, high = np.minimum(u, v), np.maximum(u, v)
    _, first = np.unique(low.astype(np.int64) * n + high, return_index=True)
    low, high, w = low[first], high[first], w[first]
    return n, np.r_[low, high], np.r_[high, low], np.r_[w, w]


@add_kind
def kron(rng: np.random.Generator) -> Arcs:
    n, m = 256, 256 * 12
    u, v = np.zeros(m, int), np.zeros(m, int)
    for bit in range(8):
        x = rng.random(m)
        u |= (x >= 0.76).astype(int) << bit
        v |= (((x >= 0.57) & (x < 0.76)) | (x >= 0.95)).astype(int) << bit
    return add_reverse(n, u, v, rng.integers(1, 256, m))


@add_kind
def uniform_directed(rng: np.random.Generator) -> Arcs:
    n, m = 200, 1500
    key = rng.choice(n * n, m, replace=False)
    return n, key // n, key % n, rng.integers(1, 100, m)


@add_kind
def grid(rng: np.random.Generator) -> Arcs:
    side = 14
    v = np.arange(side * side).reshape(side, side)
    a, b = np.r_[v[:, :-1].ravel(), v[:-1].ravel()], np.r_[v[:, 1:].ravel(), v[1:].ravel()]
    return add_reverse(side * side, a, b, rng.integers(1, 256, a.size))


@add_kind
def path(rng: np.random.Generator) -> Arcs:
    return add_reverse(150, np.arange(149), np.arange(1, 150), rng.integers(1, 50, 149))


@add_kind
def star(rng: np.random.Generator) -> Arcs:
    return add_reverse(300, np.zeros(299, int), np.arange(1, 300), rng.integers(1, 256, 299))


@add_kind
def hubs(rng: np.random.Generator) -> Arcs:
    n = 300
    u = np.r_[rng.integers(0, n, 600), np.repeat([7, 99], 200)]
    return add_reverse(n, u, rng.integers(0, n, 1000), rng.integers(1, 256, 1000))


@add_kind
def disconnected(rng: np.random.Generator) -> Arcs:
    u = rng.integers(0, 60, 150)
    n, r, c, w = add_reverse(60, u, rng.integers(0, 60, 150), rng.integers(1, 30, 150))
    return 2 * n + 5, np.r_[r, r + n], np.r_[c, c + n], np.r_[w, w]


@add_kind
def zeros(rng: np.random.Generator) -> Arcs:
    n, m = 120, 700
    key = rng.choice(n * n, m, replace=False)
    return n, key // n, key % n, rng.integers(0, 3, m)


@add_kind
def zero_cycles(rng: np.random.Generator) -> Arcs:
    ring = np.arange(40)
    u, v = np.r_[ring, ring], np.r_[(ring + 1) % 40, (ring + 7) % 40]
    n, r, c, w = add_reverse(41, u, v, np.zeros(80, int))
    return n, np.r_[r, 40], np.r_[c, 3], np.r_[w, 5]


@add_kind
def loops(rng: np.random.Generator) -> Arcs:
    n, r, c, w = uniform_directed(rng)
    off = r != c
    return n, np.r_[r[off], np.arange(n)], np.r_[c[off], np.arange(n)], np.r_[w[off], rng.integers(0, 5, n)]


@add_kind
def heavy_tail(rng: np.random.Generator) -> Arcs:
    n, r, c, _ = kron(rng)
    w = np.rint(10.0 ** (6 * rng.random((n, n)))).astype(int)
    return n, r, c, np.minimum(w, w.T)[r, c]


@add_kind
def core_with_tail(rng: np.random.Generator) -> Arcs:
    """A dense core that settles at once, and a long path that hangs from it."""
    n, r, c, w = kron(rng)
    tail = np.arange(n - 1, n + 99)
    m, r2, c2, w2 = add_reverse(n + 100, tail, tail + 1, rng.integers(1, 20, 100))
    return m, np.r_[r, r2, 5, n - 1], np.r_[c, c2, n - 1, 5], np.r_[w, w2, 3, 3]


@add_kind
def single(rng: np.random.Generator) -> Arcs:
    return 1, np.zeros(0, int), np.zeros(0, int), np.zeros(0, int)


@add_kind
def no_arcs(rng: np.random.Generator) -> Arcs:
    return 9, np.zeros(0, int), np.zeros(0, int), np.zeros(0, int)


@add_kind
def dense(rng: np.random.Generator) -> Arcs:
    u, v = np.nonzero(np.ones((40, 40)) - np.eye(40))
    return 40, u, v, rng.integers(1, 1000, u.size)


def list_kinds(seed: int = 0) -> Iterator[tuple[str, Arcs]]:
    for name, make in KINDS.items():
        yield name, make(np.random.default_rng(seed))
