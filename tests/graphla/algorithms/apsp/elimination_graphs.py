"""Graphs for tests of elimination, and their distances by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import Delaunay

import graphla as gl

Arcs = tuple[Any, Any]


def make_planar(n: int, seed: int) -> Arcs:
    corners = Delaunay(np.random.default_rng(seed).random((n, 2))).simplices
    return np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]).T


def make_tree(n: int, seed: int) -> Arcs:
    rng = np.random.default_rng(seed)
    return np.array([rng.integers(0, max(v, 1)) for v in range(1, n)]), np.arange(1, n)


def make_random(n: int, seed: int) -> Arcs:
    return np.random.default_rng(seed).integers(0, n, (2, 2 * n))


def get_arcs(G: gl.Graph) -> Arcs:
    return G.A.to_coo()[:2]


ARCS = {
    "planar": make_planar(300, 1),
    "grid": get_arcs(gl.generate.grid2d(21, 17, engine="cpu")),
    "cube": get_arcs(gl.generate.grid3d(6, 7, 8, engine="cpu")),
    "tree": make_tree(257, 2),
    "road": get_arcs(gl.generate.road(500, engine="cpu")),
    "two planar parts": np.concatenate([make_planar(60, 5), 70 + make_planar(90, 6)], axis=1),
    "random": make_random(120, 3),
    "sparse and disconnected": make_random(400, 4)[:, :150],
    "star": (np.zeros(90, int), np.arange(90)),
}


def make_weighted(name: str, directed: bool, dtype: str = "float32") -> gl.Graph:
    """A graph with loops and weights from 0 to 20, other ones in the two directions if it is directed."""
    tails, heads = (np.asarray(part, np.int64) for part in ARCS[name])
    n = int(max(tails.max(), heads.max())) + 2
    rng = np.random.default_rng(len(name))
    A = csr_array((rng.integers(1, 22, tails.size), (tails, heads)), shape=(n, n))
    A = A if directed else A.maximum(A.T)
    A = A.tocoo()
    return gl.Graph((A.row, A.col, (A.data % 21).astype(dtype)), n=n, engine="cpu")


def solve_by_dijkstra(G: gl.Graph) -> Any:
    """SciPy's distances; it takes explicit zeros of sparse arrays for arcs."""
    A = csr_array((G.csr.values.astype(float), G.csr.indices, G.csr.indptr), shape=(G.n, G.n))
    return dijkstra(A)
