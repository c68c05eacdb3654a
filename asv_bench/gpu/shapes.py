"""Graphs with special structure, each a weak spot of some method. They are selected by name and made on the GPU."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cupy as cp

from graphla.graphs.generators.build import make_directed, make_undirected, pack
from graphla.graphs.generators.spec import from_spec
from graphla.storage import Coo


def make_graph(n: int, tails: Any, heads: Any) -> Coo:
    """Make an undirected graph with edges between two arrays of vertices."""
    return make_undirected(n, pack(tails.astype(cp.int64), heads.astype(cp.int64)), None, 1, cp)


def random(n: int, count: int, seed: int) -> Any:
    """Return `count` random vertices of 0 … n - 1."""
    return cp.random.RandomState(seed).randint(0, n, count, dtype=cp.int64)


def tree(depth: int) -> Coo:
    """A binary tree."""
    child = cp.arange(1, (1 << depth) - 1)
    return make_graph((1 << depth) - 1, (child - 1) // 2, child)


def caterpillar(feet: int, legs: int) -> Coo:
    """Make a path, each vertex of which has leaves."""
    spine, leaf = cp.arange(feet), cp.arange(feet, feet * (1 + legs))
    return make_graph(feet * (1 + legs), cp.r_[spine[:-1], leaf % feet], cp.r_[spine[1:], leaf])


def lattice_ring(n: int, reach: int, rewired: float = 0.0) -> Coo:
    """A ring, each vertex joined to the next `reach`; a share of the ends drawn anew (Watts and Strogatz)."""
    v = cp.arange(n)
    tails = cp.concatenate([v] * reach)
    heads = cp.concatenate([(v + k) % n for k in range(1, reach + 1)])
    moved = random(1_000_000, heads.size, 1) < rewired * 1_000_000
    return make_graph(n, tails, cp.where(moved, random(n, heads.size, 2), heads))


def barbell(clique: int, between: int) -> Coo:
    """Two cliques and a path from one to the other."""
    u, v = (x.ravel() for x in cp.meshgrid(cp.arange(clique), cp.arange(clique)))
    u, v = u[u < v], v[u < v]
    path, far = cp.arange(clique - 1, clique + between), clique + between
    return make_graph(2 * clique + between, cp.r_[u, u + far, path], cp.r_[v, v + far, path + 1])


def make_pieces(count: int, size: int) -> Coo:
    """Many uniform random graphs side by side."""
    tails = random(count * size, 4 * count * size, 3)
    return make_graph(count * size, tails, tails // size * size + random(size, tails.size, 4))


def add_tails(scale: int, tails: int, length: int) -> Coo:
    """A Kronecker graph with paths that hang from it: hubs and a long diameter."""
    core = from_spec(f"kron:{scale}", xp=cp)
    tail = cp.arange(tails * length)
    before = cp.where(tail % length == 0, random(core.nrows, tail.size, 5), core.nrows + tail - 1)
    ends = cp.r_[core.rows.astype(cp.int64), before], cp.r_[core.cols.astype(cp.int64), core.nrows + tail]
    return make_graph(core.nrows + tail.size, *ends)


def bipartite(left: int, right: int, degree: int) -> Coo:
    """Each left vertex has `degree` neighbours on the right."""
    tails = cp.repeat(cp.arange(left), degree)
    return make_graph(left + right, tails, left + random(right, tails.size, 6))


def join_apart(small: str, large: str) -> Coo:
    """A graph that is not connected to another."""
    a, b = from_spec(small, xp=cp), from_spec(large, xp=cp)
    return make_graph(a.nrows + b.nrows, cp.r_[a.rows, b.rows + a.nrows], cp.r_[a.cols, b.cols + a.nrows])


def make_digraph(name: str) -> Coo:
    """Keep the arcs u → v of a graph with u < v or u + v odd."""
    coo = from_spec(name, xp=cp)
    kept = ((coo.rows + coo.cols) % 2 == 1) | (coo.rows < coo.cols)
    return make_directed(coo.nrows, pack(coo.rows[kept].astype(cp.int64), coo.cols[kept].astype(cp.int64)), None, 1, cp)


def layers(count: int, width: int, degree: int) -> Coo:
    """Each vertex of a layer is joined to some of the next."""
    tails = cp.repeat(cp.arange((count - 1) * width), degree)
    return make_graph(count * width, tails, tails // width * width + width + random(width, tails.size, 7))


def shuffle(coo: Coo) -> Coo:
    """Renumber the vertices of a graph at random."""
    number = cp.random.RandomState(9).permutation(coo.nrows)
    return make_graph(coo.nrows, number[coo.rows], number[coo.cols])


SHAPES: dict[str, Callable[[], Coo]] = {
    "path beside isolated vertices": lambda: replace(from_spec("path:60000", xp=cp), nrows=2_000_000, ncols=2_000_000),
    "ten vertices": lambda: lattice_ring(10, 2),
    "binary tree": lambda: tree(22),
    "caterpillar, 3 legs": lambda: shuffle(caterpillar(100_000, 3)),
    "caterpillar, 30 legs": lambda: shuffle(caterpillar(100_000, 30)),
    "ring, degree 10": lambda: shuffle(lattice_ring(1_000_000, 5)),
    "ring, degree 20": lambda: shuffle(lattice_ring(1_000_000, 10)),
    "ring, degree 64": lambda: shuffle(lattice_ring(500_000, 32)),
    "small world": lambda: lattice_ring(4_000_000, 5, 0.01),
    "small world, few shortcuts": lambda: lattice_ring(1_000_000, 10, 0.00001),
    "barbell": lambda: barbell(2000, 20_000),
    "pieces": lambda: make_pieces(10_000, 400),
    "kron with 50 tails": lambda: add_tails(20, 50, 5000),
    "kron with 5000 tails": lambda: add_tails(20, 5000, 500),
    "bipartite": lambda: bipartite(4_000_000, 100_000, 8),
    "kron beside kron": lambda: join_apart("kron:18", "kron:22"),
    "directed kron": lambda: make_digraph("kron:21"),
    "layers": lambda: layers(50, 40_000, 16),
    "thin layers": lambda: layers(20_000, 100, 12),
}


def widen_pointers(G: Any) -> Any:
    """Give the graph 64-bit row pointers, as a graph with 2**31 arcs or more has."""
    G.cached("csr", lambda _: replace(G.A._to_compressed(), indptr=G.A._to_compressed().indptr.astype(cp.int64)))
    return G
